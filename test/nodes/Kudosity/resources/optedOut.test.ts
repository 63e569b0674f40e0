import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fakeClock } from '../../../helpers/fakeClock.ts';
import { fakeTransport, json } from '../../../helpers/fakeTransport.ts';
import { type Clock, createService, resources } from '../../../seams.ts';

type Status = 'active' | 'optout' | 'inactive';
type Row = { list: number; msisdn: number; created: number; status: Status };

/** Fewer than any list has asked for, so that few people fill several pages. */
const pageSize = 5;

const idOf = (list: number) => 4100001 + list;
const numberOf = (person: number) => 61491570000 + person;

const allOf = (rows: Row[]) => rows;
const only =
	(...statuses: Status[]) =>
	(rows: Row[]) =>
		rows.filter(({ status }) => statuses.includes(status));

/** How Kudosity may understand `members`: as it is documented, inactive ones are the deleted ones. */
const readings: Record<string, (rows: Row[]) => Row[]> = {
	'deleted only': only('inactive'),
	'all who are not active': only('inactive', 'optout'),
};

type World = {
	rows: Row[];
	lists: number;
	inactive?: string;
	/** Called before each request for members. */
	change?: (rows: Row[]) => void;
};

/** A service with these contacts, whose lists change while they are read. */
const serviceOf = ({ rows, lists, inactive = 'deleted only', change }: World) => {
	const filters: Record<string, (rows: Row[]) => Row[]> = {
		active: only('active'),
		inactive: readings[inactive]!,
	};
	const pageOf = <Each>(all: Each[], page: number) => ({
		page: { count: Math.ceil(all.length / pageSize), number: page },
		shown: all.slice((page - 1) * pageSize, page * pageSize),
	});
	return fakeTransport(({ path, query, form }) => {
		const values = { ...query, ...form } as Record<string, string>;
		const number = Number(values.page);
		if (path === '/get-lists.json') {
			const ids = Array.from({ length: lists }, (_, list) => ({
				id: idOf(list),
				name: `L${list}`,
			}));
			const { page, shown } = pageOf(ids, number);
			return json({ page, lists_total: lists, lists: shown });
		}
		change?.(rows);
		const members = rows.filter(({ list }) => String(idOf(list)) === values.list_id);
		const { page, shown } = pageOf((filters[values.members ?? ''] ?? allOf)(members), number);
		return json({
			page,
			members_total: members.length,
			members_active: only('active')(members).length,
			members: shown.map(({ msisdn, created, status }) => ({
				...{ msisdn, status, created_at: `2025-01-01 00:00:${created}` },
			})),
		});
	});
};

const operation = resources
	.find(({ value }) => value === 'contact')!
	.operations.find(({ value }) => value === 'getOptedOut')!;

const readFrom = async (world: World) => {
	const { transport, requests } = serviceOf(world);
	const hints: string[] = [];
	const clock: Clock = fakeClock();
	const services = { ...createService(transport), clock, hint: (text: string) => hints.push(text) };
	const input = { from: 'all', returnAll: true, options: {} };
	const found = (await operation.run!(services as never, input)) as Array<{
		contact: string;
		how: string;
		lists: string[];
	}>;
	return { found, hints, requests };
};

const status = fc.constantFrom<Status>('active', 'active', 'active', 'optout', 'inactive');

/** Contacts of several lists; some are in more than one, and some are in one twice. */
const rowsOf = (lists: number) =>
	fc
		.array(fc.record({ list: fc.nat(lists - 1), person: fc.nat(40), status }), { maxLength: 90 })
		.map((drawn) =>
			drawn.map(({ list, person, status }, created) => ({
				...{ list, msisdn: numberOf(person), created, status },
			})),
		);

const world = fc.integer({ min: 1, max: 4 }).chain((lists) =>
	fc.record({
		lists: fc.constant(lists),
		rows: rowsOf(lists),
		inactive: fc.constantFrom(...Object.keys(readings)),
	}),
);

const peopleOf = (rows: Row[], is: (rows: Row[]) => boolean): string[] => {
	const people = [...new Set(rows.map(({ msisdn }) => msisdn))];
	return people.filter((one) => is(rows.filter(({ msisdn }) => msisdn === one))).map(String);
};

describe('who has opted out', () => {
	it('is named exactly, each once, whatever "inactive" means', async () => {
		await fc.assert(
			fc.asyncProperty(world, async (world) => {
				const { found } = await readFrom(world);
				const optedOut = peopleOf(world.rows, (own) =>
					own.some(({ status }) => status === 'optout'),
				);
				const notActive = peopleOf(world.rows, (own) =>
					own.every(({ status }) => status === 'inactive'),
				);
				const named = (how: string) =>
					found.filter((each) => each.how === how).map(({ contact }) => contact);
				expect(named('optedOut').sort()).toEqual(optedOut.sort());
				expect(named('notActive').sort()).toEqual(notActive.sort());
			}),
			{ numRuns: 150 },
		);
	});

	type Step = { what: 'optOut' | 'delete' | 'restore' | 'add' | 'remove'; which: number };

	const apply = (rows: Row[], { what, which }: Step) => {
		const row = rows[which % Math.max(1, rows.length)];
		if (!row) return;
		if (what === 'optOut' && row.status === 'active') row.status = 'optout';
		if (what === 'delete' && row.status === 'active') row.status = 'inactive';
		if (what === 'restore') row.status = 'active';
		if (what === 'remove') rows.splice(rows.indexOf(row), 1);
		const added = { ...row, msisdn: numberOf(100 + rows.length), created: rows.length + 100 };
		if (what === 'add')
			rows.splice(which % 2 === 0 ? rows.length : 0, 0, { ...added, status: 'active' });
	};

	const stepsOf = (...kinds: Array<Step['what']>) =>
		fc.array(
			fc.option(fc.record({ what: fc.constantFrom(...kinds), which: fc.nat(200) }), { freq: 1 }),
			{ maxLength: 60 },
		);

	/** Reads while the lists change, and checks what must be true all the same. */
	const checkWhileChanging = async (world: World, steps: Array<Step | null>): Promise<boolean> => {
		const history = new Map<Row, Set<Status>>();
		const note = () => {
			for (const row of world.rows) {
				history.set(row, (history.get(row) ?? new Set<Status>()).add(row.status));
			}
		};
		const before = [...world.rows];
		note();
		const waiting = [...steps];
		const change = (rows: Row[]) => {
			const step = waiting.shift();
			if (step) apply(rows, step);
			note();
		};
		const result = await readFrom({ ...world, change }).catch((error: unknown) => {
			expect(error).toMatchObject({ listMayHaveChanged: true });
		});
		if (!result) return false;
		const named = result.found.map(({ contact }) => contact);
		const stayed = before.filter((row) => world.rows.includes(row));
		const was = (row: Row, ...statuses: Status[]) =>
			[...history.get(row)!].every((each) => statuses.includes(each));
		const optedOut = peopleOf(stayed, (own) => own.some((row) => was(row, 'optout')));
		const inNone = peopleOf([...history.keys()], (own) =>
			own.every((row) => stayed.includes(row) && was(row, 'inactive', 'optout')),
		);
		const active = peopleOf(
			[...history.keys()],
			(own) =>
				own.some((row) => stayed.includes(row) && was(row, 'active')) &&
				own.every((row) => !history.get(row)!.has('optout')),
		);
		expect(new Set(named).size).toBe(named.length);
		expect(optedOut.filter((one) => !named.includes(one))).toEqual([]);
		expect(inNone.filter((one) => !named.includes(one))).toEqual([]);
		expect(named.filter((one) => active.includes(one))).toEqual([]);
		return true;
	};

	it('is never missing, and nobody else is named, while people opt out, are deleted, come back and are added', async () => {
		let read = 0;
		await fc.assert(
			fc.asyncProperty(
				world,
				stepsOf('optOut', 'delete', 'restore', 'add'),
				async (world, steps) => {
					if (await checkWhileChanging(world, steps)) read++;
				},
			),
			{ numRuns: 400 },
		);
		expect(read).toBeGreaterThan(350);
	});

	it('is never missing while contacts are removed for good: otherwise the reading fails', async () => {
		await fc.assert(
			fc.asyncProperty(world, stepsOf('optOut', 'restore', 'remove'), async (world, steps) => {
				await checkWhileChanging(world, steps);
			}),
			{ numRuns: 400 },
		);
	});

	it('includes those who opt out after the active ones were read', async () => {
		const rows = Array.from(
			{ length: 40 },
			(_, person): Row => ({
				...{ list: person % 2, msisdn: numberOf(person), created: person, status: 'active' },
			}),
		);
		let requests = 0;
		const change = () => {
			// Both lists have four pages of active contacts.
			if (++requests === 9) rows[0]!.status = 'inactive';
		};
		const { found } = await readFrom({
			rows,
			lists: 2,
			change,
			inactive: 'all who are not active',
		});

		expect(found).toEqual([
			{ contact: String(numberOf(0)), how: 'notActive', lists: [String(idOf(0))] },
		]);
	});

	it('is not told, after three readings, of a list that gets shorter in each', async () => {
		const rows = Array.from(
			{ length: 200 },
			(_, person): Row => ({
				...{ list: 0, msisdn: numberOf(person), created: person, status: 'inactive' },
			}),
		);
		const reading = readFrom({ rows, lists: 1, change: (all) => void all.shift() });

		await expect(reading).rejects.toMatchObject({ listMayHaveChanged: true });
	});
});
