import { expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';

const service = useEmulator();
const path = '/v2/rcs/messages/m';

const message = (status: string) => ({ status: 200, body: { data: { id: 'm', status } } });
const trouble = { status: 503, body: '' };
const refusal = { status: 403, body: '' };

/** A message whose status the service tells so, one look after the other, and the last one for ever. */
const wait = async (looks: Array<{ status: number; body: unknown }>, options: object = {}) => {
	await service.control.addFault(
		...looks.map((answer, index) => ({
			fault: 'custom' as const,
			...answer,
			// A look is a request and, in trouble, six repeats.
			match: {
				path,
				count: index + 1 === looks.length ? ('forever' as const) : answer === trouble ? 7 : 1,
			},
		})),
	);
	const begunMs = performance.now();
	const { json, error } = await service.run('rcs/waitForStatus', {
		messageId: 'm',
		until: ['READ'],
		options: { intervalSeconds: 5, timeoutSeconds: 12, ...options },
	});
	const { status, timedOut } = json[0] ?? {};
	const looked = (await service.control.requests()).length;
	const seconds = (performance.now() - begunMs) / 1000;
	return { told: error?.code ?? [status, timedOut], looked, seconds };
};

it('looks after each interval, and for the last time when the time is up', async () => {
	const { told, looked, seconds } = await wait([message('QUEUED'), message('SENT')]);
	expect({ told, looked }).toEqual({ told: ['SENT', true], looked: 4 });
	expect(seconds).toBeGreaterThanOrEqual(12);
	expect(seconds).toBeLessThan(15);
});

it('does not wait when the first answer is enough', async () => {
	expect(await wait([message('READ')])).toMatchObject({ told: ['READ', false], looked: 1 });
});

it('goes on while the service is in trouble, once it has answered', async () => {
	const looks = [message('SENT'), trouble, message('READ')];
	const { told } = await wait(looks, { timeoutSeconds: 120 });
	expect(told).toEqual(['READ', false]);
});

it('gives the answer before the trouble when the time is up, in which looks count as well', async () => {
	const { told, seconds } = await wait([message('SENT'), trouble]);
	expect(told).toEqual(['SENT', true]);
	expect(seconds).toBeLessThan(12 + 40);
});

it.each([
	['a service that never answered', [trouble], 'unavailable', 7],
	['a refusal', [message('SENT'), refusal], 'not_allowed', 2],
])('does not wait after %s', async (_, looks, told, looked) => {
	expect(await wait(looks)).toMatchObject({ told, looked });
});
