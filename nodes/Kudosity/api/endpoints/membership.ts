import { mapConcurrently } from '../../lib/async';
import type { ListEndpoint, Values } from '../endpoint';
import { unexpected } from '../pagination';
import type { Service } from '../service';
import { type ContactOfList, getContactsOfList, getLists } from './list';

type Membership = { msisdn: unknown; status: unknown };

/** A contact list and everybody who is or was in it. */
export type ReadList = {
	id: string;
	name?: string;
	/** The memberships as last read, keyed by the string that `identify` returns. */
	members: Map<string, Membership>;
	/** How many memberships the service counts but didn't return. */
	missing: number;
};

const maxReadings = 3;

/**
 * How many lists are read at a time. This is enough to use the account's full rate, because each list also has several
 * pages in flight.
 */
const maxListsInFlight = 4;

/**
 * Reads one of the service's paginated lists to its end. Returns the totals that its pages stated, in the order of
 * arrival.
 */
async function readPages<Item, Answer>(
	service: Service,
	endpoint: ListEndpoint<Item, Answer>,
	{ values, note }: { values: Values; note: (record: Item) => void },
): Promise<Array<number | undefined>> {
	const { pages } = endpoint;
	const totals: Array<number | undefined> = [];
	const read: typeof pages.read = (...args) => {
		const page = pages.read(...args);
		totals.push(page.total);
		return page;
	};
	const noting = { ...endpoint, pages: { ...pages, read } };
	for await (const record of service.list(noting, values)) note(record);
	return totals;
}

/**
 * Whether all records were certainly read. If a list shrinks while it is read, records move to pages that have already
 * been read, so some can be missed. If it only grows, everybody who was in it at the beginning has been read, provided
 * that at least that many records were read.
 */
function isComplete(totals: Array<number | undefined>, count: number): boolean {
	const [first = 0] = totals;
	const hasShrunk = totals.some((total = 0) => total < first);
	const hasGrown = totals.some((total = 0) => total > first);
	return !hasShrunk && (!hasGrown || count >= first);
}

/**
 * Reads a list until it doesn't change while it is read, at most `maxReadings` times.
 *
 * @returns the number of records at the end, according to the service
 * @throws UnexpectedResponseError - the list changed during each attempt
 */
async function readCompletely<Item, Answer>(
	service: Service,
	endpoint: ListEndpoint<Item, Answer>,
	reading: { values: Values; note: (record: Item) => void; count: () => number },
): Promise<number | undefined> {
	for (let attempt = 1; attempt <= maxReadings; attempt++) {
		const totals = await readPages(service, endpoint, reading);
		if (isComplete(totals, reading.count())) return totals.at(-1);
	}
	throw unexpected('a list that changed each time it was read', true);
}

/** Reads the account's contact lists, but not their members yet. */
export async function readLists(service: Service): Promise<ReadList[]> {
	const lists = new Map<string, ReadList>();
	await readCompletely(service, getLists, {
		values: {},
		note: ({ id, name }) => {
			if (typeof id !== 'string') throw unexpected('a contact list without an ID');
			lists.set(id, unreadList(id, typeof name === 'string' ? name : undefined));
		},
		count: () => lists.size,
	});
	return [...lists.values()];
}

export function unreadList(id: string, name?: string): ReadList {
	return { id, name, members: new Map(), missing: 0 };
}

/**
 * Identifies a membership. A number can occur twice in a list: deleted, then added again. Contacts without a number are
 * distinguished by their names.
 */
function identify({ msisdn, created_at, first_name, last_name }: ContactOfList): string {
	return typeof msisdn === 'string'
		? `${msisdn} ${String(created_at)}`
		: JSON.stringify([created_at, first_name, last_name]);
}

async function forEachList(
	lists: ReadList[],
	task: (list: ReadList) => Promise<void>,
): Promise<void> {
	const results = await mapConcurrently(lists, task, { maxInFlight: maxListsInFlight });
	const failed = results.find((result) => result?.status === 'rejected');
	if (failed) throw failed.reason;
}

/**
 * Reads the lists' members. The active contacts of all lists are read first, then the inactive ones, so a person who
 * opts out in the meantime is read again as inactive, and the later status counts.
 *
 * This can miss people. While contacts move between the two groups, the pages shift, and the service documents
 * "inactive" as deleted contacts only. Therefore, a list is complete only if as many memberships were read as it has in
 * total. Otherwise, it is read again without a filter, so contacts can't move between groups.
 *
 * @throws UnexpectedResponseError - a list changed each time it was read
 */
export async function readMembers(service: Service, lists: ReadList[]): Promise<void> {
	const stated = new Map<ReadList, Array<number | undefined>>();
	const readingOf = ({ id, members }: ReadList, status?: 'active' | 'inactive') => ({
		values: { list_id: id, members: status },
		note: (record: ContactOfList) =>
			void members.set(identify(record), { msisdn: record.msisdn, status: record.status }),
		count: () => members.size,
	});
	await forEachList(lists, async (list) => {
		stated.set(list, await readPages(service, getContactsOfList, readingOf(list, 'active')));
	});
	await forEachList(lists, async (list) => {
		const others = await readPages(service, getContactsOfList, readingOf(list, 'inactive'));
		const { members } = list;
		if ([...(stated.get(list) ?? []), ...others].every((total) => total === members.size)) return;
		const total = await readCompletely(service, getContactsOfList, readingOf(list));
		list.missing = Math.max(0, (total ?? 0) - members.size);
	});
}
