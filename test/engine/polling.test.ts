/** The polling trigger in n8n's engine: what it delivers, over all that n8n does with what it stores. */
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { IDataObject } from 'n8n-workflow';
import { PLAYGROUND_API_KEY } from '../../playground/emulator/model.ts';
import { credentialsFor, useEmulator } from './emulator.ts';
import { passTime } from './pauses.ts';
import { createPoller, type Poller, type PollerOptions } from './pollingNode.ts';
import { registerTrigger } from './triggerNode.ts';

const service = useEmulator();

const ours = '61491570006';
const contact = '61491573770';
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let aheadMs = 0;
beforeEach(() => void (aheadMs = 0));

/** Lets the clocks of n8n and of the service go on. */
const elapse = async (ms: number) => {
	aheadMs += ms;
	passTime(ms);
	await service.control.settings({ clockAheadMs: aheadMs });
};

/** Someone writes to us. `agoMs`: when the service received it, if it lists it only now. */
const receive = async (text: string, { agoMs = 0, from = contact, to = ours } = {}) => {
	const at = agoMs === 0 ? {} : { at: new Date(Date.now() + aheadMs - agoMs).toISOString() };
	return await service.control.inbound({ from, to, text, ...at });
};

const send = async (text: string, recipient = contact) => {
	const fields = { message: text, sender: ours, recipient };
	const { json } = await service.run('sms/send', fields);
	return String(json[0]?.id);
};

/** As another program sends. */
const post = async (message: string): Promise<{ id: string }> => {
	const response = await fetch(`${service.url}/v2/sms`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'x-api-key': PLAYGROUND_API_KEY },
		body: JSON.stringify({ message, sender: ours, recipient: contact }),
	});
	return (await response.json()) as { id: string };
};

const poller = (options: Partial<PollerOptions> = {}): Poller =>
	createPoller({ credentials: service.credentials, ...options });

const published = async (options: Partial<PollerOptions> = {}): Promise<Poller> => {
	const node = poller(options);
	await node.activate();
	return node;
};

const texts = ({ output }: Poller) => output().map(({ text }) => text);

const requestsOf = async (task: () => Promise<unknown>): Promise<number> => {
	const before = (await service.control.requests()).length;
	await task();
	return (await service.control.requests()).length - before;
};

/** Time passes for the trigger, as between two sweeps for statuses. */
const nextSweep = async ({ tick }: Poller) => {
	await elapse(5 * minuteMs);
	await tick();
};

describe('what it delivers', () => {
	it('is each received SMS once, oldest first, and nothing from before', async () => {
		await receive('before');
		await elapse(2_000);
		const node = await published();
		expect(node.executions).toEqual([]);
		await receive('one');
		await receive('two');
		await node.tick();
		await node.tick();
		await receive('three');
		await node.tick();
		expect(node.executions.map((items) => items.map(({ json }) => json.text))).toEqual([
			['one', 'two'],
			['three'],
		]);
	});

	it('is the output of the Kudosity Trigger, without its webhook', async () => {
		const node = await published({ parameters: { events: ['SMS_INBOUND', 'SMS_STATUS'] } });
		const { deliver } = await registerTrigger(service, {
			parameters: { events: ['SMS_INBOUND', 'SMS_STATUS'] },
		});
		const messageId = await send('Are you coming?');
		await receive('Hello', { from: '61491571266' });
		await service.control.reply(messageId, 'Yes, please');
		await receive('STOP', { from: '61491571266' });
		await service.control.setStatus(messageId, 'DELIVERED');
		await node.tick();

		await service.control.waitForDeliveries({}, { count: 4, timeoutMs: 5_000 });
		const deliveries = await service.control.deliveries();
		const delivered = [];
		for (const { payload } of deliveries) {
			const { outputs } = await deliver(JSON.parse(payload));
			const { webhookId, webhookName, ...json } = outputs[0]![0]!.json;
			expect([webhookId, webhookName]).toEqual([expect.anything(), expect.anything()]);
			delivered.push({ ...json, timestamp: expect.any(String) });
		}
		const output = node.output();
		// Deliveries may come in another order.
		expect(output).toEqual(expect.arrayContaining(delivered));
		expect([output.length, delivered.length]).toEqual([4, 4]);
		const namesOf = (events: object[]) => events.map((each) => Object.keys(each).join()).sort();
		expect(namesOf(output)).toEqual(namesOf(delivered));
	});
});

describe('where it starts', () => {
	it('is the time of the service, whichever time n8n has', async () => {
		for (const clockAheadMs of [-3 * hourMs, 3 * hourMs]) {
			aheadMs = clockAheadMs;
			await elapse(0);
			await receive('before', { agoMs: minuteMs });
			const node = await published();
			await receive('after');
			await node.tick();
			expect(texts(node)).toEqual(['after']);
		}
	});

	it('is where it was, after n8n was down for days', async () => {
		const node = await published();
		await receive('one');
		await node.tick();
		await receive('meanwhile');
		await elapse(72 * hourMs);
		await node.restart();
		await node.tick();
		expect(texts(node)).toEqual(['one', 'meanwhile']);
	});

	it('is where it was if a poll without output was never stored', async () => {
		const node = await published();
		await node.tick();
		await receive('one');
		await node.restart();
		expect(texts(node)).toEqual(['one']);
	});

	it.each([
		['where it was, when it was unpublished for a moment', 0, ['one', 'early', 'late', 'after']],
		['a day ago at most, when it was unpublished for a month', 30 * 24, ['one', 'late', 'after']],
	])('is %s', async (_, hours, expected) => {
		const node = await published();
		await receive('one');
		await node.tick();
		await elapse(72 * hourMs);
		await node.tick();
		node.deactivate();
		await receive('early');
		await elapse(hours * hourMs);
		await receive('late');
		// The first poll can't ask for the time, so the day counts from the second one.
		await service.fault('status500', { count: 2 });
		await node.activate('activate');
		await receive('after');
		await node.tick();
		expect(texts(node)).toEqual(expected);
	});

	it('is where it was, when the package is updated between two polls', async () => {
		const node = await published();
		const { now } = Date;
		const later = vi.spyOn(Date, 'now').mockImplementation(() => now() + 2 * hourMs);
		onTestFinished(() => later.mockRestore());
		await node.tick();
		await receive('one');
		await node.update();
		await node.tick();
		expect(texts(node)).toEqual(['one']);
	});

	it('is when it could be published, days after the key was refused', async () => {
		const credentials = credentialsFor(service.url, 'wrong-key');
		const node = poller({ credentials });
		await expect(node.activate()).rejects.toThrow();
		await receive('meanwhile');
		await elapse(48 * hourMs);
		Object.assign(credentials, service.credentials);
		// n8n 2 takes what it could not publish for published.
		await node.activate('update');
		await receive('after');
		await node.tick();
		expect(texts(node)).toEqual(['after']);
	});

	it.each(['update', 'activate'] as const)(
		'is where it was, when it is published again at once: %s',
		async (mode) => {
			const node = await published();
			await receive('one');
			await node.tick();
			await receive('meanwhile');
			await node.activate(mode);
			expect(texts(node)).toEqual(['one', 'meanwhile']);
		},
	);

	it('cannot be told while the service is down, so a new trigger is not published', async () => {
		const node = poller();
		await service.fault('status500', { count: 'forever' });
		for (const mode of ['activate', 'update'] as const) {
			await expect(node.activate(mode)).rejects.toThrow('Kudosity could not process the request');
		}
		await service.control.clearFaults();
		await receive('before', { agoMs: minuteMs });
		await node.activate();
		await receive('after');
		await node.tick();
		expect(texts(node)).toEqual(['after']);
	});

	it('cannot be told for a new event while the service is down, so it is not published either', async () => {
		const node = await published();
		node.change({ parameters: { events: ['SMS_INBOUND', 'SMS_STATUS'] } });
		await service.fault('status500', { count: 'forever' });
		await expect(node.activate('update')).rejects.toThrow('Kudosity could not process');
		await service.control.clearFaults();
		await receive('meanwhile');
		await node.activate('update');
		expect(texts(node)).toEqual(['meanwhile']);
	});

	it('is the first poll that reaches the service, if nothing is stored when n8n starts', async () => {
		const node = await published();
		node.setDatabase({});
		await service.fault('status500', { count: 'forever' });
		await node.restart();
		await receive('before', { agoMs: minuteMs });
		await service.control.clearFaults();
		await node.tick();
		await receive('after');
		await node.tick();
		expect(texts(node)).toEqual(['after']);
		expect(node.errors).toEqual([]);
	});

	it('is now, for an event that nobody wanted meanwhile', async () => {
		const both = ['SMS_INBOUND', 'SMS_STATUS'];
		const node = await published({ parameters: { events: both } });
		for (const events of [['SMS_STATUS'], both]) {
			await receive(`before ${events}`);
			await node.tick();
			await elapse(hourMs);
			node.change({ parameters: { events } });
			await node.activate('update');
		}
		await receive('after');
		await node.tick();
		expect(texts(node)).toEqual(['before SMS_STATUS', 'after']);
	});

	it('is minutes ago at most, when the credential becomes that of another account', async () => {
		const accounts = ['live', 'test'].map((id) => ({ id, apiKey: id, apiSecret: 'secret' }));
		await service.control.settings({ accounts });
		const credentials = credentialsFor(service.url);
		Object.assign(credentials.kudosityKeyApi!, { apiKey: 'test' });
		const node = await published({ credentials });
		await receive('long before');
		for (let count = 0; count < 3; count += 1) {
			await elapse(hourMs);
			await node.tick();
		}
		Object.assign(credentials.kudosityKeyApi!, { apiKey: 'live' });
		await receive('after');
		await node.tick();
		expect(texts(node)).toEqual(['after']);
	});

	it('goes with the node when that is renamed, also if n8n is restarted at once', async () => {
		const node = await published();
		await receive('one');
		await node.tick();
		await receive('meanwhile');
		node.change({ settings: { name: 'Incoming' } });
		await node.activate('update');
		await receive('later');
		node.change({ settings: { name: 'Replies' } });
		await node.restart();
		expect(texts(node)).toEqual(['one', 'meanwhile', 'later']);
	});

	it('is now, for a node that gets the name of a removed one', async () => {
		const removed = await published({ settings: { id: 'removed' }, workflowId: 'same' });
		await receive('before');
		await removed.tick();
		await elapse(30 * minuteMs);
		const added = poller({ settings: { id: 'added' }, workflowId: 'same' });
		added.setDatabase(removed.database());
		await receive('meanwhile', { agoMs: minuteMs });
		await added.activate('update');
		await receive('after');
		await added.tick();
		expect(texts(added)).toEqual(['after']);
	});
});

describe('nothing is lost and nothing comes twice', () => {
	it('when a message is listed up to 14 minutes late', async () => {
		const node = await published();
		await elapse(hourMs);
		await receive('one');
		await node.tick();
		await receive('late', { agoMs: 14 * minuteMs });
		await node.tick();
		await receive('two');
		await node.tick();
		await node.restart();
		expect(texts(node)).toEqual(['one', 'late', 'two']);
	});

	it('when a date lies in the future', async () => {
		const node = await published();
		await receive('future', { agoMs: -48 * hourMs });
		await node.tick();
		await receive('one');
		await node.tick();
		await node.restart();
		expect(texts(node)).toEqual(['future', 'one']);
	});

	it('when more than 500 wait: each poll takes the oldest 500, without a message for the next', async () => {
		const node = await published({ parameters: { simplify: false } });
		const expected = Array.from({ length: 1_050 }, (_, index) => `m${index}`);
		await Promise.all(
			expected.map(async (text, index) => await receive(text, { agoMs: -1 - index })),
		);
		for (let count = 0; count < 3; count += 1) await node.tick();
		expect(node.executions.map(({ length }) => length)).toEqual([500, 500, 50]);
		expect(node.output().map(({ message }) => message)).toEqual(expected);
		// The overlap takes a request for each full page.
		expect(await requestsOf(node.tick)).toBe(2);
	});

	it('when the service was so slow that a poll only read again what it had delivered', async () => {
		const node = await published({ parameters: { simplify: false } });
		const received = Array.from({ length: 2_100 }, (_, index) => index);
		const beganMs = Date.now();
		await Promise.all(received.map(async (index) => await receive('old', { agoMs: -1 - index })));
		for (let count = 0; count < 5; count += 1) await node.tick();
		await elapse(minuteMs);
		await receive('STOP');
		await service.fault('slow', { count: 'forever' }, { delayMs: 100 });
		for (let count = 0; count < 2; count += 1) {
			const polling = node.tick();
			const slowly = setInterval(() => passTime(1_000), 10);
			await polling.finally(() => clearInterval(slowly));
		}
		await service.control.clearFaults();
		await receive('listed late', { agoMs: aheadMs + Date.now() - beganMs });
		await node.tick();
		const messages = node.output().map(({ message }) => message);
		expect([messages.length, messages.slice(2_100).sort()]).toEqual([
			2_102,
			['STOP', 'listed late'],
		]);
	});

	it('when polls overlap', async () => {
		const node = await published();
		await receive('one');
		await service.fault('slow', {}, { delayMs: 300 });
		await Promise.all([node.tick(), node.tick(), node.tick()]);
		expect(texts(node)).toEqual(['one']);
	});

	const n8ns = [
		['n8n 2, which drops its output', {}],
		['n8n 1, which would take its output', { isN8n1: true }],
	] as const;

	/** A poll that waits for the service. */
	const beginPoll = async (node: Poller) => {
		const requests = (await service.control.requests({ path: '/v2/sms' })).length;
		await service.fault('slow', {}, { delayMs: 1_000 });
		const ended = node.tick();
		const filter = { path: '/v2/sms' };
		await service.control.waitForRequests(filter, { count: requests + 1, timeoutMs: 5_000 });
		return { ended };
	};

	it.each(n8ns)('when it is published again while a poll is under way: %s', async (_, options) => {
		const node = await published(options);
		await receive('one');
		const poll = await beginPoll(node);
		await node.activate('update');
		await poll.ended;
		await node.tick();
		expect(texts(node)).toEqual(['one']);
		expect(node.errors).toEqual([]);
	});

	it.each(n8ns)('when it is unpublished while a poll is under way: %s', async (_, options) => {
		const node = await published(options);
		await receive('one');
		const poll = await beginPoll(node);
		node.deactivate();
		await poll.ended;
		await receive('meanwhile');
		await node.activate();
		await node.tick();
		expect(texts(node)).toEqual(['one', 'meanwhile']);
	});

	it('when another node sets back what n8n has stored', async () => {
		const node = await published();
		const old = structuredClone(node.database());
		await receive('one');
		await node.tick();
		await receive('two');
		await node.tick();
		await node.tick();
		for (const stored of [old, {}]) {
			node.setDatabase(stored);
			await node.activate('update');
			await node.tick();
		}
		expect(texts(node)).toEqual(['one', 'two']);
	});

	it('when a node gets back an earlier name, and n8n is restarted', async () => {
		const node = await published({ settings: { name: 'A' } });
		for (const name of ['B', 'A']) {
			await receive(`before ${name}`);
			await node.tick();
			node.change({ settings: { name } });
			await node.activate('update');
		}
		await node.restart();
		expect(texts(node)).toEqual(['before B', 'before A']);
	});

	it('with two triggers on one account, each of which gets everything', async () => {
		const nodes = [await published(), await published()];
		await receive('one');
		for (const { tick } of [...nodes, ...nodes]) await tick();
		expect(nodes.map(texts)).toEqual([['one'], ['one']]);
	});

	it('when a trigger watches one of several numbers', async () => {
		const node = await published({ parameters: { filters: { sender: ['+61 491 570 156'] } } });
		await receive('elsewhere');
		await receive('one', { to: '61491570156' });
		await node.tick();
		expect(texts(node)).toEqual(['one']);
	});
});

describe('what comes twice', () => {
	it('is the output of the last poll, if n8n is set back and publishes again before the next', async () => {
		const node = await published();
		const old = structuredClone(node.database());
		for (const text of ['one', 'two']) {
			await receive(text);
			await node.tick();
		}
		node.setDatabase(old);
		await node.activate('update');
		expect(texts(node)).toEqual(['one', 'two', 'two']);
	});

	it('is everything since, if n8n is set back and restarted', async () => {
		const node = await published();
		const old = structuredClone(node.database());
		for (const text of ['one', 'two']) {
			await receive(text);
			await node.tick();
		}
		node.setDatabase(old);
		await node.restart();
		expect(texts(node)).toEqual(['one', 'two', 'one', 'two']);
	});

	it('is the output of a poll that n8n 1 takes after it has read what is stored', async () => {
		const node = await published({ isN8n1: true });
		await receive('one');
		await node.activateBeforeOutput();
		expect(texts(node)).toEqual(['one', 'one']);
		await node.tick();
		expect(texts(node)).toHaveLength(2);
	});
});

describe('what it stores', () => {
	it('stays small', async () => {
		const node = await published({ parameters: { simplify: false } });
		for (let index = 0; index < 20; index += 1) await receive('x');
		await node.tick();
		const idsIn = () => JSON.stringify(node.database()).match(/[0-9a-f]{8}-/g)?.length;
		expect(idsIn()).toBe(20);
		await elapse(31 * minuteMs);
		await receive('later');
		await node.tick();
		expect(idsIn()).toBe(1);
	});

	it('may be anything', async () => {
		const node = await published();
		const { global } = node.database() as { global: IDataObject };
		const [key] = Object.keys(global);
		const cursor = { fromMs: 1, sinceMs: 1, seen: {} };
		const wrong = [
			'x',
			{ sinceMs: 'x' },
			{ ...cursor, sinceMs: 1e300 },
			{ ...cursor, fromMs: 9e15 },
		];
		for (const stored of [null, 7, [], ...wrong.map((SMS_INBOUND) => ({ SMS_INBOUND }))]) {
			node.setDatabase({ global: { [key!]: stored as never } });
			await node.restart();
			await node.tick();
		}
		await receive('one');
		await node.tick();
		expect(texts(node)).toEqual(['one']);
		expect(node.errors).toEqual([]);
	});
});

describe('statuses', () => {
	const watching = { events: ['SMS_STATUS'] };
	const statuses = ({ output }: Poller) => output().map(({ status }) => status);

	it('are delivered as they change, each once, and not while a message only waits', async () => {
		const earlier = await send('before');
		const node = await published({ parameters: watching });
		const id = await send('Hello');
		await node.tick();
		for (const status of ['SENT', 'DELIVERED']) {
			await service.control.setStatus(id, status);
			await nextSweep(node);
			await nextSweep(node);
		}
		await service.control.setStatus(earlier, 'FAILED');
		await nextSweep(node);
		await node.restart();
		expect(node.output().map(({ messageId, status }) => [messageId, status])).toEqual([
			[id, 'SENT'],
			[id, 'DELIVERED'],
			[earlier, 'FAILED'],
		]);
	});

	it('are asked for every five minutes, and not of messages that can no longer change', async () => {
		const node = await published({ parameters: watching });
		const open = await send('still open');
		await node.tick();
		const done = await Promise.all(['a', 'b', 'c'].map(async (text) => await send(text)));
		for (const id of done) await service.control.setStatus(id, 'DELIVERED');
		expect(await requestsOf(node.tick)).toBe(0);
		await nextSweep(node);
		expect(statuses(node)).toEqual(['DELIVERED', 'DELIVERED', 'DELIVERED']);
		await service.control.setStatus(open, 'DELIVERED');
		await nextSweep(node);
		await elapse(hourMs);
		await node.tick();
		await nextSweep(node);
		const last = (await service.control.requests({ method: 'GET' })).at(-1);
		const fromMs = Date.parse(String(last?.query.start_date));
		expect(fromMs).toBeGreaterThan(Date.now() + aheadMs - 25 * minuteMs);
	});

	it('are also of earlier messages, when a filter for another sender is removed', async () => {
		const filters = { sender: ['61491570156'] };
		const node = await published({ parameters: { ...watching, filters } });
		const id = await send('Hello');
		await nextSweep(node);
		await elapse(20 * minuteMs);
		await nextSweep(node);
		node.change({ parameters: { filters: {} } });
		await node.activate('update');
		await service.control.setStatus(id, 'DELIVERED');
		await nextSweep(node);
		await nextSweep(node);
		expect(statuses(node)).toEqual(['DELIVERED']);
	});

	it('are delivered 500 at a poll, and go on from there', async () => {
		const node = await published({ parameters: { ...watching, simplify: false } });
		await service.control.settings({ autoStatus: true, statusDelaysMs: [0] });
		const sent = await Promise.all(
			Array.from({ length: 620 }, async (_, index) => (await post(`m${index}`)).id),
		);
		for (let count = 0; count < 3; count += 1) await node.tick();
		expect(node.executions.map(({ length }) => length)).toEqual([500, 120]);
		expect(new Set(node.output().map(({ id }) => id))).toEqual(new Set(sent));
		const delivered = sent.slice(0, 20);
		for (const id of delivered) await service.control.setStatus(id, 'DELIVERED');
		await nextSweep(node);
		await node.restart();
		const last = node.executions.at(-1)!.map(({ json }) => json.id);
		expect([node.executions.length, new Set(last)]).toEqual([3, new Set(delivered)]);
	});

	it('go on after a restart in the middle', async () => {
		const node = await published({ parameters: { ...watching, simplify: false } });
		await service.control.settings({ autoStatus: true, statusDelaysMs: [0, 0] });
		const sent = await Promise.all(
			Array.from({ length: 520 }, async (_, index) => (await post(`m${index}`)).id),
		);
		await node.tick();
		await node.restart();
		expect(node.executions.map(({ length }) => length)).toEqual([500, 20]);
		expect(new Set(node.output().map(({ id }) => id))).toEqual(new Set(sent));
	});

	it('come together with received messages', async () => {
		const node = await published({ parameters: { events: ['SMS_INBOUND', 'SMS_STATUS'] } });
		await receive('Hello');
		const id = await send('Hi');
		await service.control.setStatus(id, 'SENT');
		await node.tick();
		expect(node.output().map(({ eventType }) => eventType)).toEqual(['SMS_INBOUND', 'SMS_STATUS']);
	});
});

describe('a poll', () => {
	it('costs one request when there is nothing new', async () => {
		const node = await published();
		expect(await requestsOf(node.tick)).toBe(1);
		for (let index = 0; index < 3; index += 1) await receive('x');
		expect(await requestsOf(node.tick)).toBe(4);
		expect(await requestsOf(node.tick)).toBe(1);
		await node.restart();
		expect(await requestsOf(node.tick)).toBe(1);
	});

	it('leaves out what the message before was, if nobody can tell', async () => {
		const node = await published();
		await receive('one');
		await service.fault('status500', { skip: 1, count: 'forever' });
		await node.tick();
		expect(node.output()).toMatchObject([{ text: 'one', keyword: 'ONE' }]);
		expect(node.output()[0]).not.toHaveProperty('isReply');
		expect(node.output()[0]).not.toHaveProperty('inReplyTo');
	});

	it('says of a text that stands for a reaction that it is one', async () => {
		const node = await published();
		await send('See you at 9?');
		await receive('Liked “See you at 9?”');
		await receive('Liked “Hamilton”');
		await node.tick();
		expect(node.output()).toMatchObject([{ isReaction: true }, { isReaction: false }]);
		expect(node.output().map(({ keyword }) => keyword)).toEqual([undefined, 'LIKED']);
	});

	it('returns the record of the service with Simplify off', async () => {
		const node = await published({ parameters: { simplify: false } });
		const { id } = await receive('one');
		await node.tick();
		expect(node.output()).toMatchObject([{ id, direction: 'IN', message: 'one', sms_count: 1 }]);
	});

	it('uses the key that the credential has now', async () => {
		const credentials = credentialsFor(service.url);
		const node = await published({ credentials });
		await service.control.settings({
			accounts: [{ id: 'playground', apiKey: 'new-key', apiSecret: 'secret' }],
		});
		await receive('one');
		Object.assign(credentials.kudosityKeyApi!, { apiKey: 'new-key' });
		await node.tick();
		expect(texts(node)).toEqual(['one']);
	});

	it('ends within 30 seconds if the service does not answer', async () => {
		const { timeout } = AbortSignal;
		const deadlines = vi
			.spyOn(AbortSignal, 'timeout')
			.mockImplementation((ms) => timeout(ms / 100));
		const node = await published();
		await service.fault('timeout', { count: 'forever' });
		await node.tick();
		expect(Math.min(...deadlines.mock.calls.flat())).toBeLessThan(30_000);
		expect(node.errors).toEqual([]);
		deadlines.mockRestore();
		await service.control.clearFaults();
		await receive('one');
		await node.tick();
		expect(texts(node)).toEqual(['one']);
	});
});

describe('a service that is down', () => {
	const faults = [
		['status500', {}],
		['status429', {}],
		['reset', {}],
		['html200AfterAcceptance', {}],
	] as const;

	it.each(faults)('shows from the third poll on: %s', async (fault) => {
		const node = await published();
		await service.fault(fault, { count: 'forever' });
		for (let count = 0; count < 4; count += 1) await node.tick();
		expect(node.errors).toHaveLength(2);
		expect(node.errors[0]!.message).not.toMatch(/authorization/i);
		await service.control.clearFaults();
		await receive('one');
		await node.tick();
		await service.fault(fault, { count: 'forever' });
		await node.tick();
		expect(node.errors).toHaveLength(2);
		expect(texts(node)).toEqual(['one']);
	});

	it.each(['activate', 'update', 'init'] as const)(
		'does not keep it from starting: %s',
		async (mode) => {
			const node = await published();
			await service.fault('status500', { count: 'forever' });
			for (let count = 0; count < 3; count += 1) await node.tick();
			await node.activate(mode);
			await service.control.clearFaults();
			await receive('one');
			await node.tick();
			expect(texts(node)).toEqual(['one']);
		},
	);

	it('is left alone for as long as it asks', async () => {
		const node = await published();
		await service.fault('status429', {}, { retryAfter: 120 });
		await node.tick();
		await receive('one');
		await elapse(minuteMs);
		expect(await requestsOf(node.tick)).toBe(0);
		await elapse(minuteMs + 1_000);
		await node.tick();
		expect(texts(node)).toEqual(['one']);
		expect(node.errors).toEqual([]);
	});

	/** A poll reads what was received, looks one message up, and then reads statuses. */
	const statusesOnly = { skip: 2, count: 2 };
	const events = ['SMS_INBOUND', 'SMS_STATUS'];

	it('is left alone also after a poll that delivered what was received', async () => {
		const node = await published({ parameters: { events } });
		await receive('one');
		await service.fault('status429', statusesOnly, { retryAfter: 120 });
		await node.tick();
		expect(texts(node)).toEqual(['one']);
		await elapse(minuteMs);
		expect(await requestsOf(node.tick)).toBe(0);
	});

	it('shows for statuses only as well, at the next poll that received nothing', async () => {
		const node = await published({ parameters: { events } });
		for (const text of ['one', 'two', 'three']) {
			await receive(text);
			await service.fault('status500', statusesOnly);
			await node.tick();
			await service.control.clearFaults();
		}
		expect(texts(node)).toEqual(['one', 'two', 'three']);
		await service.fault('status500', { skip: 1, count: 'forever' });
		await node.tick();
		expect(node.errors).toHaveLength(1);
	});
});

describe('a credential that is refused', () => {
	const refused = () => credentialsFor(service.url, 'wrong-key');

	it('keeps the workflow from being published, at each of five tries', async () => {
		const node = poller({ credentials: refused() });
		for (let count = 0; count < 5; count += 1) {
			await expect(node.activate()).rejects.toThrow('Kudosity did not accept the credential');
		}
	});

	it('shows at once while it runs, and then once an hour', async () => {
		const credentials = credentialsFor(service.url);
		const node = await published({ credentials });
		Object.assign(credentials.kudosityKeyApi!, { apiKey: 'wrong-key' });
		for (let count = 0; count < 5; count += 1) await node.tick();
		expect(node.errors).toHaveLength(1);
		expect(node.errors[0]!.message).not.toMatch(/authorization/i);
		await elapse(hourMs + minuteMs);
		await node.tick();
		await node.tick();
		expect(node.errors).toHaveLength(2);
	});

	it('shows at the poll after the start of n8n, which an error would turn off', async () => {
		const credentials = credentialsFor(service.url);
		const node = await published({ credentials });
		Object.assign(credentials.kudosityKeyApi!, { apiKey: 'wrong-key' });
		await node.restart();
		expect(node.errors).toEqual([]);
		await node.tick();
		expect(node.errors).toHaveLength(1);
	});

	it.each([
		[{ events: [] }, "'Trigger On' is empty"],
		[{ filters: { sender: ['0491 570 156'] } }, "'Filters > Sender'"],
		[{ events: ['SMS_STATUS'], options: { statusDays: 9 } }, "'Options > Days to Watch'"],
	])('or a field that is wrong: %j', async (parameters, message) => {
		await expect(poller({ parameters }).activate()).rejects.toThrow(message);
	});
});

describe('a test run', () => {
	it('shows the newest message, and counts nothing as delivered', async () => {
		const node = await published({ parameters: { events: ['SMS_INBOUND', 'SMS_STATUS'] } });
		const messageId = await send('Hi');
		await receive('one');
		await receive('two');
		const shown = await node.test();
		expect(shown?.map(({ json }) => json)).toMatchObject([
			{ eventType: 'SMS_INBOUND', text: 'two', isReply: true, inReplyTo: { messageId } },
			{ eventType: 'SMS_STATUS', messageId, status: 'PENDING' },
		]);
		await node.tick();
		expect(texts(node)).toEqual(['one', 'two']);
	});

	it.each([
		['SMS_INBOUND', 'Send an SMS to one of your Kudosity numbers'],
		['SMS_STATUS', 'Send an SMS with Kudosity'],
	])('says what to do when there is none: %s', async (event, description) => {
		const node = poller({ parameters: { events: [event] } });
		await expect(node.test()).rejects.toMatchObject({
			message: 'No message to test with yet',
			description: expect.stringContaining(description),
		});
	});

	it('shows at once what is wrong', async () => {
		await service.fault('status500', { count: 'forever' });
		await expect(poller().test()).rejects.toThrow('Kudosity could not process the request');
	});
});
