import { maybePhoneField, phoneField } from './recipient';

/** The person whose history is looked at. */
export const reportContact = phoneField({
	displayName: 'Contact',
	name: 'contact',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 61491570006',
	description: 'The phone number of the person',
});

export const onlyContact = maybePhoneField({
	displayName: 'Contact',
	name: 'contact',
	type: 'string',
	default: '',
	placeholder: 'e.g. 61491570006',
	description: 'Only messages to this phone number',
});
