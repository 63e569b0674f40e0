import { sendSms } from '../api/endpoints/sms';
import type { Json } from '../api/json';
import type { Service } from '../api/service';

/** A text of ours beside a question, e.g. its explanation. */
export type Said = { text: string; sender: string; recipient: string; reference: string };

export const sayBySms = async (
	{ call }: Service,
	{ text, reference, ...parties }: Said,
): Promise<Json> => await call(sendSms, { ...parties, message: text, message_ref: reference });
