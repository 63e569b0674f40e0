import { describe, expect, it } from 'vitest';
import { createControl } from '../../../playground/emulator/control/client.ts';
import { startEmulator } from '../../../playground/emulator/server.ts';
import { sendV2, useEmulator } from './emulatorUnderTest.ts';

describe('the control interface', () => {
	const emulator = useEmulator();
	const control = () => emulator.control();

	it('forgets everything at a reset, changed settings included', async () => {
		await control().settings({ lists: 7 });
		await sendV2(emulator);
		await control().addFault({ fault: 'html' });
		await control().reset();
		const { counts, settings } = await control().overview();
		expect(settings.lists).toBe(3);
		expect(counts).toMatchObject({ messages: 0, requests: 0, faults: 0, webhooks: 0 });
	});

	it('refuses a setting that it does not know', async () => {
		const unknown = { speed: 9 } as object;
		await expect(control().settings(unknown)).rejects.toThrow('400');
	});

	it('logs requests with method, path, query, parsed body and answer', async () => {
		await emulator.call('/v2/sms?dry=1', { json: { message: 'Hi' } });
		expect(await control().requests()).toMatchObject([
			{
				method: 'POST',
				path: '/v2/sms',
				query: { dry: '1' },
				body: { message: 'Hi' },
				status: 400,
			},
		]);
	});

	it('wakes a waiter as soon as enough has happened', async () => {
		const waiting = control().waitForMessages({ message_ref: 'order-7' }, { count: 2 });
		await sendV2(emulator, { message_ref: 'order-7' });
		await sendV2(emulator, { message_ref: 'other' });
		await sendV2(emulator, { message_ref: 'order-7' });
		expect(await waiting).toHaveLength(2);
	});

	it('gives up a wait in time and says so', async () => {
		const waiting = control().waitForDeliveries({ ok: true }, { timeoutMs: 10 });
		await expect(waiting).rejects.toThrow('408');
	});

	it('holds every request back for the latency that is set', async () => {
		await control().settings({ latencyMs: 300 });
		const sending = sendV2(emulator);
		const [request] = await control().waitForRequests({ path: '/v2/sms' });
		expect(request!.status).toBeNull();
		expect(await control().messages()).toEqual([]);
		expect((await sending).status).toBe(200);
	});
});

describe('startEmulator', () => {
	it('runs several emulators side by side', async () => {
		const [first, second] = await Promise.all([
			startEmulator({ settings: { lists: 1 } }),
			startEmulator({ settings: { lists: 2 } }),
		]);
		const lists = async ({ url }: { url: string }) =>
			(await createControl(url).overview()).settings.lists;
		expect([await lists(first), await lists(second)]).toEqual([1, 2]);
		await Promise.all([first.close(), second.close()]);
	});

	it('lets go of callers that wait for an answer when it closes', async () => {
		const emulator = await startEmulator();
		const control = createControl(emulator.url);
		await control.addFault({ fault: 'timeout' });
		const waiting = fetch(`${emulator.url}/get-balance.json`).catch(
			(error: Error) => error.message,
		);
		await control.waitForRequests({ fault: 'timeout' });
		await emulator.close();
		expect(await waiting).toBe('fetch failed');
	});
});
