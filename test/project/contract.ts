import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { failureCodes } from '../../nodes/Kudosity/api/failureCodes.ts';
import { readMedia } from '../../nodes/Kudosity/events/media.ts';
import { readEvent } from '../../nodes/Kudosity/events/parse.ts';
import { responseTypes, type Question } from '../../nodes/Kudosity/events/question.ts';
import { notAsked, replyRecord, suspendedRecord } from '../../nodes/Kudosity/events/replyRecord.ts';
import { simplifyEvent } from '../../nodes/Kudosity/events/simplify.ts';
import { resources } from '../../nodes/Kudosity/resources/index.ts';
import { itemWithFiles } from '../../nodes/Kudosity/n8n/delivery.ts';
import { changed, richContents, sampleEvent } from '../fixtures/events/index.ts';
import { projectFiles } from '../helpers/projectFiles.ts';
import { credentials, nodes } from './packageClasses.ts';

/** Names that are promised: in a list, or with what they hold in turn. */
export type Names = string[] | { [name: string]: Names };

/** What `current` lacks of what was promised: what was removed or renamed, each with the path to it. */
export const missingFrom = (current: Names | undefined, promised: Names): string[] => {
	if (Array.isArray(promised)) {
		return promised.filter((name) => !Array.isArray(current) || !current.includes(name));
	}
	return Object.entries(promised).flatMap(([name, inner]) => {
		const found = Array.isArray(current) ? undefined : current?.[name];
		return found ? missingFrom(found, inner).map((path) => `${name} ${path}`) : [name];
	});
};

const sorted = <Value>(entries: Array<[string, Value]>): Record<string, Value> =>
	Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));

const choicesOf = ({ type, options = [] }: INodeProperties): string[] =>
	type === 'options' || type === 'multiOptions'
		? (options as INodePropertyOptions[]).map(({ value }) => String(value)).sort()
		: [];

/** The paths under which values are stored, e.g. `options.messageRef`, each with the values of its drop-down. */
const pathsOf = (properties: INodeProperties[]): Array<[string, string[]]> =>
	properties.flatMap((property) => {
		const { name, type, options = [] } = property;
		const within = (inner: INodeProperties[], folder: string) =>
			pathsOf(inner).map(([path, values]): [string, string[]] => [`${folder}.${path}`, values]);
		if (type === 'collection') return within(options as INodeProperties[], name);
		if (type !== 'fixedCollection') return [[name, choicesOf(property)]];
		const groups = options as INodePropertyCollection[];
		return groups.flatMap((group) => within(group.values, `${name}.${group.name}`));
	});

/** Countries are promised once: two hundred values for each field would hide the rest. */
const isCountry = (path: string) => /(^|\.)(country|defaultCountry)$/.test(path);

const fieldsOf = (properties: INodeProperties[]) =>
	sorted(
		pathsOf(properties)
			.filter(([path]) => !['resource', 'operation'].includes(path))
			.map(([path, values]) => [path, isCountry(path) ? [] : values]),
	);

const operationsOf = (credential: string): Names =>
	sorted(
		resources
			.filter(({ connection = 'none' }) => connection === credential)
			.flatMap(({ value, operations }) =>
				operations.map((operation): [string, Names] => [
					`${value}/${operation.value}`,
					fieldsOf(operation.fields.map(({ property }) => property)),
				]),
			),
	);

/** The names of a record and of what it holds, e.g. `inReplyTo.text`. What the service put in stays out. */
const namesIn = (record: object, own: string[] = []): string[] =>
	Object.entries(record).flatMap(([name, value]) => {
		const [inner] = Array.isArray(value) ? (value as unknown[]) : [value];
		const isOwn = own.includes(name) && typeof inner === 'object' && inner !== null;
		return isOwn ? [name, ...namesIn(inner).map((each) => `${name}.${each}`)] : [name];
	});

const allNamesIn = (records: object[], own: string[]): string[] => [
	...new Set(records.flatMap((record) => namesIn(record, own)).sort()),
];

/** Puts no file anywhere. */
const noStore = {
	helpers: { prepareBinaryData: async () => ({}) },
} as unknown as IWebhookFunctions;

/** By kind of event, what comes out with Simplify on. */
const eventNames = async (): Promise<Names> => {
	const byKind: Record<string, object[]> = {};
	const bodies = Object.values(projectFiles('test/fixtures/events', '.json')).map((text) =>
		JSON.parse(text),
	);
	for (const body of [...bodies, changed(sampleEvent('smsInbound'), 'mo.message', 'STOP')]) {
		const event = readEvent(body)?.event;
		if (!event) continue;
		const { json } = await itemWithFiles(noStore, {
			files: readMedia(body),
			prefix: '',
			toJson: (media) => ({ ...simplifyEvent(event), ...(media && { media }) }),
		});
		(byKind[event.payload.kind] ??= []).push(json);
	}
	return sorted(
		Object.entries(byKind).map(([kind, records]) => [
			kind,
			allNamesIn(records, ['inReplyTo', 'media']),
		]),
	);
};

/** By response type, what comes out of a question in every way that it can end. */
const questionNames = (): Names =>
	sorted(
		responseTypes.map((responseType): [string, string[]] => {
			const question: Question = {
				...{ ask: '', reference: '', contact: '', senders: [''] },
				...{ responseType, onUnexpectedReply: 'continue' },
			};
			const asked = { question, questionId: 'm', webhookId: 'w' };
			const answer = { kind: 'answer', text: 'Yes', answer: { choice: 'Yes' } } as const;
			const [content_type, content] = Object.entries(richContents())[0]!;
			const event = changed(sampleEvent('rcsInboundText'), 'mo.content', content);
			const received = readEvent(changed(event, 'mo.content_type', content_type))!;
			const records = [
				suspendedRecord({ ...asked, untilMs: 0 }),
				replyRecord(asked, answer, received),
				replyRecord(asked, { kind: 'optOut', text: 'STOP' }, received),
				notAsked({}),
			];
			return [responseType, allNamesIn(records, ['data'])];
		}),
	);

/** What users' saved workflows depend on, as the code has it. */
export const currentContract = async (): Promise<Record<string, Names>> => ({
	credentials: sorted(credentials.map(({ name, properties }) => [name, fieldsOf(properties)])),
	operations: Object.fromEntries(['basic', 'key', 'none'].map((api) => [api, operationsOf(api)])),
	triggers: sorted(
		nodes
			.filter(({ description }) => description.group.includes('trigger'))
			.map(({ description }) => [description.name, fieldsOf(description.properties)]),
	),
	versions: sorted(
		nodes.map(({ description }) => [description.name, [description.version].flat().map(String)]),
	),
	countries: pathsOf(credentials.flatMap(({ properties }) => properties)).find(([path]) =>
		isCountry(path),
	)![1],
	events: await eventNames(),
	questions: questionNames(),
	errorCodes: [...failureCodes].sort(),
});

/** Each list on a line of its own, which Prettier would not leave so. */
const onOneLine = (list: string): string => list.replace(/\s+/g, ' ');

const contractPath = join(import.meta.dirname, 'contract.json');

/**
 * Writes the contract as the code has it.
 *
 * @throws Error - a name is gone, although `released` is set: saved workflows depend on it
 */
export const writeContract = async (): Promise<void> => {
	const { released, ...promised } = JSON.parse(await readFile(contractPath, 'utf8')) as {
		/** Whether a version is published, or is about to be. */
		released: boolean;
	} & Record<string, Names>;
	const current = await currentContract();
	const missing = missingFrom(current, promised);
	if (released && missing.length > 0) {
		throw new Error(`Saved workflows depend on ${missing.join(', ')}`);
	}
	const text = JSON.stringify({ released, ...current }, undefined, '\t');
	await writeFile(contractPath, `${text.replace(/\[[^[\]]+\]/g, onOneLine)}\n`);
};
