import { InputError } from '../api/errors';
import { field, type InputOf } from './field';
import { smsText } from './message';
import { senderAddress } from './readers/phone';
import { optional } from './readers/text';

const smsFallbackMessage = field(
	{
		displayName: 'SMS Fallback Message',
		name: 'smsFallbackMessage',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		placeholder: 'e.g. Hi Sam, your order is ready',
		description:
			'The text to send as SMS when the message does not reach the recipient. The SMS is charged as well.',
	},
	optional(smsText),
);

const smsFallbackSender = field(
	{
		displayName: 'SMS Fallback Sender',
		name: 'smsFallbackSender',
		type: 'string',
		default: '',
		placeholder: 'e.g. 61491570110',
		description:
			'What the fallback SMS is sent from: a number of your account, or a sender name of at most 11 characters',
	},
	optional(senderAddress),
);

/** An SMS in place of a message that was not delivered; `smsFallbackOf` checks the two together. */
export const smsFallback = [smsFallbackMessage, smsFallbackSender] as const;

/**
 * What the service takes as `sms_fallback`; undefined where none is wanted.
 *
 * @throws InputError before any request, when there is a sender and no text
 */
export const smsFallbackOf = (options: InputOf<typeof smsFallback>) => {
	const { smsFallbackMessage: message, smsFallbackSender: sender } = options;
	if (message !== undefined) return { message, sender };
	if (sender === undefined) return undefined;
	throw new InputError(
		"'Options > SMS Fallback Message' is empty",
		'Enter the text of the SMS, or remove SMS Fallback Sender',
	);
};

/** Where the answer to the SMS goes, as far as it is known. */
export const fallbackSendersOf = ({
	smsFallbackMessage,
	smsFallbackSender,
}: InputOf<typeof smsFallback>): string[] =>
	smsFallbackMessage !== undefined && smsFallbackSender !== undefined ? [smsFallbackSender] : [];
