import { z } from 'zod/v4';
import { messageParts } from '../../api/messageParts';
import { phoneNumberList, requiredText, senderAddress } from '../../api/schemas/input.schema';
import { defineOperation } from '../../runtime/operation';
import { maxPartsInput, maxPartsOption, refuseTooManyParts } from './maxParts';
import { sendOptionInputs, sendOptionProperties } from './sendOptions';

/** POST /send-sms.json: one message to up to 500 recipients for each item. */
export const sendBulk = defineOperation({
	value: 'sendBulk',
	name: 'Send Bulk',
	action: 'Send bulk SMS',
	description:
		'Send the same text message to up to 500 recipients in one request. Outputs one item for all of them: numbers that Kudosity did not take are listed in its fails. It costs money and cannot be taken back: not for tests, repeats or anybody who has opted out.',
	properties: [
		{
			displayName: 'Message',
			name: 'message',
			type: 'string',
			typeOptions: { rows: 4 },
			required: true,
			default: '',
			placeholder: 'e.g. Our shop is closed today. Opt out: [unsub-reply-link]',
			description:
				'The text to send, at most 612 characters. [unsub-reply-link] becomes a link by which the recipient can opt out. More than 160 characters (70 with emoji or other non-GSM characters) are sent, and paid, as several parts.',
			hint: 'One SMS holds 160 characters, or 70 with emoji. [unsub-reply-link] becomes an opt-out link.',
		},
		{
			displayName: 'To',
			name: 'to',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 61491570006, 61491570156',
			description:
				'One phone number, several separated by commas, or an expression that delivers a list. At most 500, in international format.',
		},
		{
			displayName: 'From',
			name: 'from',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 61491570110',
			description:
				'A number of your account, or a sender name of at most 11 characters without spaces. Recipients can only reply to a number.',
			hint: 'A number of your account, or a name of at most 11 characters without spaces',
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [maxPartsOption, ...sendOptionProperties],
		},
	],
	input: z
		.object({
			message: requiredText,
			to: phoneNumberList,
			from: senderAddress,
			options: z.object({ maxParts: maxPartsInput, ...sendOptionInputs }),
		})
		.superRefine(refuseTooManyParts),
	run: async ({ client, sendOnce }, { message, to, from, options }) => {
		const request = { message, to, from };
		const { parts, encoding } = messageParts(message);
		return await sendOnce({ options, request }, async () => {
			const bulkSms = await client.sms.sendBulk(request);
			return { ...bulkSms, parts, encoding };
		});
	},
});
