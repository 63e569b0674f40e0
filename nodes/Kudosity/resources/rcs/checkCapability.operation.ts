import { checkRcsCapability, mostPhoneNumbers } from '../../api/endpoints/rcs';
import type { Field } from '../../fields/field';
import { recipients } from '../../fields/recipient';
import { refuse } from '../../fields/refusal';
import { defineOperation } from '../../runtime/operation';
import { agent } from './agent';

const phoneNumbers: Field<'phoneNumbers', string[]> = {
	...recipients,
	property: {
		displayName: 'Phone Numbers',
		name: 'phoneNumbers',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 61491570006, 61491570156',
		description: `One phone number, several separated by commas, or an expression that returns a list. At most ${mostPhoneNumbers}; up to 10 are answered fastest.`,
	},
	read: (value, scope) => {
		const { numbers, refused } = recipients.read(value, scope);
		const [wrong] = refused;
		if (wrong) {
			refuse(`at position ${wrong.position} ${wrong.reason}`, wrong.remedy, 'invalid_number');
		}
		return numbers.length <= mostPhoneNumbers
			? numbers
			: refuse(
					`has ${numbers.length} numbers, ${mostPhoneNumbers} are allowed`,
					`Split the list, so that each item has at most ${mostPhoneNumbers} numbers`,
				);
	},
};

/** POST /v2/rcs/capabilities: one item for each number, in their order. */
export const checkCapability = defineOperation({
	value: 'checkCapability',
	name: 'Check Capability',
	action: 'Check RCS capability',
	description:
		'Find out which phone numbers can take RCS messages now. Outputs one item for each, with code ENABLED where they can. Nothing is sent.',
	fields: [agent, phoneNumbers],
	run: async ({ call }, { sender, phoneNumbers }) =>
		await call(checkRcsCapability, { sender, phone_numbers: phoneNumbers }),
});
