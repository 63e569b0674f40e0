import { z } from 'zod/v4';
import { anything, idString, ifPossible } from './common.schema';

/** The answer of the endpoints that wrap it in `data`: RCS, WhatsApp and senders. */
export const dataOf = <Schema extends z.ZodType>(schema: Schema) =>
	z.looseObject({ data: schema }).transform(({ data }) => data as z.output<Schema>);

/** A message of RCS or WhatsApp. The answer to a send has no status. */
export const chatMessage = () =>
	z.looseObject({
		id: idString,
		account_id: ifPossible(idString),
		sender: ifPossible(idString),
		recipient: ifPossible(idString),
	});

/** One in a list: nothing but the id is looked at, and that only to tell one message from another. */
export const listedChatMessage = () =>
	chatMessage().extend({ id: ifPossible(idString), status: anything });
