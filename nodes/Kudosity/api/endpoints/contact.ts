import { z } from 'zod/v4';
import {
	type AnswerOf,
	anything,
	idString,
	ifPossible,
	read,
	replace,
	send,
	textDetails,
} from '../endpoint';
import { ApiError } from '../errors';
import type { TimedService } from '../service';
import { dayMs, parseV1Time } from '../../lib/time';

const method = 'POST';

/**
 * The fields of a contact. The service sends names that consist of digits as numbers, which are converted to strings.
 * `fields` has the custom fields, keyed by name.
 */
export function contactFields() {
	return {
		...textDetails('list_id', 'first_name', 'last_name'),
		created_at: anything,
		status: anything,
		fields: anything,
	};
}

function contactRecord() {
	return z.looseObject({ ...contactFields(), msisdn: idString });
}

function listIds() {
	return z.looseObject({ list_ids: ifPossible(z.array(idString)) });
}

/**
 * Adds a contact. If the contact is already in the list, the service rejects the request (KEY_EXISTS) or, according to
 * another page of its documentation, leaves the contact unchanged.
 */
export const addContact = replace({ method, path: '/add-to-list.json', answer: contactRecord });
export type Contact = AnswerOf<typeof addContact>;

/** Fields that are left out don't change. */
export const editContact = replace({
	method,
	path: '/edit-list-member.json',
	answer: contactRecord,
});

export const getContact = read({ method, path: '/get-contact.json', answer: contactRecord });

/**
 * A `list_id` of 0, or no `list_id`, means all lists. The request is not idempotent: deleting a contact that doesn't
 * exist is an error.
 */
export const deleteContact = send({ path: '/delete-from-list.json', answer: listIds });

/**
 * Opts the contact out. An opt-out must not be lost, so the request can be retried, and it only counts as done if the
 * response names a list.
 */
export const optOutContact = replace({
	method,
	path: '/optout-list-member.json',
	answer: () => z.looseObject({ list_ids: z.array(idString).min(1) }),
});

/** The values to write. Fields that are left out don't change. */
type Wanted = {
	firstName?: string;
	lastName?: string;
	/** Custom fields to write, under the names that the service returns. */
	customFields: Array<{ name: string; value?: string }>;
};

/**
 * Whether the contact was created within the last day. A whole day allows for clock differences, and for the case that
 * `created_at` isn't in UTC after all.
 */
function isFresh({ created_at: createdAt }: Contact, nowMs: number): boolean {
	return parseV1Time(String(createdAt)) > nowMs - dayMs;
}

/**
 * Whether the service stored a value as wanted. Text that looks like a number comes back as a number: `0800` as 800.
 */
function isSame(given: unknown, wanted: string | undefined): boolean {
	return (
		wanted === undefined ||
		given === wanted ||
		(typeof given === 'number' && given === Number(wanted))
	);
}

function customValue(fields: unknown, name: string): unknown {
	const values = Object.entries((fields ?? {}) as Record<string, unknown>);
	return values.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
}

/**
 * Whether the contact was added with the wanted values. If the contact was already in the list, "success" may mean that
 * nothing changed.
 */
function isAdded(contact: Contact, wanted: Wanted, nowMs: number): boolean {
	return (
		isFresh(contact, nowMs) &&
		isSame(contact.first_name, wanted.firstName) &&
		isSame(contact.last_name, wanted.lastName) &&
		wanted.customFields.every(({ name, value }) => isSame(customValue(contact.fields, name), value))
	);
}

type Upsert = {
	id: { list_id: string; msisdn: string };
	wanted: Wanted;
	/** The same values as request parameters. Custom fields are keyed by slot, e.g. `field_1`. */
	values: Record<string, string>;
};

/** @throws ApiError - the contact is not active, and an edit could resubscribe somebody who has opted out */
function requireActive({ status }: Contact): void {
	if (typeof status !== 'string' || status.toLowerCase() === 'active') return;
	throw new ApiError({ status: 200, code: 'OPTOUT', detail: `The contact's status is ${status}` });
}

/**
 * Adds the contact or, if it exists, edits it. Adding comes first, because the service rejects contacts who opted out
 * or were deleted, whereas an edit could restore them.
 */
export async function upsertContact(
	{ call, clock }: TimedService,
	{ id, wanted, values }: Upsert,
): Promise<Contact> {
	const added = await call(addContact, { ...id, ...values }).catch((error: unknown) => {
		if (error instanceof ApiError && error.fields.code === 'KEY_EXISTS') return undefined;
		throw error;
	});
	if (added) requireActive(added);
	if (added && isAdded(added, wanted, clock.calendarNow())) return added;
	const isChange = Object.keys(values).length > 0;
	return await call(isChange ? editContact : getContact, { ...id, ...values });
}
