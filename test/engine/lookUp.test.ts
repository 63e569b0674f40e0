import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../playground/emulator/control/client.ts';
import {
	continues,
	retries,
	toPhone,
	useDeduplicationStore,
	useEmulator,
	useShortTimeouts,
} from './emulator.ts';

const service = useEmulator();
useDeduplicationStore();
useShortTimeouts();

const phoneOf = (index: number) => `61491570${100 + index}`;
const itemsOf = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ phone: phoneOf(index) }));
const parameters = { ...toPhone, message: '=Hello {{ $json.phone }}' };

type Run = { items?: object[]; settings?: object; stopWhen?: () => Promise<unknown> };
const send = async (options: object = {}, { items = itemsOf(5), ...run }: Run = {}) =>
	await service.run(
		'sms/send',
		{ ...parameters, options: { requestsPerSecond: 500, ...options } },
		{ items, settings: continues, ...run },
	);

const sending = { method: 'POST', path: '/v2/sms' };
const looking = { method: 'GET', path: '/v2/sms' };
/** The third item. */
const third = { ...sending, bodyIncludes: phoneOf(2) };
const lose = async (rule: FaultRule) =>
	await service.control.addFault({ ...rule, match: { ...third, ...rule.match } });

const looks = async () => (await service.control.requests(looking)).length;
const accepted = async () => await service.control.messages();
const sentTo = async () => (await service.recipients()).sort();
const phones = (count: number) => itemsOf(count).map(({ phone }) => phone);
const unknown = {
	error: expect.stringMatching(/^Kudosity did not confirm the request /),
	details: { code: 'outcome_unknown' },
};

describe('a message whose answer was lost', () => {
	it.each([
		'status500AfterAcceptance',
		'timeoutAfterAcceptance',
		'resetAfterAcceptance',
		'malformedJson',
		'emptyBody',
		'html200AfterAcceptance',
	] as const)('is found after %s, and answered as the others are', async (fault) => {
		await lose({ fault });
		const { json, items } = await send();

		expect(json.map(({ recipient }) => recipient)).toEqual(phones(5));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(json.map((_, item) => ({ item })));
		expect(Object.keys(json[2]!).sort()).toEqual(Object.keys(json[1]!).sort());
		const book = await accepted();
		expect(book).toHaveLength(5);
		expect(json.map(({ id }) => id).sort()).toEqual(book.map(({ id }) => id).sort());
		expect(json[2]).toMatchObject({ sms_count: 1, parts: 1, encoding: 'GSM-7' });
	});

	it.each(['status500', 'timeout', 'reset', 'html'] as const)(
		'stays unknown after %s, when it was not accepted',
		async (fault) => {
			await lose({ fault });
			const { json } = await send();

			expect(json[2]).toEqual(unknown);
			expect(json.filter(({ id }) => id)).toHaveLength(4);
			expect(await sentTo()).toEqual(phones(5).filter((phone) => phone !== phoneOf(2)));
		},
	);

	it('is found although it cannot be read at first', async () => {
		await lose({ fault: 'resetAfterAcceptance' });
		await service.answer({ smses: [], total_records: '0' }, { ...looking, count: 5 });
		const { json } = await send();

		expect(json.map(({ recipient }) => recipient)).toEqual(phones(5));
		expect(await looks()).toBe(6);
	});

	it.each(['reset', 'status500', 'timeout', 'html200AfterAcceptance', 'status429'] as const)(
		'is found although looking fails at first: %s',
		async (fault) => {
			await lose({ fault: 'status500AfterAcceptance' });
			await service.fault(fault, { ...looking, count: 3 });
			const { json } = await send();

			expect(json.map(({ recipient }) => recipient)).toEqual(phones(5));
		},
	);

	it('is looked for when the others are done', async () => {
		await lose({ fault: 'status500AfterAcceptance' });
		await send({}, { items: itemsOf(60) });

		const requests = await service.control.requests({ path: '/v2/sms' });
		expect(requests.map(({ method }) => method)).toEqual([...Array(60).fill('POST'), 'GET']);
	});

	it('is found whatever became of its links', async () => {
		await service.fault('resetAfterAcceptance', sending);
		const message = 'See https://shop.example/7 or leave: [opt-out-link]';
		const { json } = await service.run(
			'sms/send',
			{ ...parameters, message, options: { trackLinks: true } },
			{ items: itemsOf(1) },
		);

		expect(json).toMatchObject([{ recipient: phoneOf(0), track_links: true }]);
	});
});

describe('looking', () => {
	it('is not done while all is well, or when the user does not want it', async () => {
		await send();
		await lose({ fault: 'status500AfterAcceptance' });
		const { json } = await send({ onOutcomeUnknown: 'fail' });

		expect(json[2]).toEqual(unknown);
		expect(await looks()).toBe(0);
		const bodies = (await service.control.requests(sending)).map(({ body }) => body);
		expect(bodies.slice(0, 5)).toEqual(
			Array(5).fill(
				expect.objectContaining({ message_ref: expect.stringMatching(/^n8n-[\w-]+$/) }),
			),
		);
		for (const body of bodies.slice(5)) expect(body).not.toHaveProperty('message_ref');
	});

	it('gives each message a reference of its own', async () => {
		await send();
		const references = (await accepted()).map(({ message_ref: reference }) => reference);
		expect(new Set(references).size).toBe(5);
	});

	it('takes no other message for it, where the service does not look at the reference', async () => {
		await lose({ fault: 'status500' });
		const record = { id: 'a', message_ref: 'n8n-1', recipient: phoneOf(2), direction: 'OUT' };
		await service.answer({ smses: [record] }, { ...looking, count: 'forever' });
		const { json } = await send();

		expect(json[2]).toEqual(unknown);
	});

	it('ends after 150 seconds, and asks for one message only while nobody answers', async () => {
		await service.control.addFault(
			{ fault: 'status500AfterAcceptance', match: { ...sending, count: 'forever' } },
			{ fault: 'status500', match: { ...looking, count: 'forever' } },
		);
		const begunMs = performance.now();
		const { json } = await send();

		expect(json).toEqual(Array(5).fill(unknown));
		expect(performance.now() - begunMs).toBeGreaterThan(120_000);
		expect(performance.now() - begunMs).toBeLessThan(155_000);
		expect(await looks()).toBeLessThan(20);
	});

	it('ends after 150 seconds of the run, also where others were found before', async () => {
		const firstTen = { ...sending, bodyIncludes: '6149157010', count: 'forever' as const };
		await service.control.addFault(
			{ fault: 'status500AfterAcceptance', match: firstTen },
			{ fault: 'status500', match: { ...sending, count: 'forever' } },
		);
		const begunMs = performance.now();
		const { error } = await send({}, { items: itemsOf(60), settings: {} });

		expect(error?.description).toContain('10 of 60 items were completed');
		expect(performance.now() - begunMs).toBeGreaterThan(120_000);
		expect(performance.now() - begunMs).toBeLessThan(155_000);
	});

	it('ends at once where the key may not read', async () => {
		await lose({ fault: 'status500AfterAcceptance' });
		await service.fault('status403', { ...looking, count: 'forever' });
		const { json } = await send();

		expect(json[2]).toEqual(unknown);
		expect(await looks()).toBe(1);
	});

	it('ends when the execution is stopped', async () => {
		await lose({ fault: 'status500AfterAcceptance' });
		await service.fault('timeout', { ...looking, count: 'forever' });
		const stopWhen = async () => await service.control.waitForRequests(looking);
		const { run } = await send({}, { stopWhen });

		expect(run.status).toBe('canceled');
		expect(await looks()).toBe(1);
	});
});

describe("a message with a reference of the user's", () => {
	const options = { messageRef: 'order-7' };

	it.each(['status500', 'resetAfterAcceptance'] as const)(
		'is not looked for after %s, since another message can have the same one',
		async (fault) => {
			await service.fault(fault, { ...sending, count: 'forever' });
			const { json } = await send(options);

			expect(json).toEqual(Array(5).fill(unknown));
			expect(await looks()).toBe(0);
		},
	);

	it('ends a run that stops at a failure at once', async () => {
		await service.fault('status500', { ...sending, count: 'forever' });
		const { error } = await send(options, { items: itemsOf(120), settings: {} });

		expect(error).toMatchObject({ code: 'outcome_unknown' });
		expect((await service.control.requests(sending)).length).toBeLessThan(60);
	});
});

describe('a node that stops at a failure', () => {
	it('goes on with the others while an item is in doubt', async () => {
		await lose({ fault: 'status500AfterAcceptance' });
		const { json, error } = await send({}, { items: itemsOf(60), settings: {} });

		expect(error).toBeUndefined();
		expect(json.map(({ recipient }) => recipient)).toEqual(phones(60));
	});

	it('fails when the message is not found', async () => {
		await lose({ fault: 'status500' });
		const { error } = await send({}, { settings: {} });

		expect(error).toMatchObject({ itemIndex: 2, code: 'outcome_unknown' });
		expect(error?.description).toContain('4 of 5 items were completed');
	});

	it('looks for what is in doubt when another item is refused', async () => {
		// All are under way when the first is refused.
		await service.control.settings({ latencyMs: 500 });
		await lose({ fault: 'status500AfterAcceptance' });
		await service.fault('status403', { ...sending, bodyIncludes: phoneOf(0) });
		const { error } = await send({}, { settings: {} });

		expect(error).toMatchObject({ itemIndex: 0, httpCode: '403' });
		expect(error?.description).toContain('4 of 5 items were completed');
	});

	it('begins no more messages while the service leaves all of them without an answer', async () => {
		await service.fault('status500', { path: '/v2', count: 'forever' });
		const { error } = await send({}, { items: itemsOf(120), settings: {} });

		expect(error?.message).toMatch(/^Kudosity did not confirm the request /);
		expect((await service.control.requests(sending)).length).toBeLessThan(75);
	});

	it('counts no item as an answer that is skipped for its key', async () => {
		const keyed = { deduplicationKey: '={{ $json.phone }}' };
		const all = itemsOf(120);
		await send(keyed, { items: all.filter((_, index) => index % 2 === 0), settings: {} });
		await service.fault('status500', { path: '/v2', count: 'forever' });
		const before = (await service.control.requests(sending)).length;
		const { error } = await send(keyed, { items: all, settings: {} });

		expect(error?.message).toMatch(/^Kudosity did not confirm the request /);
		expect((await service.control.requests(sending)).length - before).toBeLessThan(50);
	});

	it('goes on when all of them are found', async () => {
		await service.fault('status500AfterAcceptance', { ...sending, count: 60 });
		const { json, error } = await send({}, { items: itemsOf(100), settings: {} });

		expect(error).toBeUndefined();
		expect(json.map(({ recipient }) => recipient)).toEqual(phones(100));
		expect(await sentTo()).toEqual(phones(100).sort());
	});
});

describe('a message that was found', () => {
	it('is not sent again by Retry On Fail', async () => {
		await lose({ fault: 'status500AfterAcceptance' });
		await service.fault('status403', { ...sending, bodyIncludes: phoneOf(4), count: 1 });
		const { json, error } = await send({}, { settings: retries });

		expect(error).toBeUndefined();
		expect(json.map(({ recipient }) => recipient)).toEqual(phones(5));
		expect(await sentTo()).toEqual(phones(5));
	});

	it('is not sent again where the unknown is to be repeated', async () => {
		await lose({ fault: 'status500AfterAcceptance' });
		await service.fault('status500', { ...sending, bodyIncludes: phoneOf(4), count: 1 });
		const { json, error } = await send({ onOutcomeUnknown: 'repeat' }, { settings: retries });

		expect(error).toBeUndefined();
		expect(json.map(({ recipient }) => recipient)).toEqual(phones(5));
		expect(await sentTo()).toEqual(phones(5));
	});

	it('has used its Deduplication Key', async () => {
		const options = { deduplicationKey: '={{ $json.phone }}' };
		await lose({ fault: 'status500AfterAcceptance' });
		const first = await send(options);
		expect(first.json.every(({ id }) => id)).toBe(true);
		const { json } = await send(options);

		expect(json).toMatchObject(
			first.json.map(({ id }) => ({ code: 'already_messaged', messageId: id })),
		);
		expect(await accepted()).toHaveLength(5);
	});

	it('is told to an agent, who can send the same again', async () => {
		await service.fault('status500AfterAcceptance', sending);
		const call = await service.tool('sms/send', { ...toPhone, recipient: phoneOf(0) });
		const answer = JSON.stringify(await call());
		const [sent] = await accepted();
		expect(answer).toContain(`${sent?.id}`);
		expect(answer).not.toContain('created_at');

		await call();
		expect(await accepted()).toHaveLength(2);
	});
});
