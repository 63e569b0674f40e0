import { confirmVerification as endpoint } from '../../api/endpoints/sender';
import { field } from '../../fields/field';
import { requiredText } from '../../fields/readers/text';
import { refuse } from '../../fields/refusal';
import { defineOperation } from '../../runtime/operation';
import { registrationId } from './registrationId';

/** A wrong code costs one of five attempts, so what cannot be one is not sent. */
const readCode = (value: unknown): string => {
	const code = requiredText(value).replace(/\s/g, '');
	return /^\d{6}$/.test(code)
		? code
		: refuse('is not a code of 6 digits', 'Use the code as text, with zeros at its beginning');
};

const code = field(
	{
		displayName: 'Code',
		name: 'code',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 012345',
		description: 'The 6 digits sent to the number',
	},
	readCode,
);

/** POST /v2/senders/registrations/{registration_id}/verifications/confirmation. */
export const confirmVerification = defineOperation({
	value: 'confirmVerification',
	name: 'Confirm Verification',
	action: 'Confirm verification of sender',
	description:
		'Confirm a registered number with the code that it received. There are five attempts: a code must not be guessed.',
	fields: [registrationId, code],
	once: 'evenIfRefused',
	run: async ({ call }, { registrationId, code }) =>
		await call(endpoint, { registration_id: registrationId, code }),
});
