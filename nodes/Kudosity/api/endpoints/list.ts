import { z } from 'zod/v4';
import { read, replace, send, type AnswerOf, type ItemOf } from '../endpoint';
import { numberedList } from '../lists';
import { anything, count, idString, ifPossible, textOrNone } from '../schemas/common.schema';
import { contactFields } from './contact';

const connection = 'basic';
const method = 'POST';

/** Names that consist of digits arrive as numbers; `fields` is [] or an object by slot. */
const listRecord = () =>
	z.looseObject({
		id: ifPossible(idString),
		name: ifPossible(idString),
		members_active: ifPossible(count),
		members_total: ifPossible(count),
		fields: anything,
	});

export const getLists = numberedList({
	path: '/get-lists.json',
	records: 'lists',
	total: 'lists_total',
	record: listRecord,
	identify: ({ id }) => textOrNone(id),
});
export type ContactList = ItemOf<typeof getLists>;

const path = '/get-list.json';

/** With `members: none` only the list itself, otherwise together with a page of its contacts. */
export const getList = read({ connection, method, path, answer: listRecord });

const contactsOfList = (total: string) =>
	numberedList({
		path,
		method,
		records: 'members',
		total,
		record: () => z.looseObject({ ...contactFields(), msisdn: ifPossible(idString) }),
		// A number can be there twice: deleted, and added again.
		identify: ({ msisdn, status, created_at: createdAt }) =>
			textOrNone(msisdn) && `${String(msisdn)} ${String(status)} ${String(createdAt)}`,
	});

/** Which contacts; `inactive` are those that were deleted or have opted out. */
export const contactStatuses = ['active', 'inactive'] as const;

/** `members_total` counts every contact, whatever `members` asks for: of those it may say too many. */
export const getContactsOfList = contactsOfList('members_total');

/** With `members: active`: somebody who opts out meanwhile moves all others up. */
export const getActiveContacts = contactsOfList('members_active');

/** The name is unique in the account. */
export const createList = send({ connection, path: '/add-list.json', answer: listRecord });

/** Together with its contacts. */
export const deleteList = send({
	connection,
	path: '/remove-list.json',
	answer: () => z.looseObject({}),
});

/** The name goes to a slot, `field_1` to `field_10`: another name that is there is replaced. */
export const nameCustomField = replace({
	connection,
	method,
	path: '/add-field-to-list.json',
	answer: () => z.looseObject({}),
});

/** The answer only says that the import was accepted. */
export const importContacts = send({
	connection,
	path: '/add-contacts-bulk.json',
	answer: () => z.looseObject({ list_id: idString }),
});

/** `status` is `in progress`, `completed` or `failed`. */
export const getImport = read({
	connection,
	method,
	path: '/add-contacts-bulk-progress.json',
	answer: () =>
		z.looseObject({
			list_id: ifPossible(idString),
			status: anything,
			importlength: ifPossible(count),
			completed: ifPossible(count),
			duplicates: ifPossible(count),
			skipped: ifPossible(count),
			optout: ifPossible(count),
			imported: ifPossible(count),
		}),
});
export type Import = AnswerOf<typeof getImport>;
