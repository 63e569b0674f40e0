import { field } from '../../fields/field';
import { numberId } from '../../fields/readers/text';

export const messageId = field(
	{
		displayName: 'Message ID',
		name: 'messageId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 339683245',
		description: 'The ID that Kudosity gave the message when it was sent, its message_id',
	},
	numberId(
		'a bulk SMS',
		'Use the message_id that Bulk SMS → Send returned, a number like 339683245',
	),
);
