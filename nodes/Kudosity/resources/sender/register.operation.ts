import { registerSender } from '../../api/endpoints/sender';
import { country } from '../../fields/country';
import { phoneField } from '../../fields/recipient';
import { defineOperation } from '../../runtime/operation';

const sender = phoneField({
	displayName: 'Sender',
	name: 'sender',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 61491570156',
	description: 'Your own mobile number to send from. Its holder receives a code.',
});

/** POST /v2/senders/registrations. */
export const register = defineOperation({
	value: 'register',
	name: 'Register',
	action: 'Register sender',
	description:
		'Register your own mobile number as a sender. It can be used once its code is confirmed, see Request Verification; the same number can be registered again only after 30 minutes.',
	fields: [sender, country('The country of the number')],
	once: true,
	run: async ({ call }, { sender, country }) =>
		await call(registerSender, { sender, country, type: 'PERSONAL_MOBILE_NUMBER' }),
});
