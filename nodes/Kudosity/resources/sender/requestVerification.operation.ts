import { requestVerification as endpoint } from '../../api/endpoints/sender';
import type { Field } from '../../fields/field';
import { senderField } from '../../fields/sender';
import { defineOperation } from '../../runtime/operation';
import { registrationId } from './registrationId';

const base = senderField({
	displayName: 'Originating Sender',
	placeholder: 'e.g. 61491570006',
	description: 'The number of your account, or its verified sender, that sends the code',
	hint: undefined,
});

const originatingSender: Field<'originatingSender', string> = {
	...base,
	property: { ...base.property, name: 'originatingSender' },
};

/** POST /v2/senders/registrations/{registration_id}/verifications. */
export const requestVerification = defineOperation({
	value: 'requestVerification',
	name: 'Request Verification',
	action: 'Request verification of sender',
	description:
		'Send a code by SMS to the number of a registration. The code is valid for 30 minutes, and there is only one for each registration.',
	fields: [registrationId, originatingSender],
	once: true,
	run: async ({ call }, { registrationId, originatingSender }) =>
		await call(endpoint, {
			registration_id: registrationId,
			method: 'SMS',
			originating_sender: originatingSender,
		}),
});
