import { field } from '../../fields/field';
import { atMostLong, requiredText } from '../../fields/readers/text';

const longestMessage = 3072;

export const message = field(
	{
		displayName: 'Message',
		name: 'message',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. Hi Sam, your order is ready',
		description: `The text to send, at most ${longestMessage} characters, emoji included`,
	},
	(value) => atMostLong(longestMessage)(requiredText(value)),
);

/** As the service wants it. */
export const textContent = (text: string) => ({
	content_type: 'text',
	content: { text: { message: text } },
});
