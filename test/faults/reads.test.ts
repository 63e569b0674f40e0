import { expect, it } from 'vitest';
import type { FaultRule } from '../../playground/emulator/control/client.ts';
import { useEmulator, useShortTimeouts } from '../engine/emulator.ts';
import { skipPauses } from '../engine/pauses.ts';
import { campaign, createRandom, formatTable, type Random } from './campaign.ts';

skipPauses();

const records = 230;

const service = useEmulator({ numbersOwned: records, lists: records, rcsMessages: records });
useShortTimeouts(500);

const listings = {
	number: { path: '/get-numbers.json', id: 'number' },
	list: { path: '/get-lists.json', id: 'id' },
	rcs: { path: '/v2/rcs/messages', id: 'messageId' },
} as const;
type Listing = keyof typeof listings;

const kinds = [
	...(['slow', 'status403', 'status429', 'status500', 'html', 'redirect', 'reset'] as const),
	...(['timeout', 'status500AfterAcceptance', 'timeoutAfterAcceptance'] as const),
	...(['resetAfterAcceptance', 'malformedJson', 'emptyBody', 'html200AfterAcceptance'] as const),
	...(['repeatPage', 'ignoreMax', 'growingCount', 'repeatCursor'] as const),
] satisfies Array<FaultRule['fault']>;

const details: Partial<Record<FaultRule['fault'], Partial<FaultRule>>> = {
	slow: { delayMs: 100 },
	status429: { retryAfter: 0 },
	redirect: { location: 'https://elsewhere.example/' },
};

type Entry = { kind: string; outcome: 'complete' | 'error' | 'wrong'; rows: number };

const readUnder = async (random: Random): Promise<Entry> => {
	const kind = random.pick(kinds);
	const resource = random.pick(Object.keys(listings) as Listing[]);
	const { path, id } = listings[resource];
	await service.control.clearFaults();
	await service.control.addFault({
		fault: kind,
		...details[kind],
		match: { path, skip: random.integer(0, 2) },
	});
	const { json, error } = await service.run(`${resource}/getAll`, {
		returnAll: true,
		...(resource === 'number' && { filter: 'owned' }),
	});
	if (error) return { kind, outcome: json.length === 0 ? 'error' : 'wrong', rows: json.length };
	const isDistinct = new Set(json.map((row) => row[id])).size === json.length;
	// An account that grows while it is read can have more in the end.
	const hasAll = kind === 'growingCount' ? json.length >= records : json.length === records;
	const isComplete = isDistinct && hasAll;
	return { kind, outcome: isComplete ? 'complete' : 'wrong', rows: json.length };
};

const { timeoutMs: timeout } = campaign;

it('reads a list completely, or says that it could not', { timeout }, async () => {
	const { seed, sends } = campaign;
	const random = createRandom(seed);
	const book: Entry[] = [];
	for (let read = 0; read < sends / 10; read++) book.push(await readUnder(random));

	const count = (kind: string, outcome?: string) =>
		book.filter((entry) => entry.kind === kind && (!outcome || entry.outcome === outcome)).length;
	const rows = kinds.map((kind) => ({
		fault: kind,
		reads: count(kind),
		complete: count(kind, 'complete'),
		error: count(kind, 'error'),
		wrong: count(kind, 'wrong'),
	}));
	console.log(formatTable(`Reads under faults, seed ${seed}`, rows));
	expect(
		book.filter(({ outcome }) => outcome === 'wrong'),
		`KUDOSITY_SEED=${seed}`,
	).toEqual([]);
});
