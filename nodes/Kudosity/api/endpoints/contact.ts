import { z } from 'zod/v4';
import { read, replace, send, type AnswerOf } from '../endpoint';
import { anything, idString, ifPossible } from '../schemas/common.schema';

const connection = 'basic';
const method = 'POST';

/** Names of digits arrive as numbers; `fields` has the custom ones by their names. */
export const contactFields = () => ({
	list_id: ifPossible(idString),
	first_name: ifPossible(idString),
	last_name: ifPossible(idString),
	created_at: anything,
	status: anything,
	fields: anything,
});

const contactRecord = () => z.looseObject({ ...contactFields(), msisdn: idString });

const listIds = () => z.looseObject({ list_ids: ifPossible(z.array(idString)) });

/**
 * One that is in the list already is refused (KEY_EXISTS) or, by another page of the documents, left as it
 * is: twice comes to the same as once.
 */
export const addContact = replace({
	connection,
	method,
	path: '/add-to-list.json',
	answer: contactRecord,
});
export type Contact = AnswerOf<typeof addContact>;

/** What is left out stays as it is. */
export const editContact = replace({
	connection,
	method,
	path: '/edit-list-member.json',
	answer: contactRecord,
});

export const getContact = read({
	connection,
	method,
	path: '/get-contact.json',
	answer: contactRecord,
});

/** `list_id` 0, or none, means all lists. One that is gone is refused, so a repetition looks like a failure. */
export const deleteContact = send({ connection, path: '/delete-from-list.json', answer: listIds });

/** `list_id` 0, or none, means all lists. Repeated: an opt-out must not be lost. */
export const optOutContact = replace({
	connection,
	method,
	path: '/optout-list-member.json',
	answer: listIds,
});
