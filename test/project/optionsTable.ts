import type { INodeProperties } from 'n8n-workflow';
import type { Resource } from '../../nodes/Kudosity/fields/operation.ts';
import { markdownTable } from './markdownTable.ts';

type Row = { collection: string; name: string; description: string; where: string[] };

const inCollections = (properties: INodeProperties[]) =>
	properties
		.filter(({ type, name }) => type === 'collection' && name !== 'filters')
		.flatMap(({ displayName, options = [] }) =>
			(options as INodeProperties[]).map((option) => ({
				collection: displayName,
				name: option.displayName,
				description: option.description ?? '',
			})),
		);

/** Those with a dry run are the sends. */
const isSend = (properties: INodeProperties[]): boolean =>
	inCollections(properties).some(({ name }) => name === 'Dry Run');

/** Each option of the operations once, with where it is; those that most operations share come first. */
export const optionsTable = (resources: Resource[]): string => {
	const operations = resources.flatMap((resource) =>
		resource.operations.map(({ name, properties }) => ({
			title: `${resource.name} → ${name}`,
			properties,
		})),
	);
	const sends = operations.filter(({ properties }) => isSend(properties)).map(({ title }) => title);
	const whereOf = (titles: string[]): string => {
		const missing = sends.filter((title) => !titles.includes(title));
		if (titles.length === sends.length && missing.length === 0) return 'Every send';
		return titles.length > 4 && missing.length === sends.length - titles.length
			? `Every send but ${missing.join(', ')}`
			: titles.join(', ');
	};
	const rows = new Map<string, Row>();
	for (const { title, properties } of operations) {
		for (const option of inCollections(properties)) {
			const key = JSON.stringify(option);
			const row = rows.get(key) ?? { ...option, where: [] };
			row.where.push(title);
			rows.set(key, row);
		}
	}
	return markdownTable(
		['In', 'Option', 'Where', 'What it does'],
		[...rows.values()]
			.toSorted((a, b) => b.where.length - a.where.length)
			.map(({ collection, name, description, where }) => [
				collection,
				name,
				whereOf(where),
				description,
			]),
	);
};

/** The options of a trigger. */
export const triggerOptionsTable = (properties: INodeProperties[]): string =>
	markdownTable(
		['Option', 'What it does'],
		inCollections(properties).map(({ name, description }) => [name, description]),
	);
