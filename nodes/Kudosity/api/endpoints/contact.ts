import { z } from 'zod/v4';
import { type AnswerOf, anything, idString, ifPossible, read, replace, send } from '../endpoint';
import { ApiError } from '../errors';
import type { Service } from '../service';
import type { Clock } from '../../lib/async';
import { dayMs, parseV1Time } from '../../lib/time';

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
	method,
	path: '/add-to-list.json',
	answer: contactRecord,
});
export type Contact = AnswerOf<typeof addContact>;

/** What is left out stays as it is. */
export const editContact = replace({
	method,
	path: '/edit-list-member.json',
	answer: contactRecord,
});

export const getContact = read({
	method,
	path: '/get-contact.json',
	answer: contactRecord,
});

/** `list_id` 0, or none, means all lists. One that is gone is refused, so a repetition looks like a failure. */
export const deleteContact = send({ path: '/delete-from-list.json', answer: listIds });

/** `list_id` 0, or none, means all lists. Repeated: an opt-out must not be lost. */
export const optOutContact = replace({
	method,
	path: '/optout-list-member.json',
	answer: listIds,
});

/** What the contact is to have; what is left out stays as it is. */
type Wanted = {
	firstName?: string;
	lastName?: string;
	/** By their names, as answers have them. */
	customFields: Array<{ name: string; value?: string }>;
};

/** A day leaves room for clocks that differ, and for a time that is not UTC after all. */
const isFresh = ({ created_at: createdAt }: Contact, nowMs: number): boolean =>
	parseV1Time(String(createdAt)) > nowMs - dayMs;

/** Text that looks like a number comes back as one: `0800` as 800. */
const isSame = (given: unknown, wanted: string | undefined): boolean =>
	wanted === undefined ||
	given === wanted ||
	(typeof given === 'number' && given === Number(wanted));

const customValue = (fields: unknown, name: string): unknown => {
	const values = Object.entries((fields ?? {}) as Record<string, unknown>);
	return values.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
};

/**
 * Whether an answer to "add" means that the contact was added as it should be. One that was in the list
 * already may be answered with a success, and left as it is.
 */
const isAdded = (contact: Contact, wanted: Wanted, nowMs: number): boolean =>
	isFresh(contact, nowMs) &&
	isSame(contact.first_name, wanted.firstName) &&
	isSame(contact.last_name, wanted.lastName) &&
	wanted.customFields.every(({ name, value }) => isSame(customValue(contact.fields, name), value));

type Asked = {
	id: { list_id: string; msisdn: string };
	wanted: Wanted;
	/** The same by slot, as requests have them. */
	values: Record<string, string>;
};

const isThere = (error: unknown): boolean =>
	error instanceof ApiError && error.fields.code === 'KEY_EXISTS';

/** The contact as it was added; undefined where it was there, and may have kept other values. */
const tryToAdd = async (
	{ call, clock }: Service & { clock: Clock },
	{ id, wanted, values }: Asked,
): Promise<Contact | undefined> => {
	const adding = call(addContact, { ...id, ...values });
	const added = await adding.catch((error: unknown) => {
		if (isThere(error)) return undefined;
		throw error;
	});
	return added && isAdded(added, wanted, clock.calendarNow()) ? added : undefined;
};

/**
 * The contact with the wanted values. Adds first: whoever has opted out or was deleted is refused there, and
 * is not brought back by a change.
 */
export const upsertContact = async (
	services: Service & { clock: Clock },
	asked: Asked,
): Promise<Contact> => {
	const added = await tryToAdd(services, asked);
	if (added) return added;
	const isChange = Object.keys(asked.values).length > 0;
	return await services.call(isChange ? editContact : getContact, { ...asked.id, ...asked.values });
};
