import type { INodeProperties } from 'n8n-workflow';
import { isJson } from '../api/json';
import { readFields, type Field, type InputOf } from './field';
import { refuse } from './refusal';

type Shown<Name extends string> = { name: Name } & Pick<
	INodeProperties,
	'displayName' | 'placeholder' | 'description'
>;

const remedy = 'Add its rows one by one, or leave it empty';

/** Rows of the same fields, which the user adds one by one. n8n stores them as `{ values: [...] }`. */
export const fixedCollection = <const Name extends string, const Fields extends readonly Field[]>(
	{ row, ...property }: Shown<Name> & { row: string },
	fields: Fields,
): Field<Name, Array<InputOf<Fields>>> => {
	const rows = { displayName: row, name: 'values', values: fields.map((each) => each.property) };
	const readRow = (value: unknown, index: number, scope: Parameters<Field['read']>[1]) =>
		isJson(value)
			? readFields(fields, value, scope, `${property.displayName} ${index + 1} > `)
			: refuse('is not a set of rows', remedy);
	return {
		property: {
			...property,
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			default: {},
			options: [rows],
		},
		fields: [
			{
				property: { ...property, name: 'values', type: 'collection', default: {} },
				fields,
				read: () => undefined,
			},
		],
		takesPhoneNumbers: fields.some(({ takesPhoneNumbers }) => takesPhoneNumbers),
		read: (value, scope) => {
			const stored = value ?? {};
			if (!isJson(stored)) return refuse('is not a set of rows', remedy);
			return [stored.values ?? []].flat().map((each, index) => readRow(each, index, scope));
		},
	};
};
