import type { INodeProperties } from 'n8n-workflow';
import { isJson } from '../lib/json';
import { byName } from '../lib/text';
import { type Field, field, type InputOf, type Read, readFields, refuse, textField } from './field';
import { trimmedText, trueOrFalse } from './readers';

export function inOrder(fields: readonly Field[]): INodeProperties[] {
	return fields
		.map(({ property }) => ({ name: property.displayName, property }))
		.sort(byName)
		.map(({ property }) => property);
}

export type Shown<Name extends string> = { name: Name } & Pick<
	INodeProperties,
	'displayName' | 'placeholder' | 'description'
>;

/** Fields that the user adds one by one, sorted by display name. */
export function collection<const Name extends string, const Fields extends readonly Field[]>(
	fields: Fields,
	property: Shown<Name>,
): Field<Name, InputOf<Fields>> {
	return {
		property: { ...property, type: 'collection', default: {}, options: inOrder(fields) },
		fields,
		takesPhoneNumbers: fields.some(({ takesPhoneNumbers }) => takesPhoneNumbers),
		read: (value, scope) => {
			const values = value ?? {};
			if (!isJson(values)) {
				return refuse('is not a set of fields', 'Add its fields one by one, or leave it empty');
			}
			return readFields(fields, values, scope, `${property.displayName} > `);
		},
	};
}

export function options<const Fields extends readonly Field[]>(...fields: Fields) {
	return collection(fields, { displayName: 'Options', name: 'options', placeholder: 'Add option' });
}

export function sendingLimits<const Fields extends readonly Field[]>(...fields: Fields) {
	return collection(fields, {
		displayName: 'Sending Limits',
		name: 'limits',
		placeholder: 'Add limit',
	});
}

export function filters<const Fields extends readonly Field[]>(...fields: Fields) {
	return collection(fields, { displayName: 'Filters', name: 'filters', placeholder: 'Add filter' });
}

/** Repeatable rows with the same fields. n8n stores them as `{ values: [...] }`. */
export function fixedCollection<const Name extends string, const Fields extends readonly Field[]>(
	fields: Fields,
	{ row, ...property }: Shown<Name> & { row: string },
): Field<Name, Array<InputOf<Fields>>> {
	const rows = { displayName: row, name: 'values', values: fields.map((each) => each.property) };
	return {
		property: {
			...property,
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			default: {},
			options: [rows],
		},
		takesPhoneNumbers: fields.some(({ takesPhoneNumbers }) => takesPhoneNumbers),
		read: (value, scope) => {
			const stored = value ?? {};
			const found = isJson(stored) ? [stored.values ?? []].flat() : [stored];
			return found.map((each, index) =>
				isJson(each)
					? readFields(fields, each, scope, `${property.displayName} ${index + 1} > `)
					: refuse('is not a set of rows', 'Add its rows one by one, or leave it empty'),
			);
		},
	};
}

export function nameField<const Name extends string>(shown: Shown<Name>): Field<Name, string> {
	return textField(trimmedText, { ...shown, required: true });
}

/** A switch that is off unless `default` says otherwise. */
export function switchField<const Name extends string>(
	shown: Shown<Name> & { default?: boolean },
): Field<Name, boolean | undefined> {
	return field(trueOrFalse, { type: 'boolean', default: false, ...shown });
}

export type ShownLocator<Name extends string> = {
	displayName: string;
	name: Name;
	/** The kind of record in lower case, for "Select a …". */
	noun: string;
	searchListMethod: string;
	/** The placeholder. It must begin with "e.g.". */
	placeholder: string;
	description: string;
	/** The label of the mode in which the value is typed in. n8n shows only its first seven characters. */
	by?: 'By ID' | 'Number' | 'Manual';
	/** Whether typing is the default mode, for lists that may be incomplete. */
	isTypedFirst?: boolean;
};

/**
 * A record that is selected from a list or typed in. This field can't be in a collection, because n8n would return the
 * whole locator object instead of its value.
 */
export function resourceLocator<const Name extends string, Value>(
	read: Read<Value>,
	shown: ShownLocator<Name>,
): Field<Name, Value> {
	const { noun, searchListMethod, placeholder, by = 'By ID', isTypedFirst, ...property } = shown;
	// n8n labels a mode named `id` as "By ID", whatever its display name is.
	const typed = by === 'By ID' ? 'id' : 'number';
	return field(read, {
		...property,
		type: 'resourceLocator',
		required: true,
		default: { mode: isTypedFirst ? typed : 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${noun}...`,
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: by, name: typed, type: 'string', placeholder },
		],
	});
}
