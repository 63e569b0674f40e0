import { exampleFiles, examplePaths } from '../helpers/exampleFiles.ts';
import { markdownTable } from './markdownTable.ts';

/** The README's choice: what for, and how it is told in a line. */
const featured: Record<string, string> = {
	'first-sms.json': 'Sends one message',
	'send-to-contacts.json':
		'Sends a campaign to the contacts in a table, except those who opted out',
	'opt-out-sync.json': 'Keeps a list of everyone who opts out, by link or by text',
	'reply-routing.json':
		'Replies to YES and NO automatically, and saves everything else for your team',
	'appointment.json':
		'Asks a customer to confirm an appointment, waits for the reply, and tells you if the customer wants to move it',
	'ai-agent.json': 'Lets an AI agent send SMS, within limits',
};

export const featuredTable = (): string =>
	markdownTable(
		['Workflow', 'What it does'],
		Object.entries(featured).map(([file, what]) => [
			`[${exampleFiles[file]?.name}](${examplePaths[file]!})`,
			what,
		]),
	);
