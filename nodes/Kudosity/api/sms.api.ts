import { requestJson } from './request';
import { bulkSmsSchema, smsSchema, type BulkSms, type Sms } from './schemas/sms.schema';
import type { Transport } from './transport';

export type SmsToSend = {
	message: string;
	sender: string;
	recipient: string;
	/** At most 500 characters; comes back in every event about the message. */
	messageRef?: string;
	trackLinks?: boolean;
};

export type BulkSmsToSend = {
	message: string;
	from: string;
	/** 1 to 500 numbers, digits only. */
	to: string[];
};

/** The two ways to send a text message. Neither knows an idempotency key, so neither may be repeated. */
export const createSmsApi = (transport: Transport) => ({
	/** POST /v2/sms: one recipient. */
	send: async ({ message, sender, recipient, messageRef, trackLinks }: SmsToSend): Promise<Sms> =>
		await requestJson(
			transport,
			{
				connection: 'key',
				method: 'POST',
				path: '/v2/sms',
				json: {
					message,
					sender,
					recipient,
					...(messageRef === undefined ? {} : { message_ref: messageRef }),
					...(trackLinks === undefined ? {} : { track_links: trackLinks }),
				},
				repeatable: false,
			},
			smsSchema,
		),

	/** POST /send-sms.json: up to 500 recipients in one call. */
	sendBulk: async ({ message, from, to }: BulkSmsToSend): Promise<BulkSms> =>
		await requestJson(
			transport,
			{
				connection: 'basic',
				method: 'POST',
				path: '/send-sms.json',
				form: { message, to: to.join(','), from },
				repeatable: false,
			},
			bulkSmsSchema,
		),
});
