import { getRegistrations, registrationStatuses } from '../../api/endpoints/sender';
import { filters } from '../../fields/collection';
import { field, type Field } from '../../fields/field';
import { limitOf, listing } from '../../fields/listing';
import { anyOf } from '../../fields/readers/choice';
import { senderAddress } from '../../fields/readers/phone';
import { optional } from '../../fields/readers/text';
import { defineOperation } from '../../runtime/operation';

const sender: Field<'sender', string | undefined> = {
	...field(
		{
			displayName: 'Sender',
			name: 'sender',
			type: 'string',
			default: '',
			placeholder: 'e.g. Acme',
			description: 'Only registrations of this number or sender name',
		},
		optional(senderAddress),
	),
	takesPhoneNumbers: true,
};

const status = field(
	{
		displayName: 'Status',
		name: 'status',
		type: 'multiOptions',
		options: [
			{ name: 'Cancelled', value: 'CANCELLED' },
			{ name: 'Pending Approval', value: 'PENDING_APPROVAL' },
			{ name: 'Rejected', value: 'REJECTED' },
			{ name: 'Verified', value: 'VERIFIED' },
		],
		default: [],
		description: 'Only registrations with one of these statuses',
	},
	anyOf(registrationStatuses),
);

/** GET /v2/senders/registrations: one item for each registration. */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many senders',
	description:
		'List the sender names and mobile numbers that were registered, with their status. Leased numbers are listed by Number → Get Many.',
	fields: [...listing, filters(sender, status)],
	run: ({ list }, { filters: { sender, status = [] }, ...input }) => {
		const query = { sender, status: status.length > 0 ? status : undefined };
		return list(getRegistrations, query, limitOf(input));
	},
});
