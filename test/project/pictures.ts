import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { Kudosity } from '../../nodes/Kudosity/Kudosity.node.ts';
import { KudosityTrigger } from '../../nodes/Kudosity/KudosityTrigger.node.ts';
import { triggerEventOptions } from '../../nodes/Kudosity/trigger/fields.ts';
import { resources } from '../../nodes/Kudosity/resources/index.ts';
import { properties as triggerProperties } from '../../nodes/Kudosity/trigger/panel.ts';
import { projectFolder } from '../../playground/n8n/pack.ts';
import { exampleFiles } from '../helpers/exampleFiles.ts';
import { pictureOf } from './gallery.ts';

const hashesFile = join(projectFolder, 'docs', 'images', 'shown.json');

/** What n8n draws of a field, closed. */
const drawn = ({ displayName, type, hint, placeholder, default: value }: INodeProperties) => ({
	displayName,
	type,
	hint,
	placeholder,
	value,
});

const send = resources
	.find(({ value }) => value === 'sms')!
	.operations.find(({ value }) => value === 'send')!;

/** Without the notes, which are not in the picture. */
const canvas = (file: string) =>
	exampleFiles[file]!.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote').map(
		({ name, type, position }) => ({ name, type, position }),
	);

const file = (path: string): string => readFileSync(join(projectFolder, path), 'utf8');

/** What a change can make untrue, for each picture in docs/images. */
const shown: Record<string, unknown> = {
	nodes: [
		triggerEventOptions.map(({ action }) => action),
		resources.flatMap(({ operations }) => operations.map(({ action }) => action)).length,
	],
	send: [
		new Kudosity().description.displayName,
		send.properties.map(drawn),
		file('nodes/Kudosity/__schema__/v1.0.0/sms/send.json'),
	],
	trigger: [new KudosityTrigger().description.displayName, triggerProperties.map(drawn)],
	'reply-routing': canvas('reply-routing.json'),
	question: [canvas('appointment.json'), file('playground/emulator/page.html')],
	...Object.fromEntries(Object.keys(exampleFiles).map((name) => [pictureOf(name), canvas(name)])),
};

export const hashes: Record<string, string> = Object.fromEntries(
	Object.entries(shown).map(([name, value]) => [
		name,
		createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16),
	]),
);

export const keptHashes = (): Record<string, string> =>
	JSON.parse(readFileSync(hashesFile, 'utf8')) as Record<string, string>;

/** Of pictures that were just taken. */
export const keepHashes = async (names: string[]): Promise<void> => {
	const taken = Object.fromEntries(names.map((name) => [name, hashes[name]]));
	const text = JSON.stringify({ ...keptHashes(), ...taken }, null, '\t');
	await writeFile(hashesFile, `${text}\n`);
};
