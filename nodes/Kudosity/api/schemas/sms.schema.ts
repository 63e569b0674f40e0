import { z } from 'zod/v4';
import { count, idString, withoutEnvelope } from './common.schema';

/** Answer of POST /v2/sms: flat; `sms_count` arrives as a string. */
export const smsSchema = z.looseObject({
	id: idString,
	sms_count: count.optional(),
});
export type Sms = z.infer<typeof smsSchema>;

/** Answer of POST /send-sms.json. Numbers that it did not take are listed in `fails`. */
export const bulkSmsSchema = z
	.looseObject({
		message_id: idString,
		recipients: count.optional(),
		sms: count.optional(),
		list: z.looseObject({ id: idString }).optional(),
		fails: z.array(idString).optional(),
		error: z.unknown(),
	})
	.transform(withoutEnvelope);
export type BulkSms = z.infer<typeof bulkSmsSchema>;
