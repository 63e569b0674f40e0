import type { INodeProperties } from 'n8n-workflow';
import { field, type Field } from './field';
import { trimmedText } from './readers/text';

type Shown<Name extends string> = { name: Name } & Pick<
	INodeProperties,
	'displayName' | 'placeholder' | 'description'
>;

/** A field for a name that has to be there. */
export const nameField = <const Name extends string>(shown: Shown<Name>): Field<Name, string> =>
	field({ ...shown, type: 'string', required: true, default: '' }, trimmedText);
