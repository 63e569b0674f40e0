import { describe, expect, it } from 'vitest';
import { credentialsFor, useEmulator } from './emulator.ts';
import { createTrigger, tokenOf, type TriggerOptions } from './triggerNode.ts';

const service = useEmulator();

const trigger = async (options: Partial<TriggerOptions> = {}) =>
	await createTrigger({ credentials: service.credentials, ...options });

const writes = async () =>
	(await service.control.requests({ path: '/v2/webhook' })).filter(
		({ method }) => method !== 'GET',
	);

/** Registers a webhook by hand, as another program would. */
const register = async (settings: object) => {
	const response = await fetch(`${service.url}/v2/webhook`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'x-api-key': 'playground-key' },
		body: JSON.stringify({ name: 'Someone else', ...settings }),
	});
	const { id } = (await response.json()) as { id: string };
	return id;
};

const lastingFault = async (fault: 'status403' | 'status500' | 'html' | 'reset') =>
	await service.control.addFault({ match: { path: '/v2/webhook', count: 'forever' }, fault });

const rotateKey = async (apiKey: string) => {
	const account = { id: 'playground', apiKey, apiSecret: 'playground-secret' };
	await service.control.settings({ accounts: [account] });
	return credentialsFor(service.url, apiKey);
};

describe('activating', () => {
	it('registers one webhook, with its name, token and events', async () => {
		await (await trigger()).activate();

		const webhooks = await service.control.webhooks();
		expect(webhooks).toHaveLength(1);
		expect(webhooks[0]).toMatchObject({
			name: 'n8n: Engine test - Kudosity',
			filter: { event_type: ['OPT_OUT', 'SMS_INBOUND'] },
		});
		expect(webhooks[0]).not.toHaveProperty('event_type');
		expect(webhooks[0]?.url).toMatch(
			/^http:\/\/localhost:5678\/webhook\/6f0c6a52-0d52-4d8c-9f3c-1d0a7f0f2b11\/webhook\?token=[\w-]{43}$/,
		);
	});

	it('sends all filters', async () => {
		const filters = {
			sender: ['61491570006', 'Acme'],
			messageRef: ['order-1'],
			status: ['DELIVERED'],
			campaignId: ['c-1'],
		};
		await (await trigger({ parameters: { filters } })).activate();

		expect((await service.control.webhooks())[0]?.filter).toEqual({
			event_type: ['OPT_OUT', 'SMS_INBOUND'],
			sender: ['61491570006', 'Acme'],
			message_ref: ['order-1'],
			status: ['DELIVERED'],
			campaign_id: ['c-1'],
		});
	});

	it('writes once, however often it is done without a change', async () => {
		const first = await trigger();
		await first.activate();
		for (let time = 0; time < 5; time++) {
			await first.activate();
			await (await trigger()).activate();
		}
		expect(await service.control.webhooks()).toHaveLength(1);
		expect(await writes()).toHaveLength(1);
	});

	it('updates the webhook in place when events or filters change', async () => {
		await (await trigger()).activate();
		const [before] = await service.control.webhooks();
		const changed = { events: ['SMS_STATUS'], filters: { status: ['DELIVERED'] } };
		await (await trigger({ parameters: changed })).activate();

		const webhooks = await service.control.webhooks();
		expect(webhooks).toHaveLength(1);
		expect(webhooks[0]).toMatchObject({
			id: before?.id,
			filter: { event_type: ['SMS_STATUS'], status: ['DELIVERED'] },
		});
	});

	it('keeps a speed limit that was set by hand', async () => {
		const first = await trigger();
		await first.activate();
		const [webhook] = await service.control.webhooks();
		await fetch(`${service.url}/v2/webhook/${webhook?.id}`, {
			method: 'PUT',
			headers: { 'content-type': 'application/json', 'x-api-key': 'playground-key' },
			body: JSON.stringify({ name: webhook?.name, url: webhook?.url, rate_limit: 7 }),
		});
		await first.activate();

		expect((await service.control.webhooks())[0]).toMatchObject({
			rate_limit: 7,
			filter: { event_type: ['OPT_OUT', 'SMS_INBOUND'] },
		});
	});

	it('renames the webhook with the node', async () => {
		await (await trigger()).activate();
		await (await trigger({ settings: { name: 'Replies' } })).activate();
		expect((await service.control.webhooks()).map(({ name }) => name)).toEqual([
			'n8n: Engine test - Replies',
		]);
	});

	it('keeps one of several webhooks with its own URL', async () => {
		const first = await trigger();
		await first.activate();
		const [own] = await service.control.webhooks();
		await register({ url: own?.url });
		await register({ url: `${own?.url.split('?')[0]}?token=old` });
		expect(await first.checkExists()).toBe(false);
		await first.activate();

		expect(await service.control.webhooks()).toMatchObject([{ id: own?.id }]);
	});

	it('leaves webhooks of others alone', async () => {
		await register({ url: 'https://other.example.com/hook' });
		await register({ url: 'http://localhost:5678/webhook/77777777/webhook' });
		await register({
			url: 'http://localhost:5678/webhook-test/6f0c6a52-0d52-4d8c-9f3c-1d0a7f0f2b11/webhook',
		});
		const before = await service.control.webhooks();
		const own = await trigger();
		await own.activate();
		await own.deactivate();
		expect(await service.control.webhooks()).toEqual(before);
	});

	it('gives a duplicate of the workflow a webhook and a token of its own', async () => {
		await (await trigger()).activate();
		const duplicate = { webhookId: '7a1d7b63-1e63-4e9d-8a4d-2e1b8a1f3c22' };
		await (await trigger({ settings: duplicate })).activate();

		const webhooks = await service.control.webhooks();
		expect(new Set(webhooks.map(({ id }) => id)).size).toBe(2);
		expect(new Set(webhooks.map(({ url }) => tokenOf(url))).size).toBe(2);
	});

	it('has test listening and production side by side', async () => {
		const production = await trigger();
		const test = await trigger({ webhook: 'test' });
		await production.activate();
		await test.activate();
		expect((await service.control.webhooks()).map(({ name }) => name)).toEqual([
			'n8n: Engine test - Kudosity',
			'n8n: Engine test - Kudosity (test)',
		]);
		await test.deactivate();
		expect((await service.control.webhooks()).map(({ name }) => name)).toEqual([
			'n8n: Engine test - Kudosity',
		]);
	});

	it('heals: the webhook was deleted at the service', async () => {
		const first = await trigger();
		await first.activate();
		await service.control.reset({ requestsPerSecond: 0 });
		await first.activate();
		expect(await service.control.webhooks()).toHaveLength(1);
	});

	it('heals: n8n ended before it stored what it had registered', async () => {
		await (await trigger()).activate();
		const [webhook] = await service.control.webhooks();
		const restarted = await trigger();
		await restarted.activate();
		expect(await service.control.webhooks()).toMatchObject([{ id: webhook?.id }]);
		expect(JSON.stringify(restarted.staticData())).toContain(webhook?.id);
		expect(await writes()).toHaveLength(1);
	});

	it('finds the webhook again whose creation was never answered', async () => {
		await service.control.addFault({
			match: { method: 'POST', path: '/v2/webhook' },
			fault: 'resetAfterAcceptance',
		});
		const first = await trigger();
		await expect(first.activate()).rejects.toThrow('Kudosity did not answer');
		await first.activate();
		expect(await service.control.webhooks()).toHaveLength(1);
	});

	it('changes the token in place after a change of the key', async () => {
		await (await trigger()).activate();
		const [before] = await service.control.webhooks();
		const credentials = await rotateKey('rotated-key');
		await (await trigger({ credentials })).activate();

		const webhooks = await service.control.webhooks();
		expect(webhooks.map(({ id }) => id)).toEqual([before?.id]);
		expect(tokenOf(webhooks[0]?.url)).not.toBe(tokenOf(before?.url));
	});

	it.each(['status500', 'html', 'reset'] as const)(
		'fails when the service answers with %s',
		async (fault) => {
			await lastingFault(fault);
			await expect((await trigger()).activate()).rejects.toThrow(/Kudosity .+/);
			expect(await service.control.webhooks()).toEqual([]);
		},
	);

	it('fails when the service refuses the key, and does not say the key', async () => {
		const credentials = credentialsFor(service.url, 'wrong-key');
		const error = await (await trigger({ credentials })).activate().catch((reason) => reason);
		expect(error.message).toContain('Kudosity did not accept the credential');
		expect(JSON.stringify(error)).not.toContain('wrong-key');
	});

	it('fails when the service says that it created something, but not what', async () => {
		await service.control.addFault({
			match: { method: 'POST', path: '/v2/webhook' },
			fault: 'custom',
			status: 201,
			body: {},
		});
		await expect((await trigger()).activate()).rejects.toThrow('cannot be read');
	});

	it('asks for an event before it asks the service', async () => {
		const without = await trigger({ parameters: { events: [] } });
		await expect(without.activate()).rejects.toThrow("'Events' is empty");
		expect(await service.control.requests()).toEqual([]);
	});
});

describe('the address of n8n', () => {
	/** A base URL that is no loopback, and leads nowhere. */
	const credentials = credentialsFor('https://service.invalid');

	it.each([
		'http://n8n.example.com',
		'https://localhost:5678',
		'https://192.168.1.20',
		'https://n8n',
	])('is refused before any request: %s', async (publicUrl) => {
		const error = await (await trigger({ credentials, publicUrl })).activate().catch((e) => e);
		expect(error.message).toContain('Kudosity cannot reach this n8n');
		expect(error.message).toContain('N8N_WEBHOOK_URL');
	});

	it('is fine when it is public', async () => {
		const publicUrl = 'https://n8n.example.com/automation';
		await expect((await trigger({ credentials, publicUrl })).activate()).rejects.toThrow(
			'Kudosity cannot be reached',
		);
	});

	it('does not matter for a service on this machine', async () => {
		await (await trigger({ publicUrl: 'https://n8n.example.com/automation' })).activate();
		const [webhook] = await service.control.webhooks();
		expect(webhook?.url).toMatch(/^https:\/\/n8n\.example\.com\/automation\/webhook\/6f0c6a52/);
	});
});

describe('deactivating', () => {
	it('removes the webhook and forgets it', async () => {
		const active = await trigger();
		await active.activate();
		await active.deactivate();
		expect(await service.control.webhooks()).toEqual([]);
		expect(JSON.stringify(active.staticData())).not.toMatch(/webhookId|tokenDigest/);
	});

	it('removes it by its URL when n8n forgot the id', async () => {
		await (await trigger()).activate();
		await (await trigger()).deactivate();
		expect(await service.control.webhooks()).toEqual([]);
	});

	it('removes it by its id when the address of n8n has changed', async () => {
		const old = await trigger({ publicUrl: 'https://old.example.com' });
		await old.activate();
		const moved = await trigger({
			publicUrl: 'https://new.example.com',
			staticData: old.staticData(),
		});
		await moved.deactivate();
		expect(await service.control.webhooks()).toEqual([]);
	});

	it('removes it after a change of the key', async () => {
		const active = await trigger();
		await active.activate();
		const credentials = await rotateKey('rotated-key');
		await (await trigger({ credentials, staticData: active.staticData() })).deactivate();
		expect(await service.control.webhooks()).toEqual([]);
	});

	it('is done when the webhook is gone already', async () => {
		const active = await trigger();
		await active.activate();
		await service.control.reset({ requestsPerSecond: 0 });
		await active.deactivate();
		expect(await service.control.requests({ method: 'DELETE' })).toEqual([]);
	});

	it('is done when the webhook goes at the same moment', async () => {
		const active = await trigger();
		await active.activate();
		await service.control.addFault({
			match: { method: 'DELETE' },
			fault: 'custom',
			status: 404,
			body: { error: 'Webhook not found' },
		});
		await active.deactivate();
		expect(active.warnings).toEqual([]);
	});

	it.each([
		['refuses the key', 'status403' as const],
		['does not know the key', 'wrongKey' as const],
	])('ends with a warning when the service %s', async (_, cause) => {
		const active = await trigger();
		await active.activate();
		const [webhook] = await service.control.webhooks();
		if (cause === 'wrongKey') await rotateKey('rotated-key');
		else await lastingFault(cause);
		await active.deactivate();
		expect(JSON.stringify(active.warnings)).toContain(webhook?.id);
	});

	it('ends with a warning when the credential is unusable', async () => {
		const active = await trigger();
		await active.activate();
		const credentials = credentialsFor(service.url, '');
		const broken = await trigger({ credentials, staticData: active.staticData() });
		await broken.deactivate();
		expect(broken.warnings).toHaveLength(1);
	});

	it('fails when the service is in trouble, says what is left, and works the next time', async () => {
		const active = await trigger();
		await active.activate();
		const [webhook] = await service.control.webhooks();
		await lastingFault('status500');
		await expect(active.deactivate()).rejects.toThrow(webhook?.id);
		await service.control.clearFaults();
		await active.deactivate();
		expect(await service.control.webhooks()).toEqual([]);
	});

	it('never fails after a failed activation: n8n would take the trigger for registered', async () => {
		const active = await trigger();
		await active.activate();
		const changed = await trigger({
			parameters: { events: ['LINK_HIT'] },
			staticData: active.staticData(),
		});
		await lastingFault('status500');
		await expect(changed.activate()).rejects.toThrow();
		await changed.deactivate();
		expect(changed.warnings).toHaveLength(1);
	});

	it('never fails after a test run: n8n does not catch it there', async () => {
		const test = await trigger({ webhook: 'test' });
		await test.activate();
		await lastingFault('status500');
		await test.deactivate();
		expect(test.warnings).toHaveLength(1);
	});
});
