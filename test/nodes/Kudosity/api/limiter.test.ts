import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { endpoints, openRun } from '../../../seams.ts';
import { fakeClock } from '../../../helpers/fakeClock.ts';
import { fakeTransport, json, type Reply } from '../../../helpers/fakeTransport.ts';

const ok = json({ id: 'a' });
const tooMany = (retryAfter?: string) =>
	json({}, 429, retryAfter === undefined ? {} : { 'retry-after': retryAfter });

type Run = {
	name?: string;
	account?: string;
	requestsPerSecond?: number;
	hasPriority?: boolean;
	canStart?: () => boolean;
};

/** A run that notes in `starts` when each of its messages leaves. */
const createRun = (
	{ name = '', ...run }: Run,
	{
		clock = fakeClock(),
		starts = [] as Array<{ name: string; atMs: number }>,
		answer = (): Reply => ok,
	},
) => {
	const { transport } = fakeTransport(() => {
		starts.push({ name, atMs: clock.now() });
		return answer();
	});
	const service = openRun(transport, { clock, ...run });
	const send = async () => await service.call(endpoints.sendSms, {});
	const sendAll = async (count: number) =>
		await Promise.allSettled(Array.from({ length: count }, send));
	return { clock, send, sendAll, startsMs: () => starts.map(({ atMs }) => atMs) };
};

const mostInOneSecond = (times: number[]) =>
	Math.max(...times.map((time) => times.filter((at) => at >= time && at < time + 1000).length));

describe('the messages of a run', () => {
	it('are spaced evenly', async () => {
		const { sendAll, startsMs } = createRun({ requestsPerSecond: 10 }, {});
		await sendAll(5);
		expect(startsMs()).toEqual([0, 100, 200, 300, 400]);
	});

	it('are 14 in any second, unless told otherwise', async () => {
		const { sendAll, startsMs } = createRun({}, {});
		await sendAll(100);
		expect(mostInOneSecond(startsMs())).toBeLessThanOrEqual(15);
		expect(startsMs().at(-1)).toBeLessThan(7500);
	});

	it('keep nobody waiting once they may not begin any more', async () => {
		let canStart = true;
		const clock = fakeClock();
		const account = randomUUID();
		const { send, sendAll } = createRun(
			{ account, requestsPerSecond: 1, canStart: () => canStart },
			{ clock },
		);
		const waiting = sendAll(50);
		await clock.sleep(1500);
		canStart = false;
		const results = await waiting;
		expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
		expect(clock.now()).toBe(2000);
		await expect(send()).rejects.toThrow();

		await createRun({ account, requestsPerSecond: 1 }, { clock }).send();
		expect(clock.now()).toBe(2000);
	});

	it('free their place in the line when their run is stopped', async () => {
		const account = randomUUID();
		const { clock, send } = createRun({ account, requestsPerSecond: 1 }, {});
		await send();
		const waiting = send();
		clock.cancel();
		await expect(waiting).rejects.toThrow('The execution was stopped');

		const other = createRun({ account }, { clock: fakeClock({ startMs: 5000 }) });
		await other.send();
		expect(other.startsMs()).toEqual([5000]);
	});
});

describe('after a 429', () => {
	const minuteMs = 60_000;

	it('all pause, then go on more slowly', async () => {
		const answers = [tooMany('3')];
		const { sendAll, startsMs } = createRun(
			{ requestsPerSecond: 10 },
			{ answer: () => answers.shift() ?? ok },
		);
		await sendAll(2);
		const [first, second, third] = startsMs();
		expect([first, second]).toEqual([0, 3000]);
		expect(third).toBeCloseTo(3000 + 100 / 0.7, 0);
	});

	/** One message a second for a minute, all of them refused. */
	const refusedForAMinute = async () => {
		const clock = fakeClock();
		const answer = () => (clock.now() < minuteMs ? tooMany('1') : ok);
		const run = createRun({ requestsPerSecond: 10 }, { clock, answer });
		const sending: Array<Promise<unknown>> = [];
		while (clock.now() < minuteMs) {
			sending.push(run.sendAll(1));
			await clock.sleep(1000);
		}
		await Promise.all(sending);
		return run;
	};

	it('a run is kept to a tenth of its speed at least, however often it was refused', async () => {
		const { startsMs } = await refusedForAMinute();
		const [first = 0, second = 0] = startsMs().filter((ms) => ms >= minuteMs);
		expect(second - first).toBeGreaterThan(200);
		expect(second - first).toBeLessThanOrEqual(1000);
	});

	it('a run is back at full speed after 7 seconds, whatever happened before', async () => {
		const clock = fakeClock();
		const answer = () => (clock.now() < minuteMs ? tooMany('1') : ok);
		const { sendAll, startsMs } = createRun({ requestsPerSecond: 10 }, { clock, answer });
		while (clock.now() < minuteMs) await sendAll(1);
		await clock.sleep(7000);
		// After a pause, the second one comes after half of the usual space.
		await sendAll(3);
		const [before = 0, last = 0] = startsMs().slice(-2);
		expect(last - before).toBeCloseTo(100);
	});
});

/** Runs of one account that begin at the same time, each with all its messages at once. */
const startsOf = async (...runs: Array<Run & { name: string; count: number }>) => {
	const clock = fakeClock();
	const account = randomUUID();
	const starts: Array<{ name: string; atMs: number }> = [];
	await Promise.all(
		runs.map(
			async ({ count, ...run }) =>
				await createRun({ account, ...run }, { clock, starts }).sendAll(count),
		),
	);
	const timesOf = (run?: string) =>
		starts.flatMap(({ name, atMs }) => (run === undefined || name === run ? atMs : []));
	return { order: starts.map(({ name }) => name), timesOf };
};

describe('several runs of an account', () => {
	it('take turns, however much each of them has to do', async () => {
		const { order } = await startsOf(
			{ name: 'a', count: 50 },
			{ name: 'b', count: 50 },
			{ name: 'one', count: 1 },
		);
		expect(order.slice(0, 7)).toEqual(['a', 'b', 'one', 'a', 'b', 'a', 'b']);
	});

	it('do not wait for those that are slow by choice', async () => {
		const { timesOf } = await startsOf(
			{ name: 'slow', count: 20, requestsPerSecond: 0.4 },
			{ name: 'slower', count: 20, requestsPerSecond: 0.1 },
			{ name: 'fast', count: 100 },
		);
		// 100 messages of its own and a handful of the others at 14 a second.
		expect(timesOf('fast').at(-1)).toBeLessThan(8000);
		expect(timesOf('slow').at(-1)).toBeCloseTo(19 * 2500, -3);
	});

	it('keep to the limit of the account together, and each to its own speed', async () => {
		const { timesOf } = await startsOf(
			{ name: 'a', count: 100 },
			{ name: 'b', count: 100, requestsPerSecond: 10 },
			{ name: 'c', count: 20, requestsPerSecond: 2 },
		);
		expect(mostInOneSecond(timesOf())).toBeLessThanOrEqual(15);
		expect(mostInOneSecond(timesOf('c'))).toBeLessThanOrEqual(3);
	});

	it('are as fast together as the fastest of them wants, where the limit was raised', async () => {
		const { timesOf } = await startsOf(
			{ name: 'raised', count: 200, requestsPerSecond: 40 },
			{ name: 'usual', count: 40 },
		);
		expect(mostInOneSecond(timesOf())).toBeLessThanOrEqual(41);
		expect(mostInOneSecond(timesOf())).toBeGreaterThan(35);
		expect(timesOf('raised').at(-1)).toBeLessThan(7000);
	});

	it('let those start first that go first', async () => {
		const { order } = await startsOf(
			{ name: 'a', count: 10 },
			{ name: 'b', count: 10 },
			{ name: 'first', count: 2, hasPriority: true },
		);
		expect(order.indexOf('first')).toBeLessThanOrEqual(1);
		expect(order.lastIndexOf('first')).toBeLessThanOrEqual(3);
	});

	it('all pause after a 429 of one of them, and those that go first go on first', async () => {
		const clock = fakeClock();
		const account = randomUUID();
		const starts: Array<{ name: string; atMs: number }> = [];
		const answers = [tooMany('3')];
		const one = createRun(
			{ account, name: 'one' },
			{ clock, starts, answer: () => answers.shift() ?? ok },
		);
		const refused = one.send();
		await clock.sleep(1);
		const other = createRun({ account, name: 'other' }, { clock, starts }).send();
		const first = createRun(
			{ account, name: 'first', hasPriority: true },
			{ clock, starts },
		).send();
		await Promise.all([refused, other, first]);

		expect(starts.slice(1).map(({ name }) => name)[0]).toBe('first');
		expect(starts[1]?.atMs).toBe(3000);
		expect(starts[2]?.atMs).toBeCloseTo(3000 + 1000 / 14 / 0.7, 0);
	});

	it('do not wait for one that is stopped while it is next', async () => {
		const [account, stopped] = [randomUUID(), fakeClock()];
		await createRun({ account }, { clock: stopped }).send();
		const waiting = createRun({ account }, { clock: stopped }).send();
		const behind = createRun({ account }, {});
		const sent = behind.send();
		stopped.cancel();
		await expect(waiting).rejects.toThrow('The execution was stopped');
		await sent;
		expect(behind.startsMs()[0]).toBeCloseTo(1000 / 14);
	});

	it('share its limit for hours, however many other accounts there are meanwhile', async () => {
		const clock = fakeClock();
		const account = randomUUID();
		const slow = createRun({ account, requestsPerSecond: 0.0001 }, { clock });
		await slow.send();
		const hoursLater = slow.send();
		await clock.sleep(2 * 3_600_000);
		await createRun({}, { clock }).send();
		const other = createRun({ account }, { clock });
		await hoursLater;
		await other.send();
		// After a pause, the second one comes after half of the usual space.
		expect(other.startsMs()[0]! - slow.startsMs()[1]!).toBeGreaterThan(1000 / 14 / 2 - 1);
	});
});
