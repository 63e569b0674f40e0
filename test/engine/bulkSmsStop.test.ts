import { expect, it } from 'vitest';
import { continues, phones, useEmulator } from './emulator.ts';

const service = useEmulator();

/** One request after the other, the second of which is refused. */
const run = async (items: object[], options: object = { requestsPerSecond: 1 }, settings = {}) => {
	await service.fault('status403', { path: '/send-sms.json', nth: 2 });
	return await service.bulk(items, options, { settings });
};

it('says of each number whether it was refused, or never tried since another one was', async () => {
	const { json, error } = await run([{ to: phones(1500) }]);

	expect(error).toBeUndefined();
	expect(json).toMatchObject([{ recipients: 500 }]);
	const notSent = json[0]?.not_sent as Array<{ code: string }>;
	expect(notSent.map(({ code }) => code)).toEqual([
		...Array.from({ length: 500 }, () => 'not_allowed'),
		...Array.from({ length: 500 }, () => 'canceled'),
	]);
	expect(await service.control.messages()).toHaveLength(1);
});

it('fails where an item was never tried, although the one before it went out in part', async () => {
	const all = phones(1060);
	const others = all.slice(1000).map((to) => ({ to: [to] }));
	const { error } = await run([{ to: all.slice(0, 1000) }, ...others]);

	expect(error?.message).toMatch(/^Not sent because another request could not be completed: /);
	expect(error?.description).toContain('1 of 61 items were completed');
	expect(await service.control.messages()).toHaveLength(1);
});

it('goes on with the other requests where the node continues', async () => {
	const { json } = await run([{ to: phones(1500) }], {}, continues);

	expect(json).toMatchObject([{ recipients: 1000 }]);
	expect(await service.control.messages()).toHaveLength(2);
});
