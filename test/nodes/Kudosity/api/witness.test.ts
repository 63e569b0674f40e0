import { expect, it } from 'vitest';
import { createWitness, spanByService } from '../../../seams.ts';
import { answering, json, noAnswer } from '../../../helpers/fakeTransport.ts';

const request = { connection: 'key', method: 'GET', path: '/v2/sms', repeatable: true } as const;
const noon = Date.parse('2026-01-01T12:00:00Z');

it('notes when a request was under way, and the time that its answer names', async () => {
	const times = [noon, noon + 300];
	const witness = createWitness(() => times.shift()!);
	const { transport } = answering(json({}, 200, { date: 'Thu, 01 Jan 2026 12:00:07 GMT' }));
	await witness.watch(transport)(request);

	expect(witness.latest()).toEqual({
		beganMs: noon,
		endedMs: noon + 300,
		serviceMs: noon + 7_000,
	});
});

it.each([noAnswer(), json({}), json({}, 200, { date: 'today' })])(
	'names no time where there is none to be had: %j',
	async (answer) => {
		const witness = createWitness(() => noon);
		await witness.watch(answering(answer).transport)(request);

		expect(witness.latest()).toEqual({ beganMs: noon, endedMs: noon });
	},
);

it.each([0, 5_000, -5_000, 3_600_000, -86_400_000])(
	'knows when a request was under way by a clock that is %d ms ahead',
	(aheadMs) => {
		const sent = { beganMs: noon, endedMs: noon + 400 };
		const heardMs = noon + 60_250;
		const serviceMs = Math.floor((heardMs + aheadMs) / 1000) * 1000;
		const heard = { beganMs: heardMs - 100, endedMs: heardMs + 150, serviceMs };
		const span = spanByService(sent, heard)!;

		expect(span.fromMs).toBeLessThanOrEqual(noon + aheadMs);
		expect(span.toMs).toBeGreaterThanOrEqual(noon + 400 + aheadMs);
		// An equal message of three seconds before or after is another one.
		expect(span.fromMs).toBeGreaterThan(noon + aheadMs - 3_000);
		expect(span.toMs).toBeLessThan(noon + 400 + aheadMs + 3_000);
	},
);

it('knows no time without an answer that has one', () => {
	const sent = { beganMs: noon, endedMs: noon + 400 };
	expect(spanByService(sent, undefined)).toBeUndefined();
	expect(spanByService(sent, sent)).toBeUndefined();
	expect(spanByService(undefined, { ...sent, serviceMs: noon })).toBeUndefined();
});
