import { z } from 'zod/v4';
import { messageParts } from '../../api/messageParts';
import {
	messageRef,
	phoneNumber,
	requiredText,
	senderAddress,
} from '../../api/schemas/input.schema';
import { booleanInput } from '../../api/schemas/recordInput.schema';
import { defineOperation } from '../../runtime/operation';
import { maxPartsInput, maxPartsOption, refuseTooManyParts } from './maxParts';
import { sendOptionInputs, sendOptionProperties } from './sendOptions';

/** POST /v2/sms: one message to one recipient for each item. */
export const send = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Send SMS',
	description:
		'Send a text message to one recipient. It costs money and cannot be taken back: not for tests, repeats or anybody who has opted out.',
	properties: [
		{
			displayName: 'Message',
			name: 'message',
			type: 'string',
			typeOptions: { rows: 4 },
			required: true,
			default: '',
			placeholder: 'e.g. Hi Sam, your order is ready. Opt out: [opt-out-link]',
			description:
				'The text to send. [opt-out-link] becomes a link by which the recipient can opt out. More than 160 characters (70 with emoji or other non-GSM characters) are sent, and paid, as several parts.',
			hint: 'One SMS holds 160 characters, or 70 with emoji. [opt-out-link] becomes an opt-out link.',
		},
		{
			displayName: 'Sender',
			name: 'sender',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 61491570110',
			description:
				'A number of your account, or a sender name of at most 11 characters. Recipients can only reply to a number.',
			hint: 'A number of your account, or a name of at most 11 characters',
		},
		{
			displayName: 'Recipient',
			name: 'recipient',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 61491570006',
			description:
				'The phone number to send to, in international format. Spaces, hyphens, dots, brackets and a leading + are fine.',
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [
				maxPartsOption,
				{
					displayName: 'Message Reference',
					name: 'messageRef',
					type: 'string',
					default: '',
					placeholder: 'e.g. order-1234',
					description:
						'Your own reference of at most 500 characters. It comes back in every event about this message.',
				},
				...sendOptionProperties,
				{
					displayName: 'Track Links',
					name: 'trackLinks',
					type: 'boolean',
					default: false,
					description:
						'Whether to replace links in the message by short ones and to raise an event when the recipient opens one',
				},
			],
		},
	],
	input: z
		.object({
			message: requiredText,
			sender: senderAddress,
			recipient: phoneNumber,
			options: z.object({
				maxParts: maxPartsInput,
				messageRef,
				...sendOptionInputs,
				trackLinks: booleanInput,
			}),
		})
		.superRefine(refuseTooManyParts),
	run: async ({ client, sendOnce }, { message, sender, recipient, options }) => {
		const { messageRef, trackLinks } = options;
		const request = { message, sender, recipient, messageRef, trackLinks };
		const { parts, encoding } = messageParts(message);
		return await sendOnce({ options, request }, async () => {
			const sms = await client.sms.send(request);
			return { ...sms, parts, encoding };
		});
	},
});
