import { z } from 'zod/v4';
import { anything, count, idString, ifPossible, withoutEnvelope } from './common.schema';

/** Answer of POST /v2/sms: flat; `sms_count` arrives as a string. */
export const smsSchema = z.looseObject({
	id: idString,
	sms_count: ifPossible(count),
});
export type Sms = z.infer<typeof smsSchema>;

/** Answer of POST /send-sms.json. Numbers that it did not take are listed in `fails`. */
export const bulkSmsSchema = z
	.looseObject({
		message_id: idString,
		recipients: ifPossible(count),
		sms: ifPossible(count),
		list: ifPossible(z.looseObject({ id: idString })),
		fails: ifPossible(z.array(idString)),
		error: anything,
	})
	.transform(withoutEnvelope);
export type BulkSms = z.infer<typeof bulkSmsSchema>;
