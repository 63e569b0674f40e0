import { describe, expect, it } from 'vitest';
import { continues, useEmulator } from './emulator.ts';
import { itRefuses } from './refuses.ts';

const service = useEmulator({ globalOptOut: false });

const customers = '4100001';
const newsletter = '4100002';
const nobodyYet = '4100003';

/** As the emulator begins: one was deleted from Newsletter, and another, who is active there, opted out of Nobody Yet. */
const deleted = { contact: '61491575789', how: 'notActive', lists: [newsletter] };
const optedOut = { contact: '61491574632', how: 'optedOut', lists: [nobodyYet] };

const path = '/get-list.json';
const getOptedOut = async (fields: object = {}, settings: object = {}) =>
	await service.run('contact/getOptedOut', { from: 'all', returnAll: true, ...fields }, settings);
const ofOne = async (listId: string, fields: object = {}) =>
	await getOptedOut({ from: 'list', listId, ...fields });
const requests = async () =>
	(await service.control.requests()).map(({ path, body }) => [path, body as object]);

/** Answers the request for the members of a list with these. */
const answers = async (list: string, members: object[], total = members.length) => {
	const body = { page: { count: 1, number: 1 }, members_total: total, members };
	await service.answer(body, { path, bodyIncludes: `list_id":"${list}` });
};

/** A list whose members are all given with the active ones, as no service does, so that nothing more is to be read. */
const onlyMembers = async (members: object[]) => {
	await answers(customers, members);
	await answers(customers, [], members.length);
	return await ofOne(customers, { options: { includeUnreadable: true } });
};

describe('contact.getOptedOut', () => {
	it('gives everybody who opted out of a list, or is active in none', async () => {
		const { json, hints, error } = await getOptedOut();

		expect(error).toBeUndefined();
		// Those who were deleted from Nobody Yet are active in the others.
		expect(json).toEqual([optedOut, deleted]);
		expect(hints).toEqual([]);
	});

	it('reads the active contacts of all lists before the others, in pages of 100', async () => {
		await getOptedOut();

		const ids = ['4100001', '4100002', '4100003'];
		const page = (members: string) =>
			ids.map((list_id) => [path, { list_id, members, page: '1', max: '100' }]);
		const [first, ...others] = await requests();
		expect(first?.[0]).toBe('/get-lists.json');
		const byList = (some: typeof others) =>
			[...some].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
		expect(byList(others.slice(0, 3))).toEqual(page('active'));
		expect(byList(others.slice(3))).toEqual(page('inactive'));
	});

	it('reads one list, if one is chosen, and no others', async () => {
		expect((await ofOne(newsletter)).json).toEqual([deleted]);
		expect((await ofOne(customers)).json).toEqual([]);
		expect((await requests()).every(([each]) => each === path)).toBe(true);
	});

	it('counts an opt-out of one list, although the contact is active in another', async () => {
		const contact = '61491573087';
		await service.run('contact/optOut', { contact, from: 'list', listId: customers });

		expect((await getOptedOut()).json).toContainEqual({
			...{ contact, how: 'optedOut', lists: [customers] },
		});
		expect((await ofOne(newsletter)).json).toEqual([deleted]);
	});

	it('names all lists of which somebody opted out', async () => {
		const contact = '61491573087';
		await service.run('contact/optOut', { contact, from: 'all' });

		expect((await getOptedOut()).json).toContainEqual({
			...{ contact, how: 'optedOut', lists: [customers, newsletter] },
		});
	});

	it.each(['optout', 'OPTOUT'])('knows an opt-out by the status %s', async (status) => {
		const { json } = await onlyMembers([{ msisdn: 61491570156, status }]);

		expect(json).toEqual([{ contact: '61491570156', how: 'optedOut', lists: [customers] }]);
	});

	it.each(['inactive', 'unsubscribed', '', null])(
		'takes nobody as active whose status is %s',
		async (status) => {
			const { json } = await onlyMembers([{ msisdn: 61491570156, status }]);

			expect(json).toEqual([{ contact: '61491570156', how: 'notActive', lists: [customers] }]);
		},
	);

	it('reads a list once more without a filter if it was not met as a whole, so that nobody is hidden', async () => {
		const [active, other] = [
			{ msisdn: 61491570156, status: 'active' },
			{ msisdn: 61491570157, status: 'optout' },
		];
		await answers(customers, [active], 2);
		// Kudosity documents "inactive" as deleted.
		await answers(customers, [], 2);
		await answers(customers, [active, other]);
		const { json } = await ofOne(customers);

		expect(json).toEqual([{ contact: '61491570157', how: 'optedOut', lists: [customers] }]);
		expect((await requests()).map(([, body]) => Object(body).members)).toEqual([
			...['active', 'inactive', undefined],
		]);
	});

	it('says how many contacts Kudosity counts but does not give', async () => {
		for (let request = 1; request <= 3; request++) {
			await answers(customers, [{ msisdn: 61491570156, status: 'active' }], 3);
		}
		const { json, hints } = await ofOne(customers);

		expect(json).toEqual([]);
		expect(hints).toEqual([
			`In ${customers}, Kudosity's count is 2 higher than the number of contacts it returns`,
		]);
	});

	it('gives one item for a person whose number is written in two ways, in one spelling', async () => {
		const { json } = await onlyMembers([
			{ msisdn: 541123456789, status: 'inactive' },
			{ msisdn: 5491123456789, status: 'optout' },
			{ msisdn: '+61 491 570 156', status: 'optout' },
			{ msisdn: 610491570156, status: 'inactive' },
		]);

		expect(json).toEqual([
			{ contact: '5491123456789', how: 'optedOut', lists: [customers] },
			{ contact: '61491570156', how: 'optedOut', lists: [customers] },
		]);
	});

	it('does not name somebody who was deleted, then added again', async () => {
		const { json } = await onlyMembers([
			{ msisdn: 61491570156, status: 'active', created_at: '2025-01-01 00:00:00' },
			{ msisdn: 61491570156, status: 'inactive', created_at: '2024-01-01 00:00:00' },
		]);

		expect(json).toEqual([]);
	});

	const unreadable = [
		{ msisdn: 61491570156, status: 'optout' },
		{ msisdn: 491570157, status: 'optout' },
		{ msisdn: 'Sam', status: 'inactive' },
		{ status: 'optout', first_name: 'Lee' },
		{ status: 'optout', first_name: 'Kim' },
		{ msisdn: 'Alex', status: 'active' },
	];

	it('leaves out numbers that cannot be read, and says how many of which lists', async () => {
		const [list] = (await service.run('list/getAll', { limit: 1 })).json;
		await answers(customers, unreadable);
		await answers(customers, [], unreadable.length);
		const { json, hints } = await getOptedOut();

		expect(json[0]).toEqual({ contact: '61491570156', how: 'optedOut', lists: [customers] });
		expect(json).toHaveLength(3);
		expect(hints).toEqual([
			`Opted-out people whose number can't be read: 4, in ${String(list?.name)} (${customers}). To output them, turn on 'Include Unreadable'`,
		]);
	});

	it('gives them with the reason, if asked', async () => {
		const { json, hints } = await onlyMembers(unreadable);
		const reason = expect.stringMatching(/^The value /);
		const lists = [customers];

		expect(json.slice(1)).toEqual([
			{ contact: null, msisdn: '491570157', how: 'optedOut', lists, reason },
			{ contact: null, msisdn: 'Sam', how: 'notActive', lists, reason },
			{ contact: null, msisdn: null, how: 'optedOut', lists, reason },
			{ contact: null, msisdn: null, how: 'optedOut', lists, reason },
		]);
		expect(json).toHaveLength(5);
		expect(hints).toEqual([]);
	});

	it('answers an AI agent, which sees no hints', async () => {
		const call = await service.tool('contact/getOptedOut', { from: 'all', limit: 1 });

		expect(await call({})).toContain(optedOut.contact);
	});

	it('says so when Limit leaves somebody out', async () => {
		const { json, hints } = await getOptedOut({ returnAll: false, limit: 1 });

		expect(json).toEqual([optedOut]);
		expect(hints).toEqual([
			"The output includes only 1 of the 2 people who opted out. To get everyone, turn on 'Return All'",
		]);
	});

	it('gives nobody when a list cannot be read', async () => {
		await service.answer({ error: { code: 'NOT_FOUND' } }, { path, bodyIncludes: newsletter }, 400);
		const { json, error } = await getOptedOut({}, { settings: continues });

		expect(error).toBeUndefined();
		expect(json).toEqual([expect.objectContaining({ error: expect.any(String) })]);
	});

	it('gives nobody of an account without lists', async () => {
		await service.control.settings({ lists: 0 });

		expect((await getOptedOut()).json).toEqual([]);
	});

	it('reads thousands, a request for each hundred, and lets others in meanwhile', async () => {
		await service.control.settings({ listMembers: 3_000 });
		let turns = 0;
		const beating = setInterval(() => turns++, 1);
		const { json } = await getOptedOut();
		clearInterval(beating);

		expect(json).toEqual([optedOut]);
		expect(await requests()).toHaveLength(30 + 1 + 5);
		expect(turns).toBeGreaterThan(20);
	});

	it('reads the lists once for all items', async () => {
		const { json } = await getOptedOut({}, { items: [{}, {}, {}] });

		expect(json).toEqual([optedOut, deleted, optedOut, deleted, optedOut, deleted]);
		expect(await requests()).toHaveLength(7);
	});

	itRefuses(service, 'contact/getOptedOut', { from: 'all', listId: customers, returnAll: true }, [
		[{ from: '={{ $json.nothing }}' }, "'Lists' has an unknown value"],
		[{ from: 'list', listId: '={{ $json.nothing }}' }, "'List' is empty"],
	]);
});
