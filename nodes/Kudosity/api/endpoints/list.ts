import { z } from 'zod/v4';
import { isJson } from '../../lib/json';
import {
	type AnswerOf,
	anything,
	count,
	idString,
	ifPossible,
	type ItemOf,
	read,
	replace,
	send,
	textOrNone,
	textDetails,
	anyObject,
} from '../endpoint';
import {
	ApiError,
	CancelledError,
	InputError,
	NoAnswerError,
	UnexpectedResponseError,
} from '../errors';
import { numberedList } from '../lists';
import { pollUntil, type Service, type TimedService } from '../service';
import { contactFields } from './contact';

const method = 'POST';

/**
 * A contact list. The service sends names that consist of digits as numbers, which are converted to strings. `fields`
 * holds the names of the list's custom fields: an object with keys such as `field_1`, or an empty array if the list has
 * none.
 */
function listRecord() {
	return z.looseObject({
		...textDetails('id', 'name'),
		members_active: ifPossible(count),
		members_total: ifPossible(count),
		fields: anything,
	});
}

export const getLists = numberedList({
	path: '/get-lists.json',
	records: 'lists',
	total: 'lists_total',
	record: listRecord,
});
export type ContactList = ItemOf<typeof getLists>;

const path = '/get-list.json';

/** With `members: none`, the response is only the list itself; otherwise, it includes a page of the list's contacts. */
export const getList = read({ method, path, answer: listRecord });

function contactsOfList(total: string) {
	return numberedList({
		path,
		method,
		records: 'members',
		total,
		record: () => z.looseObject({ ...contactFields(), ...textDetails('msisdn') }),
		// A number can occur twice (deleted, then added again), so the number alone doesn't identify a contact.
		identify: ({ msisdn, status, created_at: createdAt }) =>
			textOrNone(msisdn) && `${String(msisdn)} ${String(status)} ${String(createdAt)}`,
	});
}

/**
 * The contacts of a list. `members_total` counts all of them, regardless of the `members` filter, so the total may be
 * too high.
 */
export const getContactsOfList = contactsOfList('members_total');
export type ContactOfList = ItemOf<typeof getContactsOfList>;

/**
 * The active contacts of a list, if called with `members: active`. If somebody opts out while the list is read, all
 * later contacts move up, so one of them can be missed.
 */
export const getActiveContacts = contactsOfList('members_active');

export const createList = send({ path: '/add-list.json', answer: listRecord });

/** Deleting a list deletes its contacts, too. */
export const deleteList = send({ path: '/remove-list.json', answer: anyObject });

/** Names the custom field in a slot, `field_1` to `field_10`. Replaces the slot's previous name, if any. */
export const nameCustomField = replace({
	method,
	path: '/add-field-to-list.json',
	answer: anyObject,
});

/** Starts an import. The response only says that the import was accepted. */
export const importContacts = send({
	path: '/add-contacts-bulk.json',
	answer: () => z.looseObject({ list_id: idString }),
});

/** The progress of an import. `status` is `in progress`, `completed` or `failed`. */
export const getImport = read({
	method,
	path: '/add-contacts-bulk-progress.json',
	answer: () =>
		z.looseObject({
			...textDetails('list_id'),
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

export type CustomField = {
	/**
	 * The number under which the service stores the field in its list: 1 to 10. There can be gaps between the numbers
	 * in use.
	 */
	slot: number;
	name: string;
};

export const maxCustomFields = 10;

function isFilled(value: unknown): boolean {
	return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
}

/**
 * Returns custom fields as pairs of slot key and field name. The service sends an empty array, an object keyed by slot,
 * or a list of objects with the slot as `name` and the field name as `value`.
 */
function pairsOf(fields: unknown): Array<[unknown, unknown]> {
	if (isJson(fields)) return Object.entries(fields);
	return [fields]
		.flat()
		.map((each: unknown) => (isJson(each) ? [each.name, each.value] : ['', each]));
}

function slotsIn(pairs: Array<[unknown, unknown]>): CustomField[] {
	return pairs
		.flatMap(([key, name]): CustomField[] => {
			const slot = Number(/^(?:field|custom)_(\d+)$/.exec(String(key))?.[1]);
			return slot > 0 && isFilled(name) ? [{ slot, name: String(name) }] : [];
		})
		.sort((one, other) => one.slot - other.slot);
}

/**
 * Returns the custom fields, sorted by slot. If no slot can be read, this function throws an error. If it returned an
 * empty list instead, all slots would look free, and fields in use would be renamed.
 *
 * @throws InputError - there are fields, but none has a readable slot
 */
export function customFieldsOf(fields: unknown): CustomField[] {
	const pairs = pairsOf(fields);
	const known = slotsIn(pairs);
	if (known.length === 0 && pairs.some(([, name]) => isFilled(name))) {
		throw new InputError(
			"Kudosity did not say which of the list's custom fields is which",
			'Nothing was saved, because the wrong field could have been overwritten. Remove the custom fields, or ask Kudosity support',
		);
	}
	return known;
}

function plain(name: string): string {
	return name.trim().toLowerCase();
}

function isSameName(one: string, other: string): boolean {
	return plain(one) === plain(other);
}

/** Returns the first name that repeats an earlier one, ignoring case. */
export function findRepeated(names: string[]): string | undefined {
	return names.find((one, index) => names.slice(0, index).some((other) => isSameName(one, other)));
}

/** Finds the custom field with this name. An exact match takes precedence over one that ignores case. */
export function findCustomField(fields: CustomField[], name: string): CustomField | undefined {
	return (
		fields.find((field) => field.name === name) ??
		fields.find((field) => isSameName(field.name, name))
	);
}

export function freeSlots(fields: CustomField[]): number[] {
	const taken = new Set(fields.map(({ slot }) => slot));
	const all = Array.from({ length: maxCustomFields }, (_, index) => index + 1);
	return all.filter((slot) => !taken.has(slot));
}

/** Keys values by slot, as requests take them: `field_1`, `field_4`. */
export function bySlot(pairs: Array<[slot: number, text: string]>): Record<string, string> {
	return Object.fromEntries(pairs.map(([slot, text]) => [`field_${slot}`, text]));
}

/** For this many checks, an unchanged final status may still be that of an earlier import. */
const doubtfulChecks = 3;

function statusOf(progress: Import | undefined): string {
	return String(progress?.status ?? '').toLowerCase();
}

/** Returns the latest import's progress, or undefined if it can't be read at the moment. */
export async function lookAtImport({ call }: Service, listId: string) {
	return await call(getImport, { list_id: listId }).catch((error: unknown) => {
		const isAnswer = error instanceof ApiError || error instanceof UnexpectedResponseError;
		if (isAnswer || error instanceof NoAnswerError) return undefined;
		throw error;
	});
}

type Started = {
	listId: string;
	/** The progress of an earlier import, which early checks may still return. */
	before: Import | undefined;
	timeoutMs: number;
};

async function watch(services: TimedService, { listId, before, timeoutMs }: Started) {
	let checks = 0;
	let hasChanged = false;
	return await pollUntil({
		check: async () => {
			checks++;
			const progress = await lookAtImport(services, listId);
			hasChanged ||= progress !== undefined && JSON.stringify(progress) !== JSON.stringify(before);
			return progress;
		},
		isDone: (progress) =>
			['completed', 'failed'].includes(statusOf(progress)) &&
			(hasChanged || checks > doubtfulChecks),
		intervalMs: 5_000,
		timeoutMs,
		clock: services.clock,
	});
}

/**
 * Waits until the import has finished or the time is up, and returns its progress. If the execution is stopped, this
 * function returns as if the time were up: an error would look like a failed import, which somebody would start again.
 *
 * @throws InputError - the service could not import the file
 */
export async function waitForImport(services: TimedService, started: Started) {
	const { answer, timedOut } = await watch(services, started).catch((error: unknown) => {
		if (error instanceof CancelledError) return { answer: undefined, timedOut: true };
		throw error;
	});
	if (!timedOut && statusOf(answer) === 'failed') {
		throw new InputError(
			'Kudosity could not import the file',
			`Check that the URL opens the file without a login or redirect, and that the file is a CSV with the columns Firstname, Lastname and Mobile. The import was for list ${started.listId}`,
		);
	}
	return { list_id: started.listId, ...answer, timedOut };
}
