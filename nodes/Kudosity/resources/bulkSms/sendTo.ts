import { field, shownWhen } from '../../fields/field';
import { listId } from '../../fields/listId';
import { recipients } from '../../fields/recipient';
import { oneOf } from '../../fields/readers/choice';

const sendTo = field(
	{
		displayName: 'Send To',
		name: 'sendTo',
		type: 'options',
		options: [
			{
				name: 'Contact List',
				value: 'list',
				description: 'All active contacts of a list, however many there are',
			},
			{ name: 'Recipients', value: 'recipients', description: 'The phone numbers that you enter' },
		],
		default: 'recipients',
		description: 'Who gets the message',
	},
	oneOf(['list', 'recipients']),
);

/** Who gets a bulk SMS: either numbers, or a contact list. */
export const receivers = [
	sendTo,
	shownWhen({ sendTo: ['recipients'] }, recipients),
	shownWhen({ sendTo: ['list'] }, listId),
] as const;
