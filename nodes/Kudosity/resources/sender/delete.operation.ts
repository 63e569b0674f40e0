import { deleteSender as endpoint } from '../../api/endpoints/sender';
import type { Field } from '../../fields/field';
import { phoneNumber } from '../../fields/readers/phone';
import { resourceLocator } from '../../fields/resourceLocator';
import { defineOperation } from '../../runtime/operation';

const sender: Field<'sender', string> = {
	...resourceLocator(
		{
			displayName: 'Sender',
			name: 'sender',
			noun: 'sender',
			searchListMethod: 'searchRegisteredNumbers',
			placeholder: 'e.g. 61491570156',
			description: 'A mobile number that was registered and verified. Names cannot be deleted.',
			by: 'Sender',
		},
		phoneNumber,
	),
	takesPhoneNumbers: true,
};

/** DELETE /v2/senders/phone-numbers/{phone_number}. `delete` itself is a reserved word. */
export const deleteSender = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete sender',
	description:
		'Remove a registered mobile number permanently. Nothing can be sent from it until it is registered and verified again.',
	fields: [sender],
	once: true,
	run: async ({ call }, { sender }) => {
		await call(endpoint, { phone_number: sender });
		return { deleted: true, id: sender };
	},
});
