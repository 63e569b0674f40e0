import { field } from './field';
import { recordId } from './readers/text';

export const messageId = field(
	{
		displayName: 'Message ID',
		name: 'messageId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 6fdae71c-dad7-4c36-9734-a69693ecf3b4',
		description: 'The ID that Kudosity gave the message when it was sent',
	},
	recordId,
);
