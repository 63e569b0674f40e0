import type { Field, Read } from './field';

export type Shown<Name extends string> = {
	displayName: string;
	name: Name;
	/** What it is, in lower case. */
	noun: string;
	/** One of the node's list searches. */
	searchListMethod: string;
	/** An example of the value, beginning with e.g. */
	placeholder: string;
	description: string;
	hint?: string;
	/** How the value is called where it is typed in. */
	by?: 'ID' | 'Number' | 'Number or Name' | 'Sender';
	/** Where the list cannot have everything. */
	isTypedFirst?: boolean;
};

/** A record chosen from a list, or by its value. Top level only: n8n extracts nothing inside of collections. */
export const resourceLocator = <const Name extends string, Value>(
	shown: Shown<Name>,
	read: Read<Value>,
): Field<Name, Value> => {
	const { noun, searchListMethod, placeholder, by = 'ID', isTypedFirst, ...property } = shown;
	return {
		property: {
			...property,
			type: 'resourceLocator',
			required: true,
			default: { mode: isTypedFirst ? 'id' : 'list', value: '' },
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					placeholder: `Select a ${noun}...`,
					typeOptions: { searchListMethod, searchable: true },
				},
				{ displayName: `By ${by}`, name: 'id', type: 'string', placeholder },
			],
		},
		read,
	};
};
