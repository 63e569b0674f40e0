import type { INodeProperties } from 'n8n-workflow';
import { isJson } from '../api/json';
import { byName } from './byName';
import { readFields, type Field, type InputOf } from './field';
import { refuse } from './refusal';

export const inOrder = (fields: readonly Field[]): INodeProperties[] =>
	fields
		.map(({ property }) => ({ name: property.displayName, property }))
		.sort(byName)
		.map(({ property }) => property);

/** Fields that the user adds one by one; n8n shows them in the order of their names. */
export const collection = <const Name extends string, const Fields extends readonly Field[]>(
	property: { name: Name } & Pick<INodeProperties, 'displayName' | 'placeholder' | 'description'>,
	fields: Fields,
): Field<Name, InputOf<Fields>> => ({
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
});

export const options = <const Fields extends readonly Field[]>(...fields: Fields) =>
	collection({ displayName: 'Options', name: 'options', placeholder: 'Add option' }, fields);

export const filters = <const Fields extends readonly Field[]>(...fields: Fields) =>
	collection({ displayName: 'Filters', name: 'filters', placeholder: 'Add filter' }, fields);
