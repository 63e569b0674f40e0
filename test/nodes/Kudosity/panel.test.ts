import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { resources, properties as triggerProperties } from '../../seams.ts';

type Field = { title: string; field: INodeProperties };

const fieldsIn = ({ type, options = [] }: INodeProperties): INodeProperties[] => {
	if (type === 'collection') return options as INodeProperties[];
	if (type !== 'fixedCollection') return [];
	return (options as INodePropertyCollection[]).flatMap(({ values }) => values);
};

/** Fields with those inside of collections. */
const allFields = (fields: INodeProperties[], place: string): Field[] =>
	fields.flatMap((field) => {
		const title = `${place} > ${field.displayName}`;
		return [{ title, field }, ...allFields(fieldsIn(field), title)];
	});

const actionFields = resources.flatMap(({ name, operations }) =>
	operations.flatMap((operation) => allFields(operation.properties, `${name} ${operation.name}`)),
);
const fields = [...actionFields, ...allFields(triggerProperties, 'Trigger')];

const explained = fields.filter(({ field }) => field.type !== 'collection');
const ends = fields.filter(({ field }) => field.displayName === 'End Date');
const typed = fields.filter(({ field }) => field.type === 'string');

describe('the panel', () => {
	it.each(explained)('explains $title', ({ field }) => {
		expect(field.description).toMatch(/\w{3,}/);
		expect(field.description).not.toBe(field.displayName);
	});

	it.each(typed)('shows an example in $title', ({ field }) => {
		expect(field.placeholder).toMatch(/^e\.g\. \S/);
	});

	it.each(ends)('says in $title what a date without a time is', ({ field }) => {
		expect(field.description).toContain('A date without a time is the beginning of that day.');
	});

	it.each([
		['Message', 'SMS Send > Message', '[opt-out-link]'],
		['Message', 'Bulk SMS Send > Message', '[opt-out-link]'],
		['parts', 'SMS Send > Message', '160 characters'],
		['sender names', 'SMS Send > Sender', '11 characters'],
		['sender names', 'Bulk SMS Send > Sender', '11 characters'],
		['addresses', 'Webhook Create > URL', 'https://'],
		['addresses', 'Webhook Update > URL', 'https://'],
	])('has a visible hint about %s in %s', (_about, wanted, words) => {
		expect(fields.find(({ title }) => title === wanted)?.field.hint).toContain(words);
	});
});
