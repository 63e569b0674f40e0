import { z } from 'zod/v4';
import { numberedPageSchema } from '../numberedPages';
import { count, idString } from './common.schema';

/** A contact list. Names that consist of digits arrive as numbers; `fields` is [] or an object by slot. */
export const contactListSchema = z.looseObject({
	id: idString,
	name: idString.nullish(),
	members_active: count.optional(),
	members_total: count.optional(),
});
export type ContactList = z.infer<typeof contactListSchema>;

/** A page of GET /get-lists.json; `lists` can be absent when there are none. */
export const listPageSchema = numberedPageSchema
	.extend({ lists: z.array(contactListSchema).nullish(), lists_total: count.optional() })
	.transform(({ page, lists, lists_total: total }) => ({ page, records: lists ?? [], total }));
