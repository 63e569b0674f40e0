/** Whatever n8n does with what it stores: everything is delivered, and twice only in the cases that have a name here. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	advance,
	type Cursor,
	isFresh,
	joined,
	notBefore,
	overlapMs,
	readCursor,
	readFrom,
	readReceived,
	readStatuses,
	startingAt,
} from '../../../seams.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const startMs = Date.parse('2026-11-25T09:00:00Z');
const timeOf = (ms: number) => new Date(ms).toISOString();

type Row = { id: string; status: string; createdMs: number; changedMs: number; listedMs: number };
type Query = { start_date: string; page: number; limit: number };

/** A service whose list shows some messages up to 14 minutes late. */
const createService = () => {
	const rows: Row[] = [];
	const service = {
		nowMs: startMs,
		rows,
		asked: [] as Query[],
		/** How many pages a poll has time for. */
		pagesLeft: Infinity,
		add: (count: number, lateMs: number, stepMs = 1) => {
			for (let index = 0; index < count; index += 1) {
				const createdMs = service.nowMs + index * stepMs;
				const times = { createdMs, changedMs: createdMs, listedMs: createdMs + lateMs };
				rows.push({ id: `m${rows.length}`, status: 'SENT', ...times });
			}
			service.nowMs += count * stepMs;
		},
		reader: {
			service: {
				call: async (_: unknown, query: Query) => {
					service.asked.push(query);
					service.pagesLeft -= 1;
					const { start_date: start, page, limit } = query;
					const listed = rows
						.filter((row) => row.listedMs <= service.nowMs && timeOf(row.createdMs) >= start)
						.sort((one, other) => one.createdMs - other.createdMs);
					const first = (page - 1) * limit;
					return listed.slice(first, first + limit).map(({ id, status, createdMs, changedMs }) => {
						return { id, status, created_at: timeOf(createdMs), updated_at: timeOf(changedMs) };
					});
				},
			} as never,
			events: [],
			senders: [],
			simplify: false,
			statusDays: 2,
			isOver: () => service.pagesLeft <= 0,
			serviceNowMs: () => service.nowMs,
			askTime: async () => service.nowMs,
			quietMs: () => 0,
		},
	};
	return service;
};

type Service = ReturnType<typeof createService>;
type Unfinished = Parameters<typeof readStatuses>[2];
type Read = (
	reader: Service['reader'],
	cursor: Cursor,
	unfinished?: Unfinished,
) => Promise<{ cursor: Cursor; items: object[]; unfinished?: Unfinished }>;

/** Why a message may come twice. */
type Case =
	| 'set back, then published again, with no poll after the last output'
	| 'set back, then n8n was restarted'
	| 'n8n 1: published again during a poll';

/** A trigger in n8n. Its rules are those of poll.ts. */
const createTrigger = (read: Read, service: Service) => {
	/** What n8n has stored, now and earlier. */
	let database = startingAt(startMs);
	const earlier = [database];
	let isSetBack = false;
	/** What the activation has. */
	let live = database;
	let unfinished: Unfinished;
	/** What the process knows. */
	let confirmed: Cursor | undefined;
	const counts = new Map<string, number>();
	const mayRepeat = new Map<string, Case>();
	/** What came too long before the trigger was published again. */
	const tooOld = new Set<string>();
	/** What the last poll delivered, while no other poll has come. */
	let last: string[] = [];

	const store = () => {
		database = JSON.parse(JSON.stringify(live)) as Cursor;
		earlier.push(database);
		isSetBack = false;
	};
	const poll = async ({ isDropped = false, notBeforeMs = 0 } = {}) => {
		confirmed = joined(confirmed, live);
		const from = notBefore(confirmed!, notBeforeMs);
		const found = await read(service.reader, from, unfinished);
		service.pagesLeft = Infinity;
		if (isDropped) return 0;
		live = found.cursor;
		({ unfinished } = found);
		last = found.items.map((item) => Object.values(item).slice(0, 2).join(':'));
		for (const key of last) counts.set(key, (counts.get(key) ?? 0) + 1);
		if (last.length === 0) confirmed = found.cursor;
		else store();
		return last.length;
	};
	const note = (keys: Iterable<string>, why: Case) => {
		for (const key of keys) if (!Object.hasOwn(database.seen, key)) mayRepeat.set(key, why);
	};
	/** n8n loads what it has stored, polls at once, and stores. */
	const activate = async (from = database, notBeforeMs = 0) => {
		live = from;
		unfinished = undefined;
		await poll({ notBeforeMs });
		store();
	};
	const keyOf = ({ id, status }: Row) => (read === readReceived ? `${id}:SENT` : `${id}:${status}`);
	return {
		counts,
		mayRepeat,
		tooOld,
		keyOf,
		poll,
		slowPoll: async () => {
			service.pagesLeft = 1;
			await poll();
		},
		publishAgain: async () => {
			if (isSetBack)
				note(last, 'set back, then published again, with no poll after the last output');
			await activate();
		},
		/** n8n 2 drops the output of the poll; in n8n 1, the poll notices that it is replaced. */
		publishDuringPoll: async () => {
			await poll({ isDropped: true });
			await activate();
		},
		/** n8n 1 has loaded what is stored, and then takes the output of the poll. */
		publishJustBeforeOutput: async () => {
			const loaded = database;
			if (isSetBack)
				note(last, 'set back, then published again, with no poll after the last output');
			await poll();
			for (const key of last) mayRepeat.set(key, 'n8n 1: published again during a poll');
			await activate(loaded);
		},
		unpublish: async (share: number) => {
			service.nowMs += Math.floor(share * 72 * hourMs);
			const notBeforeMs = service.nowMs - dayMs;
			for (const row of service.rows) {
				const ms = read === readReceived ? row.createdMs : row.changedMs;
				if (ms < notBeforeMs && !counts.has(keyOf(row))) tooOld.add(keyOf(row));
			}
			if (isSetBack)
				note(last, 'set back, then published again, with no poll after the last output');
			await activate(database, notBeforeMs);
		},
		restart: async () => {
			if (isSetBack) note(counts.keys(), 'set back, then n8n was restarted');
			confirmed = undefined;
			await activate();
		},
		/** The process ends after n8n has taken the output, or before. */
		kill: async (isTaken: boolean) => {
			await poll({ isDropped: !isTaken });
			if (isSetBack) note(counts.keys(), 'set back, then n8n was restarted');
			confirmed = undefined;
			await activate();
		},
		/** An execution of the workflow stores static data as it was when the execution began. */
		setBack: (share: number) => {
			database = earlier[Math.floor(share * (earlier.length - 1))]!;
			isSetBack = true;
		},
	};
};

const share = fc.double({ min: 0, max: 1, noNaN: true });
const named = <Name extends string>(name: Name) => fc.constant(name);
const command = fc.oneof(
	{ weight: 6, arbitrary: fc.record({ name: named('poll') }) },
	{ weight: 3, arbitrary: fc.record({ name: named('pass'), share }) },
	{
		weight: 6,
		arbitrary: fc.record({
			name: named('add'),
			count: fc.oneof(
				{ weight: 9, arbitrary: fc.nat(20) },
				{ weight: 1, arbitrary: fc.nat(1_300) },
			),
			lateMs: fc.oneof(fc.constant(0), fc.nat(14 * minuteMs)),
			stepMs: fc.constantFrom(1, 4_000),
		}),
	},
	fc.record({ name: named('change'), share }),
	fc.record({
		name: fc.constantFrom(
			'slowPoll',
			'publishAgain',
			'publishDuringPoll',
			'publishJustBeforeOutput',
			'restart',
		),
	}),
	fc.record({ name: named('kill'), isTaken: fc.boolean() }),
	fc.record({ name: fc.constantFrom('setBack', 'unpublish'), share }),
);

type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

const changeSome = ({ rows, nowMs }: Service, part: number) => {
	for (const row of rows.slice(-Math.ceil(part * rows.length))) {
		if (row.status === 'SENT') Object.assign(row, { status: 'DELIVERED', changedMs: nowMs });
	}
};

const run = async (read: Read, commands: Command[]) => {
	const service = createService();
	const trigger = createTrigger(read, service);
	for (const each of commands) {
		if (each.name === 'pass') service.nowMs += Math.floor(each.share * 40 * minuteMs);
		else if (each.name === 'add') service.add(each.count, each.lateMs, each.stepMs);
		else if (each.name === 'change') changeSome(service, each.share);
		else if (each.name === 'kill') await trigger.kill(each.isTaken);
		else if (each.name === 'unpublish') await trigger.unpublish(each.share);
		else if (each.name === 'setBack') trigger.setBack(each.share);
		else await trigger[each.name]();
	}
	service.nowMs += 15 * minuteMs;
	const maxPolls = 10 + service.rows.length / 250;
	for (let count = 0, quiet = 0; count < maxPolls && quiet < 2; count += 1) {
		quiet = (await trigger.poll()) === 0 ? quiet + 1 : 0;
	}
	const { counts, mayRepeat, tooOld, keyOf } = trigger;
	// The trigger watches a message's status for so many days only.
	const watchedMs = service.reader.statusDays * dayMs;
	const expected = service.rows
		.filter(({ createdMs, changedMs }) => changedMs - createdMs < watchedMs)
		.map(keyOf);
	return {
		lost: expected.filter((key) => !counts.has(key) && !tooOld.has(key)),
		twice: [...counts].filter(([key, count]) => count > 1 && !mayRepeat.has(key)),
	};
};

const commands = fc.array(command, { maxLength: 40 });
const none = { lost: [], twice: [] };

describe('whatever happens', () => {
	it('delivers each received message', { timeout: 120_000 }, async () => {
		const property = fc.asyncProperty(commands, async (all) => {
			const wanted = all.filter(({ name }) => name !== 'change');
			expect(await run(readReceived, wanted)).toEqual(none);
		});
		await fc.assert(property, { numRuns: 300 });
	});

	it('delivers the last status of each message', { timeout: 120_000 }, async () => {
		const property = fc.asyncProperty(commands, async (all) => {
			expect(await run(readStatuses, all)).toEqual(none);
		});
		await fc.assert(property, { numRuns: 300 });
	});
});

describe('a reading of statuses', () => {
	/** Polls until a reading has ended, or so often. */
	const readToTheEnd = async (service: Service, from: Cursor, pagesAPoll = Infinity) => {
		const pages: number[] = [];
		const items: object[] = [];
		let cursor = from;
		let unfinished: Unfinished;
		do {
			const before = service.asked.length;
			service.pagesLeft = pagesAPoll;
			const found = await readStatuses(service.reader, cursor, unfinished);
			({ cursor, unfinished } = found);
			items.push(...found.items);
			pages.push(service.asked.length - before);
		} while (unfinished && pages.length < 30);
		return { cursor, pages, items, isWhole: !unfinished };
	};

	it('asks again only for messages whose status can still change', async () => {
		const service = createService();
		service.add(3_000, 0);
		for (const row of service.rows.slice(0, 2_500)) row.status = 'DELIVERED';
		service.nowMs += hourMs;
		const { cursor, pages } = await readToTheEnd(service, startingAt(service.nowMs));
		expect(pages).toEqual([4]);
		expect((await readToTheEnd(service, cursor)).pages).toEqual([2]);
		expect(service.asked[4]!.start_date).toBe(timeOf(service.rows[2_500]!.createdMs));
	});

	it('goes on where the time of the last poll was over', async () => {
		const service = createService();
		service.add(4_500, 0);
		const { pages, isWhole } = await readToTheEnd(service, startingAt(service.nowMs), 2);
		expect([pages, isWhole]).toEqual([[2, 2, 2, 1], true]);
	});

	it('over several polls counts from its beginning, and for the messages of all polls', async () => {
		const service = createService();
		service.add(2_500, 0);
		const [first, second] = service.rows;
		service.nowMs += hourMs;
		service.pagesLeft = 1;
		const begun = await readStatuses(service.reader, startingAt(service.nowMs));
		Object.assign(first!, { status: 'DELIVERED', changedMs: service.nowMs });
		service.nowMs += 20 * minuteMs;
		service.pagesLeft = Infinity;
		const ended = await readStatuses(service.reader, begun.cursor, begun.unfinished);
		Object.assign(second!, { status: 'DELIVERED', changedMs: service.nowMs });
		const next = await readStatuses(service.reader, ended.cursor);
		expect([begun.items, ended.items, ended.unfinished]).toEqual([[], [], undefined]);
		expect(next.items).toMatchObject([{ id: 'm0' }, { id: 'm1' }]);
	});

	it('ends, however many messages have one time, and delivers each once', async () => {
		const service = createService();
		service.add(3_200, 0);
		for (const row of service.rows) Object.assign(row, { createdMs: startMs, changedMs: startMs });
		const { items, isWhole } = await readToTheEnd(service, startingAt(startMs));
		expect([items.length, new Set(items.map((item) => Object.values(item)[0])).size]).toEqual([
			3_200, 3_200,
		]);
		expect(isWhole).toBe(true);
	});
});

describe('a cursor', () => {
	const entries = (count: number, firstMs: number) =>
		Array.from({ length: count }, (_, index) => ({ key: `k${index}`, ms: firstMs + index }));

	it('keeps what was delivered for twice the overlap, and reads the overlap again', () => {
		const [first] = entries(1, startMs);
		const cursor = advance(startingAt(startMs - hourMs), startMs, [first!]);
		expect(readFrom(cursor)).toBe(startMs - overlapMs);
		expect(isFresh(cursor, first!)).toBe(false);
		const later = advance(cursor, startMs + 2 * overlapMs, []);
		expect(Object.keys(later.seen)).toEqual(['k0']);
		expect(advance(later, startMs + 2 * overlapMs + 1, []).seen).toEqual({});
	});

	it('of more than 10,000 messages forgets the oldest, and does not read back to them', () => {
		const many = entries(10_001, startMs);
		const cursor = advance(startingAt(startMs), startMs + minuteMs, many);
		expect(Object.keys(cursor.seen)).toHaveLength(10_000);
		expect(readFrom(cursor)).toBe(startMs + 1);
		expect(many.filter((entry) => isFresh(cursor, entry))).toEqual([]);
	});

	it('joined with an older one, in either order, has the place of the newer and all keys', () => {
		const older = advance(startingAt(startMs), startMs + 1, entries(3, startMs));
		const newer = advance(startingAt(startMs), startMs + 9, [{ key: 'x', ms: startMs }]);
		for (const cursor of [joined(older, newer), joined(newer, older)]) {
			expect(cursor).toMatchObject({ sinceMs: startMs + 9, fromMs: startMs });
			expect(Object.keys(cursor!.seen).sort()).toEqual(['k0', 'k1', 'k2', 'x']);
		}
		expect(joined(undefined, older)).toEqual(older);
		expect(joined(older)).toEqual(older);
	});

	it('can be stored, and anything else that is stored is none', () => {
		const cursor = { ...advance(startingAt(1), 2, entries(2, 1)), openMs: 1 };
		expect(readCursor(JSON.parse(JSON.stringify(cursor)))).toEqual(cursor);
		const wrong = [{ sinceMs: 'x' }, { sinceMs: 1e300 }, { fromMs: -1 }, { seen: { a: 'b' } }];
		const stored = [undefined, null, 7, 'x', [], ...wrong.map((part) => ({ ...cursor, ...part }))];
		for (const each of stored) expect(readCursor(each)).toBeUndefined();
	});
});
