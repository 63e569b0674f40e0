import { field } from '../../fields/field';
import { recordId } from '../../fields/readers/text';

export const registrationId = field(
	{
		displayName: 'Registration ID',
		name: 'registrationId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 7b1b2a0e-5f0a-4c53-9d0a-0d2f7b1a9c11',
		description: 'The ID of the registration, as Register and Get Many give it',
	},
	recordId,
);
