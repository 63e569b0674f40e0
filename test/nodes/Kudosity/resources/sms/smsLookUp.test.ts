import { afterAll, beforeAll, expect, it } from 'vitest';
import { smsLookUp } from '../../../../seams.ts';

const { TZ } = process.env;
beforeAll(() => {
	process.env.TZ = 'Australia/Sydney';
});
afterAll(() => {
	if (TZ === undefined) delete process.env.TZ;
	else process.env.TZ = TZ;
});

/** When a message was created that the service has with this time. */
const createdMs = async (createdAt: unknown): Promise<number | undefined> => {
	const service = {
		async *list() {
			yield { id: 'a', direction: 'OUT', created_at: createdAt };
		},
	};
	const input = { recipient: '61491570006', options: { messageRef: 'order-1' } };
	for await (const found of smsLookUp.search(service as never, input as never)) {
		return found?.createdMs;
	}
	return undefined;
};

it.each([
	'2026-08-05T11:58:03',
	'2026-08-05 11:58:03',
	'2026-08-05T11:58:03Z',
	'2026-08-05T21:58:03+10:00',
])('takes %s for the time that it is in UTC, wherever n8n runs', async (createdAt) => {
	expect(new Date(2026, 7, 5).getTimezoneOffset()).toBe(-600);
	expect(await createdMs(createdAt)).toBe(Date.UTC(2026, 7, 5, 11, 58, 3));
});

it.each([undefined, '', 'soon'])('finds no time in %j', async (createdAt) => {
	expect(await createdMs(createdAt)).toBeNaN();
});
