/** A campaign over three days by n8n's clock: limits, hours, an account without balance, and everybody once in the end. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFiveNodes } from './fiveNodes.ts';
import { startPlayground, type Playground } from './harness.ts';
import { createShiftedClock } from './shiftedClock.ts';

let clock: Awaited<ReturnType<typeof createShiftedClock>>;
let playground: Playground;

beforeAll(async () => {
	clock = await createShiftedClock();
	await clock.set('2027-03-01T10:00:00+11:00');
	playground = await startPlayground({
		ownN8n: { environment: clock.environment },
		settings: { requestsPerSecond: 0, autoStatus: false, balance: 0 },
	});
});
afterAll(async () => {
	await playground.stop();
	await clock.remove();
});

const people = Array.from({ length: 45 }, (_, index) => ({
	phone: String(61_491_000_010 + index),
	name: 'Sam',
}));

it('sends everybody one message over three days, in the end', { timeout: 240_000 }, async () => {
	const { control } = playground;
	const five = await makeFiveNodes(playground);
	await five.fill(people, ['61491579009']);
	const changes = {
		// The rows without a result, and those that can be sent later.
		contacts: {
			matchType: 'anyCondition',
			filters: {
				conditions: [
					{ keyName: 'outcome', condition: 'isEmpty' },
					{ keyName: 'can_retry', condition: 'isTrue' },
				],
			},
		},
		limits: {
			maxPerDay: 20,
			sendingHours: { window: { from: '09:00', to: '20:00', timeZone: 'Australia/Sydney' } },
		},
	};
	const dry = { ...changes, options: { dryRun: 'always' } };
	const id = await five.save(dry);
	const run = async () => {
		const { status, error } = await five.run(id);
		return { status, error, outcomes: await five.outcomes() };
	};
	const sent = async () => (await control.accepted()).length;

	// Monday, 10:00.
	expect(await run()).toMatchObject({ status: 'success', outcomes: { dryRun: 20, notSent: 25 } });
	await five.change(id, changes);
	const refused = await run();
	expect(refused.status).toBe('error');
	expect(await sent()).toBe(0);
	await control.settings({ balance: 0.5 });
	expect((await run()).status).toBe('success');
	const paid = await sent();
	expect(paid).toBeGreaterThan(0);
	expect(paid).toBeLessThan(20);
	expect(await five.outcomes()).toEqual({ sent: paid, notSent: 45 - paid });
	await control.settings({ balance: 1_000_000 });
	expect((await run()).outcomes).toEqual({ sent: 20, notSent: 25 });
	expect((await run()).outcomes).toEqual({ sent: 20, notSent: 25 });
	expect(await sent()).toBe(20);

	// Tuesday, five seconds before the end of the hours, too slowly for twenty messages.
	await five.change(id, { ...changes, options: { requestsPerSecond: 2 } });
	await clock.set('2027-03-02T19:59:55+11:00');
	const evening = await run();
	expect(evening.status).toBe('success');
	const inTime = await sent();
	expect(inTime).toBeGreaterThan(20);
	expect(inTime).toBeLessThan(40);
	const late = (await five.rows()).filter(({ outcome }) => outcome === 'notSent');
	expect(late).toHaveLength(45 - inTime);
	for (const { can_retry: canRetry, reason } of late) {
		expect(canRetry).toBe(true);
		expect(reason).toMatch(/Sending Hours|Max per Day/);
	}
	expect((await run()).status).toBe('success');
	expect(await sent()).toBe(inTime);

	// Wednesday and Thursday, since a day has room for twenty.
	await five.change(id, changes);
	await clock.set('2027-03-03T09:00:30+11:00');
	await run();
	await clock.set('2027-03-04T09:00:30+11:00');
	await run();
	expect(await five.outcomes()).toEqual({ sent: 45 });
	const messages = await control.accepted();
	expect(messages.map(({ recipient }) => recipient).sort()).toEqual(
		people.map(({ phone }) => phone).sort(),
	);
	const claimed = (await five.rows()).map(({ message_id: messageId }) => messageId);
	expect(claimed.sort()).toEqual(messages.map(({ id: messageId }) => String(messageId)).sort());
});
