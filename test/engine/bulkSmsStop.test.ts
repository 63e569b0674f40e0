import { expect, it } from 'vitest';
import { continues, useEmulator } from './emulator.ts';
import { installDeduplicationStore } from './harness.ts';

const service = useEmulator();
const store = installDeduplicationStore();

const numbers = (count: number) =>
	Array.from({ length: count }, (_, index) => `6149${String(1_000_000 + index)}`);

type Item = { to: string[]; text?: string };

/** One request after the other, the second of which is refused. */
const run = async (items: Item[]) => {
	await service.fault('status403', { path: '/send-sms.json', nth: 2 });
	return await service.run(
		'bulkSms/send',
		{
			message: '={{ $json.text ?? "Closed today" }}',
			sender: 'Acme',
			recipients: '={{ $json.to }}',
			options: { requestsPerSecond: 1 },
		},
		{ items },
	);
};

it('says of each number whether it was refused, or never tried since another one was', async () => {
	const { json, error } = await run([{ to: numbers(1500) }]);

	expect(error).toBeUndefined();
	expect(json).toMatchObject([{ recipients: 500 }]);
	const notSent = json[0]?.not_sent as Array<{ code: string }>;
	expect(notSent.map(({ code }) => code)).toEqual([
		...Array.from({ length: 500 }, () => 'not_allowed'),
		...Array.from({ length: 500 }, () => 'canceled'),
	]);
	expect(await service.control.messages()).toHaveLength(1);
});

it('fails where an item was never tried, and says that the refused one went out in part', async () => {
	const others = numbers(60).map((to) => ({ to: [to], text: `Hello ${to}` }));
	const { error } = await run([{ to: numbers(1000) }, ...others]);

	expect(error?.message).toMatch(/^Not sent, since another request failed: /);
	expect(error?.description).toContain(
		'0 of 61 items were done; 1 went to a part of its numbers only',
	);
	expect(await service.control.messages()).toHaveLength(1);
});

it('goes on with the other requests where the node continues', async () => {
	await service.fault('status403', { path: '/send-sms.json', nth: 2 });
	const { json } = await service.run(
		'bulkSms/send',
		{ message: 'Hi', sender: 'Acme', recipients: '={{ $json.to }}' },
		{ items: [{ to: numbers(1500) }], settings: continues },
	);

	expect(json).toMatchObject([{ recipients: 1000 }]);
	expect(await service.control.messages()).toHaveLength(2);
});

it('does not take what a skipped item says of an earlier node for its own', async () => {
	await store.install();
	const fields = {
		message: 'Hi',
		sender: 'Acme',
		recipients: '={{ $json.to }}',
		options: { sendOnceKey: '={{ $json.to }}' },
	};
	const before = { to: '61491570156', not_sent: [{ number: '61491570006', code: 'refused' }] };
	await service.run('bulkSms/send', fields, { items: [before] });
	await service.fault('status403', { path: '/send-sms.json' });
	const { error } = await service.run('bulkSms/send', fields, {
		items: [before, { ...before, to: '61491570157' }],
	});

	expect(error?.description).toContain('1 of 2 items were done');
	expect(error?.description).not.toContain('a part of its numbers');
});
