import { describe, expect, it } from 'vitest';
import { retries, useEmulator } from './emulator.ts';
import { createTool, runKudosity } from './harness.ts';

const service = useEmulator();

const phone = '61491570006';
const sms = {
	resource: 'sms',
	operation: 'send',
	message: 'Hello',
	sender: 'Acme',
	recipient: phone,
	options: { requestsPerSecond: 200, lookUpUnknown: false },
};

const messages = async () => await service.control.messages();

it('recognises an accepted item although its text reads otherwise in a retry', async () => {
	await service.fault('status403', { bodyIncludes: '61491570157', count: 1 });
	const { error } = await runKudosity({
		parameters: {
			...sms,
			message: '=Hello at {{ Date.now() }}-{{ Math.random() }}',
			recipient: '={{ $json.phone }}',
		},
		credentials: service.credentials,
		items: [{ phone }, { phone: '61491570156' }, { phone: '61491570157' }],
		settings: retries,
	});

	expect(error).toBeUndefined();
	expect((await messages()).map(({ recipient }) => recipient).sort()).toEqual([
		phone,
		'61491570156',
		'61491570157',
	]);
});

describe('as a tool of an agent', () => {
	it('is not repeated by Retry On Fail when the outcome is unknown', async () => {
		await service.fault('status500AfterAcceptance', { path: '/v2/sms', count: 1 });
		const call = await createTool({
			parameters: sms,
			credentials: service.credentials,
			settings: retries,
		});

		await expect(call()).rejects.toThrow(/^Outcome unknown: /);
		expect(await messages()).toHaveLength(1);
	});

	it('does not send when the agent repeats a call whose outcome is unknown', async () => {
		await service.fault('status500AfterAcceptance', { path: '/v2/sms', count: 1 });
		const call = await createTool({ parameters: sms, credentials: service.credentials });

		await expect(call()).rejects.toThrow(/^Outcome unknown: /);
		await expect(call()).rejects.toThrow(/^Outcome unknown: /);
		expect(await messages()).toHaveLength(1);
	});

	it('sends the same text twice when the agent asks for it twice', async () => {
		const call = await createTool({ parameters: sms, credentials: service.credentials });
		await call();
		await call();

		expect(await messages()).toHaveLength(2);
	});

	it('tells the agent only what it has to know of a message', async () => {
		const call = await createTool({ parameters: sms, credentials: service.credentials });
		const answer = JSON.stringify(await call());
		const [sent] = await messages();

		expect(answer).toContain(`${sent?.id}`);
		for (const name of ['recipient', 'status', 'parts']) expect(answer).toContain(name);
		expect(answer).not.toMatch(/encoding|created_at|is_gsm|Hello/);
	});

	it('tells the agent only what it has to know of a message to several', async () => {
		const parameters = {
			resource: 'bulkSms',
			operation: 'send',
			message: 'Hello',
			sender: 'Acme',
			recipients: '61491570006, Sam',
		};
		const call = await createTool({ parameters, credentials: service.credentials });
		const answer = String(await call());
		const [sent] = await messages();

		expect(answer).toContain(`"message_id":"${sent?.number}"`);
		expect(answer).toContain('"recipients":1');
		expect(answer).toContain('invalid_number');
		expect(answer).not.toMatch(/encoding|send_at|cost|delivery_stats/);
	});
});
