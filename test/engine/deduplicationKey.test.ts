import { describe, expect, it } from 'vitest';
import { continues, retries, toPhone, useDeduplicationStore, useEmulator } from './emulator.ts';
import type { NodeSettings } from './harness.ts';

const service = useEmulator();
const store = useDeduplicationStore();

type Item = { phone: string; key?: unknown; shop?: unknown; error?: string; id?: string };

const keyed = '={{ $json.key }}';
const run = async (items: Item[], settings: NodeSettings = {}, deduplicationKey = keyed) =>
	await service.sms(
		items,
		{ deduplicationKey, requestsPerSecond: 200 },
		{ settings: { ...continues, ...settings } },
	);
/** Runs one item as its user lets it run: what is unknown goes out again. */
const runRisky = async (deduplicationKey: string, settings: NodeSettings) => {
	const options = { deduplicationKey, onOutcomeUnknown: 'repeat' };
	return await service.sms([ana], options, { settings: { ...retries, ...settings } });
};
const stops = { ...retries, onError: 'stopWorkflow' } as const;

const { recipients } = service;

const ana = { phone: '61491570006', key: 'order-1' };
const ben = { phone: '61491570156', key: 'order-2' };

describe('Deduplication Key', () => {
	it('skips a key that an earlier execution used, and says so', async () => {
		await run([ana]);
		const { json } = await run([ana, ben]);

		expect(json[0]).toMatchObject({
			code: 'already_messaged',
			reason: expect.stringContaining('Deduplication Key'),
		});
		expect(json[1]).toMatchObject({ recipient: ben.phone });
		expect(await recipients()).toEqual([ana.phone, ben.phone]);
	});

	it('sends one of several items that have the same key in one run', async () => {
		const { json } = await run([ana, { ...ben, key: ana.key }, { ...ana }]);

		expect(json.filter(({ code }) => code === 'already_messaged')).toHaveLength(2);
		expect(await recipients()).toHaveLength(1);
	});

	it('takes a key with white space around it for the same key', async () => {
		const key = (text: string) => ({ ...ana, key: text });
		await run([key('order-1'), key('order-1\u00a0')]);
		await run([key(' order-1')]);
		await run([key('order-1')], {}, '={{ $json.key }} ');

		expect(await recipients()).toHaveLength(1);
	});

	it.each([
		['a zero-width space at its end', 'order-1\u200b'],
		['a zero-width space within it', 'order\u200b-1'],
		['full-width digits', 'order-１'],
		['a byte order mark', '\ufefforder-1'],
	])('takes a key with %s for the same key', async (_name, key) => {
		await run([ana, { ...ben, key }]);
		await run([{ ...ben, key }]);

		expect(await recipients()).toHaveLength(1);
	});

	it('takes keys that look different for different ones, such as the flags of England and Wales', async () => {
		const [england, wales] = ['gbeng', 'gbwls'].map((region) =>
			[
				'\u{1f3f4}',
				...[...region].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))),
				'\u{e007f}',
			].join(''),
		);
		await run([
			{ ...ana, key: england },
			{ ...ben, key: wales },
		]);

		expect(await recipients()).toHaveLength(2);
	});

	it('gives the key to the next item when the first was refused', async () => {
		await service.fault('status403', { bodyIncludes: ana.phone, count: 1 });
		const { json } = await run([ana, { ...ben, key: ana.key }]);

		expect(json[0]).toHaveProperty('error');
		expect(json[1]).toMatchObject({ recipient: ben.phone });
	});

	it('frees the key after a refusal, so that a later execution sends', async () => {
		await service.fault('status403', { path: '/v2/sms', count: 1 });
		await run([ana]);
		await run([ana]);

		expect(await recipients()).toEqual([ana.phone]);
	});

	it('keeps the key when the outcome is unknown', async () => {
		await service.fault('status500', { path: '/v2/sms', count: 1 });
		await run([ana]);
		const { json } = await run([ana]);

		expect(json[0]).toMatchObject({ code: 'already_messaged' });
		expect(await recipients()).toEqual([]);
	});

	it('is taken as it reads by now when a second try sends the item again', async () => {
		await service.fault('status500', { path: '/v2/sms', count: 1 });
		const deduplicationKey = '={{ $json.key }}-{{ $now.toMillis() }}';
		const { json } = await runRisky(deduplicationKey, { waitBetweenTries: 2 });

		expect(json).toMatchObject([{ recipient: ana.phone }]);
		expect(store.entries.size).toBe(2);
	});

	it('answers a retry of the node with what was accepted, not with skipped', async () => {
		await service.fault('status429', { bodyIncludes: ben.phone, count: 7 }, { retryAfter: 0 });
		const { json } = await run([ana, ben], stops);

		expect(json).toMatchObject([{ recipient: ana.phone }, { recipient: ben.phone }]);
		expect(await recipients()).toEqual([ana.phone, ben.phone]);
	});
});

describe('a Deduplication Key whose message may have gone out in an earlier try', () => {
	/** The first is accepted without an answer and cannot be looked up, the second refused. */
	const addFaults = async (path = '/v2/sms') => {
		const match = { method: 'POST', path, count: 1 };
		await service.fault('status500AfterAcceptance', match);
		await service.fault('status403', match);
		await service.fault('status500', { method: 'GET', count: 1_000 });
	};

	it('stays taken when the last try is refused, and the outcome stays unknown', async () => {
		await addFaults();
		const { error } = await runRisky(keyed, { maxTries: 2 });
		const { json } = await run([ana]);

		expect(error).toMatchObject({
			code: 'outcome_unknown',
			description: expect.stringContaining('The last attempt was rejected: '),
		});
		expect(store.entries).toContain('kudosity:send:order-1');
		expect(json).toMatchObject([{ code: 'already_messaged' }]);
		expect(await recipients()).toHaveLength(1);
	});

	it('stays taken when a third try is accepted after a refused one', async () => {
		await addFaults();
		const { error } = await runRisky(keyed, { maxTries: 3 });
		const { json } = await run([ana]);

		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ code: 'already_messaged' }]);
		expect(await recipients()).toHaveLength(2);
	});

	it('stays taken in a bulk message as well', async () => {
		await addFaults('/send-sms.json');
		const options = { deduplicationKey: keyed, onOutcomeUnknown: 'repeat' };
		const items = [{ to: ana.phone, key: ana.key }];
		const { error } = await service.bulk(items, options, { settings: { ...retries, maxTries: 2 } });

		expect(error).toMatchObject({ code: 'outcome_unknown' });
		expect(store.entries).toContain('kudosity:send:order-1');
	});
});

it('is not the key of a second row with the same person, while nobody knows of the first', async () => {
	await service.fault('resetAfterAcceptance', {
		path: '/v2/sms',
		bodyIncludes: ana.phone,
		count: 1,
	});
	const options = { deduplicationKey: keyed, onOutcomeUnknown: 'repeat', requestsPerSecond: 200 };
	const others = Array.from({ length: 60 }, (_, index) => ({
		phone: `614915702${10 + index}`,
		key: `order-${index + 10}`,
	}));
	const { json } = await service.sms([ana, ...others, ana], options, { settings: continues });

	expect((await recipients()).filter((number) => number === ana.phone)).toHaveLength(1);
	expect(json.at(-1)).toMatchObject({ code: 'already_messaged' });
});

it('claims a Deduplication Key again that an earlier try could give back only later', async () => {
	await service.fault('status403', { path: '/v2/sms', count: 2 });
	store.failReleases(1);
	await run([ana], stops);
	const { json } = await run([ana]);

	expect(json).toMatchObject([{ code: 'already_messaged' }]);
	expect(await recipients()).toEqual([ana.phone]);
});

describe('a skipped item', () => {
	it('says why, and which message was sent before', async () => {
		const first = await run([ana]);
		const { json } = await run([{ ...ana, id: 'contact-7' }]);

		expect(json).toEqual([
			{
				outcome: 'alreadySent',
				code: 'already_messaged',
				reason: expect.stringContaining('Deduplication Key'),
				canRetry: false,
				contact: ana.phone,
				messageId: first.json[0]?.id,
			},
		]);
	});

	it('does not look like a failure, whatever its input says', async () => {
		await run([ana]);
		const { items } = await run([{ ...ana, error: 'of an earlier node' }]);

		expect(items[0]?.json).toMatchObject({ code: 'already_messaged' });
		expect(items[0]?.json).not.toHaveProperty('error');
	});

	it('names no message when none was answered', async () => {
		await service.fault('status500', { path: '/v2/sms', count: 1 });
		const nobody = { ...ana, key: 'never-answered' };
		await run([nobody]);
		const { json } = await run([nobody]);

		expect(json[0]).toMatchObject({ code: 'already_messaged' });
		expect(json[0]).not.toHaveProperty('messageId');
	});
});

it('holds for each of the calls of an MCP client at once', async () => {
	const fields = { ...toPhone, recipient: ana.phone };
	const options = { deduplicationKey: '={{ $json.order }}' };
	const call = async (order: string) => {
		const tool = await service.tool('sms/send', { ...fields, options }, { isMcp: true });
		return await tool({ order });
	};
	await Promise.all(['order 1', 'order 2', 'order 1'].map(call));

	expect(await recipients()).toHaveLength(2);
});

describe('a Deduplication Key without a value', () => {
	it.each(['', '  ', null, undefined])(
		'is refused when its expression delivers %j, and nothing is sent',
		async (key) => {
			const { error } = await run([ben, { ...ana, key }], { onError: 'stopWorkflow' });

			expect(error).toMatchObject({
				message: "'Options > Deduplication Key' is empty",
				itemIndex: 1,
			});
			expect(await recipients()).toEqual([]);
			expect(store.entries.size).toBe(0);
		},
	);

	it.each(['', '='])('is refused where the option was added and left at %j', async (key) => {
		const { json } = await run([ana], {}, key);

		expect(json[0]).toMatchObject({ error: expect.stringContaining('is empty') });
		expect(await recipients()).toEqual([]);
	});

	it.each([
		['={{ $json.key + "-reminder" }}', 'undefined'],
		['={{ `${$json.shop}/${$json.key}` }}', 'undefined'],
		['=order-{{ "no_" + ($json.key ?? null) }}', 'null'],
		['=order-{{ $json.key?.trim ?? $json.shop.trim }}', '[native code]'],
	])('is refused for the item in which %s reads “%s”', async (expression, found) => {
		const items = [ana, ben].map((each) => ({ ...each, shop: '7' }));
		const { json } = await run([items[0]!, { ...items[1]!, key: undefined }], {}, expression);

		expect(json[1]).toEqual({
			error: expect.stringContaining(`has “${found}” where a value is missing`),
			details: { code: 'invalid_input' },
		});
		expect(store.entries.size).toBe((await recipients()).length);
	});

	it('is refused when it is fixed text with an expression in it, the same for all items', async () => {
		const { json } = await run([ana, ben], {}, 'order-{{ $json.key }}');

		const fixed = {
			error: expect.stringMatching(/is fixed text.*Switch the field to Expression$/s),
		};
		expect(json).toMatchObject([fixed, fixed]);
		expect(await recipients()).toEqual([]);
	});

	it('is refused for an agent as well', async () => {
		const options = { deduplicationKey: '={{ $json.orderId + "-" + $json.kind }}' };
		const call = await service.tool('sms/send', { ...toPhone, recipient: ana.phone, options });

		expect(await call()).toContain('has “undefined” where a value is missing');
		expect(await recipients()).toEqual([]);
	});
});

describe('a Deduplication Key that several recipients share', () => {
	const cleo = { phone: '61491570157', key: 'order-3' };
	const shared = expect.stringContaining(
		'is the same for 3 different recipients, so only the first would get a message',
	);

	it('sends nothing where the node stops', async () => {
		const { error } = await run([ana, ben, cleo], stops, '=reminder-{{ $json.shop }}');

		expect(error).toMatchObject({ message: shared, itemIndex: 0 });
		expect(error?.description).toContain("3 of 3 items can't be sent");
		expect(await recipients()).toEqual([]);
		expect(store.entries.size).toBe(0);
	});

	it('refuses these items where the node continues, and sends those with keys of their own', async () => {
		const others = { phone: '61491570158', key: 'mine' };
		const { json } = await run(
			[ana, others, ben, cleo].map((each) => ({
				...each,
				shop: each.key === 'mine' ? 'mine' : '',
			})),
			{},
			'=reminder-{{ $json.shop }}',
		);

		expect(json).toMatchObject([
			{ error: shared },
			{ recipient: others.phone },
			{ error: shared },
			{ error: shared },
		]);
	});

	it('is no mistake where it belongs to one person, however the number is written', async () => {
		const lines = [ana.phone, '+61 491 570 006', '0061491570006'].map((phone) => ({
			phone,
			key: 'order-1',
		}));
		const { json } = await run(lines);

		expect(json.filter(({ code }) => code === 'already_messaged')).toHaveLength(2);
		expect(await recipients()).toEqual([ana.phone]);
	});
});
