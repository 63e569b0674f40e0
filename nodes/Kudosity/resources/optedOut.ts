import type { ReadList } from '../api/endpoints/membership';
import { type Phones, unusablePhone } from '../fields/phone/phones';
import type { Json } from '../lib/json';
import { personOf } from '../lib/personOf';
import type { YieldIfDue } from '../n8n/clock';

/** A person's identity: the number in its canonical form, or the reason why the number can't be read. */
type Identity = { contact: string } | { contact: null; msisdn: string | null; reason: string };

type Person = {
	identity: Identity;
	isActive: boolean;
	/** The IDs of the lists that the person has opted out of. */
	optedOut: string[];
	notActive: string[];
};

export type OptedOut = Identity & { how: 'optedOut' | 'notActive'; lists: string[] };

/** Identifies a person. The service returns numbers as international digits without the plus sign. */
function identify(phones: Phones, msisdn: unknown): Identity {
	const isDigits = typeof msisdn === 'string' && /^\d+$/.test(msisdn);
	const read = phones.number(isDigits ? `+${msisdn}` : msisdn);
	if ('number' in read) return { contact: personOf(read.number) };
	const { reason } = unusablePhone(read.reason);
	return { contact: null, msisdn: typeof msisdn === 'string' ? msisdn : null, reason: reason! };
}

function addOnce(ids: string[], id: string): void {
	if (ids.at(-1) !== id) ids.push(id);
}

function noteStatus(person: Person, status: unknown, listId: string): void {
	const word = typeof status === 'string' ? status.toLowerCase() : '';
	if (word === 'active') person.isActive = true;
	else addOnce(word === 'optout' ? person.optedOut : person.notActive, listId);
}

function toOptedOut({ identity, isActive, optedOut, notActive }: Person): OptedOut | undefined {
	if (optedOut.length > 0) return { ...identity, how: 'optedOut', lists: optedOut };
	return isActive ? undefined : { ...identity, how: 'notActive', lists: notActive };
}

/**
 * Finds the people who opted out of one of the lists, or aren't active in any of them. Each person is returned once, in
 * the order of the lists. Someone who was deleted from one list may still be active in another.
 */
export async function findOptedOut(
	lists: ReadList[],
	{ phones, yieldIfDue }: { phones: Phones; yieldIfDue: YieldIfDue },
): Promise<OptedOut[]> {
	const people = new Map<string, Person>();
	for (const { id, members } of lists) {
		for (const [key, { msisdn, status }] of members) {
			const pause = yieldIfDue();
			if (pause) await pause;
			const identity = identify(phones, msisdn);
			const name = identity.contact ?? `? ${String(msisdn ?? `${id} ${key}`)}`;
			const person = people.get(name) ?? { identity, isActive: false, optedOut: [], notActive: [] };
			people.set(name, person);
			noteStatus(person, status, id);
		}
	}
	return [...people.values()].map(toOptedOut).filter((found) => found !== undefined);
}

/** How many lists a hint names, so it stays short enough to be read. */
const maxNamed = 3;

function nameLists(lists: ReadList[]): string {
	const named = lists.slice(0, maxNamed).map(({ id, name }) => (name ? `${name} (${id})` : id));
	const others = lists.length - named.length;
	return [...named, ...(others > 0 ? [`${others} more`] : [])].join(', ');
}

/** Describes who is missing from the output, for hints in the editor. */
export function describeUnread(
	lists: ReadList[],
	found: OptedOut[],
	{ includesUnreadable, limit = Infinity }: { includesUnreadable?: boolean; limit?: number },
): string[] {
	const unreadable = found.filter(({ contact }) => contact === null);
	const theirs = new Set(unreadable.flatMap((each) => each.lists));
	const short = lists.filter(({ missing }) => missing > 0);
	const missing = short.reduce((sum, list) => sum + list.missing, 0);
	const output = found.length - (includesUnreadable ? 0 : unreadable.length);
	return [
		...(unreadable.length > 0 && !includesUnreadable
			? [
					`Opted-out people whose number can't be read: ${unreadable.length}, in ${nameLists(lists.filter(({ id }) => theirs.has(id)))}. To output them, turn on 'Include Unreadable'`,
				]
			: []),
		...(missing > 0
			? [
					`In ${nameLists(short)}, Kudosity's count is ${missing} higher than the number of contacts it returns`,
				]
			: []),
		...(output > limit
			? [
					`The output includes only ${limit} of the ${output} people who opted out. To get everyone, turn on 'Return All'`,
				]
			: []),
	];
}

export function toRecords(
	found: OptedOut[],
	{ includesUnreadable, limit }: { includesUnreadable?: boolean; limit?: number },
): Json[] {
	return found.filter(({ contact }) => includesUnreadable || contact !== null).slice(0, limit);
}
