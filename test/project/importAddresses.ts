import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/v4';
import { projectFolder } from '../../playground/n8n/pack.ts';
import { exampleFiles, examplePaths } from '../helpers/exampleFiles.ts';
import { markdownTable } from './markdownTable.ts';

const { repository } = z
	.object({ repository: z.object({ url: z.string() }) })
	.parse(JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')));

const [, slug = ''] = /github\.com\/(.+)\.git$/.exec(repository.url) ?? [];

/** Where GitHub has the files as they are. */
export const rawFiles = `https://raw.githubusercontent.com/${slug}/main/`;

/** What n8n's Import from URL needs. @throws if there is no such example. */
export const addressOf = (file: string): string => {
	if (!(file in exampleFiles)) throw new Error(`There is no examples/${file}`);
	return `${rawFiles}${examplePaths[file]!}`;
};

/** GitHub shows a button beside it that copies it. */
export const importBlock = (file: string): string => ['```text', addressOf(file), '```'].join('\n');

/** The README's choice: what for, and how it is told in a line. */
const featured: Record<string, string> = {
	'first-sms.json': 'Sends one message',
	'appointment.json': 'Asks one customer by SMS, waits for the reply, and reminds if there is none',
	'calendar-reminders.json':
		'Asks everyone who has an appointment tomorrow in Google Calendar, and notes each answer',
	'purchase-approval.json': 'Gets a yes or no by SMS before the workflow continues',
	'reply-routing.json':
		'Replies to YES and NO automatically and keeps everything else for your team',
	'google-sheets.json': 'Texts each row of a Google Sheet, and writes the result back',
	'send-to-contacts.json': 'Sends a campaign to a table of contacts, without those who opted out',
	'opt-out-sync.json': 'Keeps a list of everyone who has opted out, by link or by text',
	'delivery-watch.json':
		'Records failed messages, resends failed RCS as SMS, and sends a daily digest',
	'ai-agent.json': 'Lets an AI agent send SMS, within limits',
};

export const featuredTable = (): string =>
	markdownTable(
		['Workflow', 'What it does', 'Import'],
		Object.entries(featured).map(([file, what]) => [
			`[${exampleFiles[file]?.name}](${examplePaths[file]!})`,
			what,
			`[URL](${addressOf(file)})`,
		]),
	);
