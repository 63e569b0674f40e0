import type { INodeProperties } from 'n8n-workflow';
import { markdownTable } from './markdownTable.ts';

/** The options of a trigger. */
export const triggerOptionsTable = (properties: INodeProperties[]): string => {
	const options = properties
		.filter(({ type, name }) => type === 'collection' && name !== 'filters')
		.flatMap(({ options: inside = [] }) => inside as INodeProperties[]);
	return markdownTable(
		['Option', 'What it does'],
		options.map(({ displayName, description = '' }) => [displayName, description]),
	);
};
