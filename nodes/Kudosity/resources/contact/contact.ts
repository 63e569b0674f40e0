import { phoneField } from '../../fields/recipient';

export const contact = phoneField({
	displayName: 'Contact',
	name: 'contact',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 61491570006',
	description:
		'The phone number of the contact, with its country code, or without one where Default Country is set. Spaces, hyphens, dots, brackets and a leading + are fine.',
});
