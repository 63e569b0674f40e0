import type { INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { resources } from '../../../nodes/Kudosity/resources/index.ts';
import { triggerProperties } from '../../../nodes/Kudosity/trigger/triggerProperties.ts';

type Field = { title: string; field: INodeProperties };

/** Fields with those inside of collections. */
const allFields = (fields: INodeProperties[], place: string): Field[] =>
	fields.flatMap((field) => {
		const title = `${place} > ${field.displayName}`;
		const nested = (field.type === 'collection' ? field.options : []) as INodeProperties[];
		return [{ title, field }, ...allFields(nested, title)];
	});

const actionFields = resources.flatMap(({ name, operations }) =>
	operations.flatMap((operation) => allFields(operation.properties, `${name} ${operation.name}`)),
);
const fields = [...actionFields, ...allFields(triggerProperties, 'Trigger')];

const explained = fields.filter(({ field }) => field.type !== 'collection');
const typed = fields.filter(({ field }) => field.type === 'string');

describe('the panel', () => {
	it.each(explained)('explains $title', ({ field }) => {
		expect(field.description).toMatch(/\w{3,}/);
		expect(field.description).not.toBe(field.displayName);
	});

	it.each(typed)('shows an example in $title', ({ field }) => {
		expect(field.placeholder).toMatch(/^e\.g\. \S/);
	});

	it.each([
		['Message', 'SMS Send > Message', '[opt-out-link]'],
		['Message', 'SMS Send Bulk > Message', '[unsub-reply-link]'],
		['parts', 'SMS Send > Message', '160 characters'],
		['sender names', 'SMS Send > Sender', '11 characters'],
		['sender names', 'SMS Send Bulk > From', '11 characters'],
		['addresses', 'Webhook Create > URL', 'https://'],
		['addresses', 'Webhook Update > URL', 'https://'],
	])('has a visible hint about %s in %s', (_about, wanted, words) => {
		expect(fields.find(({ title }) => title === wanted)?.field.hint).toContain(words);
	});
});
