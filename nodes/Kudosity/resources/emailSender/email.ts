import { field, type Field } from '../../fields/field';
import { emailAddress } from '../../fields/readers/email';
import { trimmedText } from '../../fields/readers/text';
import { refuse } from '../../fields/refusal';

/** The service takes an address, or a star in the place of its name. */
const readEmail = (value: unknown): string => {
	const text = trimmedText(value);
	const address = emailAddress(text.replace(/^\*@/, 'everybody@'));
	if (address.includes('*')) {
		return refuse('has a * where none can be', 'Use it for all of a domain only: *@example.com');
	}
	return text;
};

export const email = (description: string): Field<'email', string> =>
	field(
		{
			displayName: 'Email',
			name: 'email',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. sam@example.com',
			description,
		},
		readEmail,
	);
