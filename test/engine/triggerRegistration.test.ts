import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { changed, sampleEvent } from '../fixtures/events/index.ts';
import { credentialsFor, useEmulator } from './emulator.ts';
import { createTrigger, tokenOf, type Trigger, type TriggerOptions } from './triggerNode.ts';

const service = useEmulator();

const trigger = async (options: Partial<TriggerOptions> = {}) =>
	await createTrigger({ credentials: service.credentials, ...options });

const published = async (options: Partial<TriggerOptions> = {}) => {
	const active = await trigger(options);
	await active.activate();
	return active;
};

const webhooks = async () => await service.control.webhooks();
const writes = async () =>
	(await service.control.requests({ path: '/v2/webhook' })).filter(
		({ method }) => method !== 'GET',
	);

/** Somebody else's webhook. */
const register = async (settings: object) =>
	(await service.writeWebhook({ name: 'Someone else', ...settings })).id;

const lastingFault = async (fault: 'status403' | 'status500' | 'html' | 'reset', method?: string) =>
	await service.fault(fault, { path: '/v2/webhook', method, count: 'forever' });

const rotateKey = async (apiKey: string) => {
	const account = { id: 'playground', apiKey, apiSecret: 'playground-secret' };
	await service.control.settings({ accounts: [account] });
	return credentialsFor(service.url, apiKey);
};

const address = 'http://localhost:5678/webhook/6f0c6a52-0d52-4d8c-9f3c-1d0a7f0f2b11/webhook';

describe('activating', () => {
	it('registers one webhook, with its name, token and events', async () => {
		await published();

		const registered = await webhooks();
		expect(registered).toHaveLength(1);
		expect(registered[0]).toMatchObject({
			name: 'n8n: Engine test - Kudosity',
			filter: { event_type: ['OPT_OUT', 'SMS_INBOUND'] },
		});
		expect(registered[0]).not.toHaveProperty('event_type');
		expect(registered[0]?.url).toMatch(
			/^http:\/\/localhost:5678\/webhook\/6f0c6a52-0d52-4d8c-9f3c-1d0a7f0f2b11\/webhook\?token=[\w-]{43}$/,
		);
	});

	it('asks which webhooks there are, and makes its own: two requests in all', async () => {
		await (await trigger()).activate();
		const requests = await service.control.requests();
		expect(requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
	});

	it('refuses a sender without its country, which would match no event', async () => {
		const parameters = { filters: { sender: ['0491 570 006'] } };
		await expect(published({ parameters })).rejects.toThrow(/'Filters > Sender'/);
		expect(await writes()).toEqual([]);
	});

	it.each([
		['campaignId', 'Campaign ID', ['={{ $vars.value }}']],
		['messageRef', 'Message Reference', ['={{ $vars.value }}']],
		['sender', 'Sender', ['={{ $vars.value }}']],
		['status', 'Status', '={{ $vars.value }}'],
	])('refuses the filter %s whose expression delivers nothing', async (name, shown, value) => {
		const parameters = { filters: { [name]: value } };
		for (const variables of [{}, { value: '' }, { value: null }]) {
			await expect(published({ parameters, variables })).rejects.toThrow(
				`'Filters > ${shown}' is empty`,
			);
		}
		expect(await writes()).toEqual([]);
	});

	it('takes a filter from a variable', async () => {
		const parameters = { filters: { sender: ['={{ $vars.sender }}'] } };
		await published({ parameters, variables: { sender: '61491570006' } });
		const [webhook] = await webhooks();
		expect(webhook?.filter?.sender).toContain('61491570006');
	});

	it('goes on with the other senders beside one that matches nothing', async () => {
		const parameters = { filters: { sender: ['Acme', '0491 570 006'] } };
		await published({ parameters });
		const [webhook] = await webhooks();
		expect(webhook?.filter?.sender).toContain('Acme');
	});

	it('sends all filters', async () => {
		const events = ['SMS_STATUS', 'MMS_STATUS'];
		const filters = {
			sender: ['61491570006', 'Acme'],
			messageRef: ['order-1'],
			status: ['DELIVERED'],
			campaignId: ['c-1'],
		};
		await published({ parameters: { events, filters } });

		const registered = await webhooks();
		expect(registered).toHaveLength(1);
		expect(registered[0]?.filter).toEqual({
			event_type: ['MMS_STATUS', 'SMS_STATUS'],
			sender: ['61491570006', 'Acme'],
			message_ref: ['order-1'],
			status: ['DELIVERED'],
			campaign_id: ['c-1'],
		});
	});

	it('writes once, however often it is done without a change', async () => {
		const first = await published();
		for (let time = 0; time < 5; time++) {
			await first.activate();
			await published();
		}
		expect(await webhooks()).toHaveLength(1);
		expect(await writes()).toHaveLength(1);
	});

	it.each<[string, Partial<TriggerOptions>, Partial<TriggerOptions>, object]>([
		[
			'events or filters change',
			{},
			{ parameters: { events: ['SMS_STATUS'], filters: { status: ['DELIVERED'] } } },
			{ filter: { event_type: ['SMS_STATUS'], status: ['DELIVERED'] } },
		],
		[
			'the node has another name',
			{},
			{ settings: { name: 'Replies' } },
			{ name: 'n8n: Engine test - Replies' },
		],
		[
			'n8n has another address',
			{ publicUrl: 'https://old.example.com' },
			{ publicUrl: 'https://new.example.com' },
			{ url: expect.stringMatching(/^https:\/\/new\.example\.com\/webhook\//) },
		],
	])('updates the webhook in place when %s', async (_, before, after, expected) => {
		const first = await published(before);
		const [webhook] = await webhooks();
		await published({ ...after, staticData: first.staticData() });

		expect(await webhooks()).toEqual([expect.objectContaining({ id: webhook?.id })]);
		expect(await webhooks()).toMatchObject([expected]);
	});

	it('keeps a speed limit that was set by hand', async () => {
		const first = await published();
		const [webhook] = await webhooks();
		const { name, url, id } = webhook!;
		await service.writeWebhook({ name, url, rate_limit: 7 }, id);
		await first.activate();

		expect((await webhooks())[0]).toMatchObject({
			rate_limit: 7,
			filter: { event_type: ['OPT_OUT', 'SMS_INBOUND'] },
		});
	});

	it('keeps one of several webhooks with its own URL and token', async () => {
		const first = await published();
		const [own] = await webhooks();
		await register({ url: own?.url });
		await register({ url: own?.url });
		await first.activate();

		expect(await webhooks()).toMatchObject([{ id: own?.id }]);
	});

	it('leaves webhooks of others alone', async () => {
		await register({ url: 'https://other.example.com/hook' });
		await register({ url: 'http://localhost:5678/webhook/77777777/webhook' });
		await register({ url: `${address}?token=old` });
		await register({ url: address });
		await register({
			url: 'http://localhost:5678/webhook-test/6f0c6a52-0d52-4d8c-9f3c-1d0a7f0f2b11/webhook',
		});
		const before = await webhooks();
		const own = await published();
		await own.deactivate();
		expect(await webhooks()).toEqual(before);
	});

	it('gives a duplicate of the workflow a webhook and a token of its own', async () => {
		await published();
		const duplicate = { webhookId: '7a1d7b63-1e63-4e9d-8a4d-2e1b8a1f3c22' };
		await published({ settings: duplicate });

		const registered = await webhooks();
		expect(new Set(registered.map(({ id }) => id)).size).toBe(2);
		expect(new Set(registered.map(({ url }) => tokenOf(url))).size).toBe(2);
	});

	it('has test listening and production side by side', async () => {
		const production = await trigger();
		const test = await trigger({ webhook: 'test' });
		await production.activate();
		await test.activate();
		expect((await webhooks()).map(({ name }) => name)).toEqual([
			'n8n: Engine test - Kudosity',
			'n8n: Engine test - Kudosity (test)',
		]);
		await test.deactivate();
		expect((await webhooks()).map(({ name }) => name)).toEqual(['n8n: Engine test - Kudosity']);
	});

	it('listens for a test although the one before is still being stopped', async () => {
		const before = await published({ webhook: 'test' });
		const next = await trigger({ webhook: 'test' });
		await Promise.all([before.deactivate(), next.activate()]);
		expect(await webhooks()).toHaveLength(1);
	});

	it('leaves no webhook when it is deactivated meanwhile', async () => {
		const [active, inactive] = [await trigger(), await trigger()];
		const activated = active.activate();
		await service.control.waitForRequests({ path: '/v2/webhook' }, { count: 1 });
		await Promise.all([activated, inactive.deactivate()]);
		expect(await webhooks()).toEqual([]);
	});

	it('keeps its webhook when the service lists it twice', async () => {
		const first = await published();
		const before = await webhooks();
		await service.answer({ webhooks: [...before, ...before] }, { method: 'GET' });
		await first.activate();
		expect(await webhooks()).toEqual(before);
	});

	it('heals: the webhook was deleted at the service', async () => {
		const first = await published();
		await service.control.reset({ requestsPerSecond: 0 });
		await first.activate();
		expect(await webhooks()).toHaveLength(1);
	});

	it('heals: n8n ended before it stored what it had registered', async () => {
		await published();
		const [webhook] = await webhooks();
		const restarted = await published();
		expect(await webhooks()).toMatchObject([{ id: webhook?.id }]);
		expect(JSON.stringify(restarted.staticData())).toContain(webhook?.id);
		expect(await writes()).toHaveLength(1);
	});

	it('finds the webhook again whose creation was never answered', async () => {
		await service.fault('resetAfterAcceptance', { method: 'POST', path: '/v2/webhook' });
		const first = await trigger();
		await expect(first.activate()).rejects.toThrow('Kudosity did not respond');
		await first.activate();
		expect(await webhooks()).toHaveLength(1);
	});

	it('changes the token in place after a change of the key', async () => {
		const first = await published();
		const [before] = await webhooks();
		const credentials = await rotateKey('rotated-key');
		await published({ credentials, staticData: first.staticData() });

		const registered = await webhooks();
		expect(registered.map(({ id }) => id)).toEqual([before?.id]);
		expect(tokenOf(registered[0]?.url)).not.toBe(tokenOf(before?.url));
	});

	it.each([
		['with the same workflow', false],
		['that exported the workflow with what was registered', true],
	])('leaves the webhook of another n8n %s alone', async (_, isExported) => {
		const publicUrl = 'https://production.example.com';
		const production = await published({ publicUrl, instanceId: 'production' });
		const before = await webhooks();
		const staging = await published({
			publicUrl: 'https://staging.example.com',
			instanceId: 'staging',
			staticData: isExported ? production.staticData() : undefined,
		});
		expect(await webhooks()).toHaveLength(2);
		await staging.deactivate();
		expect(await webhooks()).toEqual(before);
	});

	const byVariable = { filters: { sender: ['={{ $vars.sender }}'] } };
	const ana = { sender: '61491570006' };

	it.each([
		['while the service cannot be asked', ana, 'status 500', 'status500'],
		['while the service refuses the key that it accepted', ana, 'status 403', 'status403'],
		['without the variable of a filter', undefined, "'Filters > Sender' is empty", undefined],
		['with a sender that nobody can read', { sender: '6.1E+10' }, "'Filters > Sender'", undefined],
	] as const)(
		'leaves all as it was where n8n starts again %s',
		async (_, variables, warning, fault) => {
			for (const activationMode of ['init', 'leadershipChange'] as const) {
				const first = await published({ parameters: byVariable, variables: ana });
				const staticData = first.staticData();
				const before = (await writes()).length;
				if (fault) await lastingFault(fault);
				const again = { parameters: byVariable, variables, staticData, activationMode };
				const restarted = await published(again);

				expect(restarted.staticData()).toEqual(staticData);
				expect(restarted.warnings).toHaveLength(1);
				expect(JSON.stringify(restarted.warnings)).toContain(warning);
				expect(await writes()).toHaveLength(before);
				await service.control.clearFaults();
			}
		},
	);

	it('refuses to be published anew without the variable of a filter', async () => {
		const first = await published({ parameters: byVariable, variables: ana });
		const again = { parameters: byVariable, staticData: first.staticData() };
		await expect(published(again)).rejects.toThrow("'Filters > Sender' is empty");
	});

	it('fails at a start where the address has changed, so that n8n tries again', async () => {
		const first = await published();
		const staticData = first.staticData();
		await lastingFault('status500');
		const publicUrl = 'http://127.0.0.1:5679';
		const moved = await trigger({ staticData, activationMode: 'init', publicUrl });
		await expect(moved.activate()).rejects.toThrow('status 500');
	});

	it('fails at a start, too, where nothing was registered, or the key is refused', async () => {
		const first = await published();
		const credentials = credentialsFor(service.url, 'wrong-key');
		const staticData = first.staticData();
		await expect(published({ staticData, credentials, activationMode: 'init' })).rejects.toThrow(
			'key',
		);
		await lastingFault('status500');
		await expect(published({ activationMode: 'init' })).rejects.toThrow('status 500');
	});

	it('fails at a start, too, where the webhook is gone and cannot be made anew', async () => {
		const first = await trigger();
		await first.activate();
		const staticData = first.staticData();
		await service.control.reset({ requestsPerSecond: 0 });
		await service.fault('status500', { method: 'POST', path: '/v2/webhook', count: 'forever' });
		const restarted = await trigger({ staticData, activationMode: 'init' });
		await expect(restarted.activate()).rejects.toThrow('status 500');
		expect(restarted.warnings).toEqual([]);
	});

	it('takes over the webhook of another token whose digest n8n has stored', async () => {
		const token = 'x'.repeat(43);
		const id = await register({ url: `${address}?token=${token}` });
		const tokenDigest = createHash('sha256').update(token).digest('base64url');
		const staticData = { 'node:Kudosity': { webhookIds: [id], tokenDigest } };
		const upgraded = await trigger({ staticData });
		const body = { event_type: 'NEW', webhook_id: id };
		expect(await upgraded.receive({ body, query: { token } })).toMatchObject({ started: true });
		await upgraded.activate();
		expect(await webhooks()).toMatchObject([{ id }]);
		expect(await upgraded.receive({ body, query: { token } })).toMatchObject({ status: 401 });
	});

	it.each(['status500', 'html', 'reset'] as const)(
		'fails when the service answers with %s',
		async (fault) => {
			await lastingFault(fault);
			await expect(published()).rejects.toThrow(/Kudosity .+/);
			expect(await webhooks()).toEqual([]);
		},
	);

	it('fails when the service refuses the key, and does not say the key', async () => {
		const credentials = credentialsFor(service.url, 'wrong-key');
		const error = await published({ credentials }).catch((reason) => reason);
		expect(error.message).toContain('Kudosity did not accept the credential');
		expect(JSON.stringify(error)).not.toContain('wrong-key');
	});

	it('fails when the service says that it created something, but not what', async () => {
		await service.answer({}, { method: 'POST', path: '/v2/webhook' }, 201);
		await expect(published()).rejects.toThrow('could not be read');
	});

	it('asks for an event before it asks the service', async () => {
		const without = await trigger({ parameters: { events: [] } });
		await expect(without.activate()).rejects.toThrow("'Trigger On' is empty");
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
		const error = await published({ credentials, publicUrl }).catch((e) => e);
		expect(error.message).toContain("Kudosity can't reach this n8n");
		expect(error.message).toContain('N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.30)');
	});

	it('is refused within a second, though n8n asks to remove what it could not register', async () => {
		const refused = await trigger({ credentials, publicUrl: 'https://localhost:5678' });
		const begunMs = performance.now();
		await expect(refused.activate()).rejects.toThrow("can't reach this n8n");
		await refused.deactivate();

		expect(performance.now() - begunMs).toBeLessThan(1_000);
		expect(refused.warnings).toEqual([]);
	});

	it('is fine when it is public', async () => {
		const publicUrl = 'https://n8n.example.com/automation';
		await expect(published({ credentials, publicUrl })).rejects.toThrow(
			"Kudosity can't be reached",
		);
	});

	it('does not matter for a service on this machine', async () => {
		await published({ publicUrl: 'https://n8n.example.com/automation' });
		const [webhook] = await webhooks();
		expect(webhook?.url).toMatch(/^https:\/\/n8n\.example\.com\/automation\/webhook\/6f0c6a52/);
	});
});

describe('deactivating', () => {
	it('removes the webhook and forgets it', async () => {
		const active = await published();
		await active.deactivate();
		expect(await webhooks()).toEqual([]);
		expect(JSON.stringify(active.staticData())).not.toMatch(/webhookId|tokenDigest/);
	});

	it('removes it by its URL when n8n forgot the id', async () => {
		await published();
		await (await trigger()).deactivate();
		expect(await webhooks()).toEqual([]);
	});

	it.each(['init', 'activate'] as const)(
		'leaves it and says so when it has the address of another n8n, which may go on using it: %s',
		async (activationMode) => {
			const production = await published({ publicUrl: 'https://n8n.example.com' });
			const before = await webhooks();
			const copy = await trigger({
				publicUrl: 'https://staging.example.com',
				staticData: production.staticData(),
				activationMode,
			});
			await copy.deactivate();
			expect(await webhooks()).toEqual(before);
			expect(copy.warnings).toHaveLength(1);
			expect(JSON.stringify(copy.warnings)).toContain(before[0]?.id);
		},
	);

	it('is followed by one webhook at the new address when n8n has moved and publishes again', async () => {
		const old = await published({ publicUrl: 'https://old.example.com' });
		const [before] = await webhooks();
		const publicUrl = 'https://new.example.com';
		const moved = await trigger({ publicUrl, staticData: old.staticData() });
		await moved.deactivate();
		await moved.activate();
		expect(await webhooks()).toMatchObject([
			{ id: before?.id, url: expect.stringContaining(publicUrl) },
		]);
		await moved.deactivate();
		expect(await webhooks()).toEqual([]);
	});

	it('and publishing leave the webhook alone in a copy of n8n with the key of another account', async () => {
		const production = await published({ publicUrl: 'https://n8n.example.com' });
		const before = await webhooks();
		const account = (id: string) => ({ id, apiKey: `${id}-key`, apiSecret: `${id}-secret` });
		await service.control.settings({ accounts: ['playground', 'other'].map(account) });
		const copy = await trigger({
			credentials: credentialsFor(service.url, 'other-key'),
			publicUrl: 'https://staging.example.com',
			staticData: production.staticData(),
		});
		await copy.activate();
		await copy.deactivate();
		expect(await webhooks()).toEqual(before);
	});

	it('removes it after a change of the key', async () => {
		const active = await published();
		const credentials = await rotateKey('rotated-key');
		await (await trigger({ credentials, staticData: active.staticData() })).deactivate();
		expect(await webhooks()).toEqual([]);
	});

	it('is done when the webhook is gone already', async () => {
		const active = await published();
		await service.control.reset({ requestsPerSecond: 0 });
		await active.deactivate();
		expect(await service.control.requests({ method: 'DELETE' })).toEqual([]);
	});

	it('is done when the webhook goes at the same moment', async () => {
		const active = await published();
		await service.answer({ error: 'Webhook not found' }, { method: 'DELETE' }, 404);
		await active.deactivate();
		expect(active.warnings).toEqual([]);
	});

	it('ends with a warning when a gateway has no page for it, which says nothing of the webhook', async () => {
		const active = await published();
		const [webhook] = await webhooks();
		const match = { method: 'DELETE', count: 'forever' } as const;
		await service.answer('<h1>404 Not Found</h1>', match, 404);
		await active.deactivate();
		expect(JSON.stringify(active.warnings)).toContain(webhook?.id);
	});

	it.each([
		['refuses the key', 'status403' as const],
		['does not know the key', 'wrongKey' as const],
	])('ends with a warning when the service %s', async (_, cause) => {
		const active = await published();
		const [webhook] = await webhooks();
		if (cause === 'wrongKey') await rotateKey('rotated-key');
		else await lastingFault(cause);
		await active.deactivate();
		expect(JSON.stringify(active.warnings)).toContain(webhook?.id);
	});

	it('ends with a warning when the credential is unusable', async () => {
		const active = await published();
		const credentials = credentialsFor(service.url, '');
		const broken = await trigger({ credentials, staticData: active.staticData() });
		await broken.deactivate();
		expect(broken.warnings).toHaveLength(1);
	});

	it('repeats when the service is in trouble for a moment', async () => {
		const active = await published();
		// More often than a single request is repeated.
		const match = { path: '/v2/webhook', count: 4 };
		await service.fault('status500', match);
		await active.deactivate();
		expect(await webhooks()).toEqual([]);
		expect(active.warnings).toEqual([]);
	});

	it('ends when the service stays in trouble, says what is left, and works the next time', async () => {
		const active = await published();
		const [webhook] = await webhooks();
		await lastingFault('status500');
		await active.deactivate();
		expect(JSON.stringify(active.warnings)).toContain(webhook?.id);
		await service.control.clearFaults();
		await active.deactivate();
		expect(await webhooks()).toEqual([]);
	});

	it('leaves what the next activation takes over, also with another key', async () => {
		const active = await published();
		const [webhook] = await webhooks();
		const credentials = await rotateKey('rotated-key');
		await active.deactivate();
		expect(active.warnings).toHaveLength(1);
		await published({ credentials, staticData: active.staticData() });
		expect(await webhooks()).toMatchObject([{ id: webhook?.id }]);
	});

	it('names the webhook that stays in another account', async () => {
		const active = await published();
		const [webhook] = await webhooks();
		const account = (id: string) => ({ id, apiKey: `${id}-key`, apiSecret: `${id}-secret` });
		await service.control.settings({ accounts: ['playground', 'other'].map(account) });
		const credentials = credentialsFor(service.url, 'other-key');
		const moved = await trigger({ credentials, staticData: active.staticData() });
		await moved.deactivate();
		expect(JSON.stringify(moved.warnings)).toContain(webhook?.id);
		expect(JSON.stringify(moved.warnings)).toContain('another account');
		expect(await webhooks()).toMatchObject([{ id: webhook?.id }]);
	});

	it('never fails after a failed activation: n8n would take the trigger for registered', async () => {
		const active = await published();
		const changed = await trigger({
			parameters: { events: ['LINK_HIT'] },
			staticData: active.staticData(),
		});
		await lastingFault('status500');
		await expect(changed.activate()).rejects.toThrow('status 500');
		await changed.deactivate();
		expect(changed.warnings).toHaveLength(1);
	});

	it('never fails after a test run: n8n does not catch it there', async () => {
		const test = await published({ webhook: 'test' });
		await lastingFault('status500');
		await test.deactivate();
		expect(test.warnings).toHaveLength(1);
		expect(String(test.warnings[0]?.[0])).toContain(
			'Execute the trigger once more, or delete the webhook',
		);
	});

	it('names a way that helps after a test run: the next one removes what it left', async () => {
		const test = await published({ webhook: 'test' });
		const [left] = await webhooks();
		await service.fault('status403', { path: '/v2/webhook', count: 1 });
		await test.deactivate();
		expect(await webhooks()).toMatchObject([{ id: left?.id }]);

		const again = await published({ webhook: 'test', staticData: test.staticData() });
		await again.deactivate();
		expect(await webhooks()).toEqual([]);
	});
});

describe('another trigger with the same address', () => {
	const copy = { workflowId: 'workflow-2' };
	const neighbour = { settings: { id: 'node-2', name: 'Kudosity1' } };

	it.each([
		['in another workflow', copy],
		['in the same workflow', neighbour],
	])('%s is left alone when n8n removes what was never registered', async (_, other) => {
		await published();
		const before = await webhooks();
		const never = await trigger(other);
		await never.deactivate();
		expect(await webhooks()).toEqual(before);
		expect(never.warnings).toEqual([]);
	});

	it('is left alone by a copy of the workflow that came with what n8n stored', async () => {
		const first = await published();
		const before = await webhooks();
		await (await trigger({ ...copy, staticData: first.staticData() })).deactivate();
		expect(await webhooks()).toEqual(before);
	});

	it.each([
		['in another workflow', copy],
		['in the same workflow', neighbour],
	])('%s keeps its webhook: the second one is refused, and says why', async (_, other) => {
		await published();
		const before = await webhooks();
		const second = await trigger(other);
		const error = await second.activate().catch((reason) => reason);
		expect(error.message).toContain('Another Kudosity Trigger has the same webhook URL');
		expect(error.message).toContain(before[0]?.id);
		expect(error.message).toContain('Delete this trigger and add a new Kudosity Trigger');
		await second.deactivate();
		expect(await webhooks()).toEqual(before);
	});

	it('keeps its webhook when another one gets the name that it had before', async () => {
		const first = await published();
		const [before] = await webhooks();
		const settings = { id: 'added-later', webhookId: 'b7d3f7f6-2c70-4a3b-9e26-5f1f3c0f8a11' };
		await published({ settings, staticData: first.staticData() });
		const registered = await webhooks();
		expect(registered).toHaveLength(2);
		expect(registered).toContainEqual(before);
	});

	it('does not keep a trigger that is registered already from going on', async () => {
		const first = await published();
		await register({ url: `${address}?token=${'x'.repeat(43)}` });
		await published({ staticData: first.staticData() });
		expect(await webhooks()).toHaveLength(2);
	});
});

describe('statuses that are filtered', () => {
	const mixed = ['SMS_INBOUND', 'SMS_STATUS', 'OPT_OUT'];
	const onlyFinal = { options: { onlyFinalStatuses: true } };
	const failed = { filters: { status: ['FAILED', 'OTHER'] } };
	const filters = async () => (await webhooks()).map(({ filter }) => filter);
	const smsStatus = (name: string) =>
		changed(sampleEvent('smsStatusDelivered'), 'status.status', name);

	/** The statuses that start the workflow, of those that Kudosity delivers by the registered filter. */
	const startedBy = async (active: Trigger, names: string[]) => {
		const [webhook] = await webhooks();
		const asked = webhook?.filter?.status;
		const query = { token: tokenOf(webhook?.url) };
		const started: string[] = [];
		for (const name of names.filter((each) => !asked?.length || asked.includes(each))) {
			const answer = await active.receive({ body: smsStatus(name), query });
			if (answer.started) started.push(name);
		}
		return started;
	};

	it.each([
		['Only Final Statuses', onlyFinal],
		['the filter Status', failed],
		['both', { ...onlyFinal, ...failed }],
	])('have no webhook of their own beside other events: %s', async (_, settings) => {
		const active = await published({ parameters: { events: mixed, ...settings } });
		expect(await filters()).toEqual([{ event_type: ['OPT_OUT', 'SMS_INBOUND', 'SMS_STATUS'] }]);
		await active.deactivate();
		expect(await filters()).toEqual([]);
	});

	it.each([
		['Only Final Statuses', onlyFinal, ['DELIVERED', 'FAILED', 'OTHER']],
		['the filter Status', failed, ['FAILED', 'OTHER']],
		['both', { ...onlyFinal, filters: { status: ['SENT', 'FAILED'] } }, ['FAILED']],
	])('start the same workflows beside other events as alone: %s', async (_, settings, expected) => {
		const names = ['QUEUED', 'SENT', 'DELIVERED', 'FAILED', 'OTHER'];
		for (const events of [['SMS_STATUS'], mixed]) {
			const active = await published({ parameters: { events, ...settings } });
			expect(await startedBy(active, names)).toEqual(expected);
			await active.deactivate();
		}
	});

	it.each(['smsInbound', 'optOutBySms', 'optOutByLink'])(
		'keep no other event from starting the workflow: %s',
		async (name) => {
			const settings = { ...onlyFinal, ...failed };
			const active = await published({ parameters: { events: mixed, ...settings } });
			const [webhook] = await webhooks();
			const delivery = { body: sampleEvent(name), query: { token: tokenOf(webhook?.url) } };
			expect(await active.receive(delivery)).toMatchObject({ started: true });
		},
	);

	it('are filtered by Kudosity where no other event is chosen, which saves traffic', async () => {
		await published({ parameters: { events: ['SMS_STATUS', 'RCS_STATUS'], ...failed } });
		expect(await filters()).toEqual([
			{ event_type: ['RCS_STATUS', 'SMS_STATUS'], status: ['FAILED', 'OTHER'] },
		]);
	});

	it('all start the workflow while n8n cannot read the filter, so none is lost', async () => {
		const byVariable = { events: mixed, filters: { status: '={{ $vars.statuses }}' } };
		const options = { parameters: byVariable, variables: { statuses: 'FAILED' } };
		const active = await published(options);
		expect(await startedBy(active, ['DELIVERED', 'FAILED'])).toEqual(['FAILED']);
		const staticData = active.staticData();
		const without = await trigger({ parameters: byVariable, variables: {}, staticData });
		expect(await startedBy(without, ['DELIVERED', 'FAILED'])).toEqual(['DELIVERED', 'FAILED']);
	});

	it('are refused when the Status filter leaves none', async () => {
		const parameters = { events: mixed, ...onlyFinal, filters: { status: ['SENT'] } };
		const none = await trigger({ parameters });
		await expect(none.activate()).rejects.toThrow("'Only Final Statuses' skips every status");
		expect(await webhooks()).toEqual([]);
	});

	describe('with two webhooks of version 0.1.0, one of them for statuses', () => {
		const parameters = { events: mixed, ...onlyFinal };
		const final = ['SOFT_BOUNCE', 'DELIVERED', 'FAILED', 'HARD_BOUNCE', 'REJECTED'];

		/** The account and n8n's static data as 0.1.0 left them. */
		const asRegisteredBefore = async () => {
			const current = await published({ parameters });
			const [{ id: rest, name, url } = { id: '' }] = await webhooks();
			const others = { event_type: ['OPT_OUT', 'SMS_INBOUND'] };
			const statuses = { event_type: ['SMS_STATUS'], status: final };
			await service.writeWebhook({ name, url, filter: others }, rest);
			const second = await register({
				name: `${name} (statuses)`,
				url: `${url}&part=status`,
				filter: statuses,
			});
			const stored = current.staticData()['node:Kudosity'] as object;
			const staticData = { 'node:Kudosity': { ...stored, webhookIds: [rest, second] } };
			return { rest, second, url, staticData };
		};

		it('go on until the workflow is published again, and each event starts it once', async () => {
			const { rest, second, url, staticData } = await asRegisteredBefore();
			const active = await trigger({ parameters, staticData });
			const query = { token: tokenOf(url) };
			const answers = [
				await active.receive({ body: { ...sampleEvent('smsInbound'), webhook_id: rest }, query }),
				await active.receive({ body: { ...smsStatus('SENT'), webhook_id: second }, query }),
				await active.receive({ body: { ...smsStatus('FAILED'), webhook_id: second }, query }),
			];
			expect(answers.map(({ started }) => started)).toEqual([true, false, true]);
		});

		it.each([
			['published again', true],
			['published again after n8n forgot their IDs', false],
		])('have one left with every event, and nobody else loses one: %s', async (_, isStored) => {
			const { rest, url, staticData } = await asRegisteredBefore();
			await register({ url: 'https://other.example.com/hook' });
			const foreign = (await webhooks()).at(-1);
			const again = await published({ parameters, staticData: isStored ? staticData : undefined });
			expect(await webhooks()).toEqual([
				expect.objectContaining({
					id: rest,
					url,
					filter: { event_type: ['OPT_OUT', 'SMS_INBOUND', 'SMS_STATUS'] },
				}),
				foreign,
			]);
			const methods = (await writes()).map(({ method }) => method);
			// No event is lost: the one gets all of them before the other is deleted.
			expect(methods.slice(-2)).toEqual(['PUT', 'DELETE']);
			await again.deactivate();
			expect(await webhooks()).toEqual([foreign]);
		});

		it('are both removed when the workflow is unpublished', async () => {
			const { staticData } = await asRegisteredBefore();
			const active = await trigger({ parameters, staticData });
			await active.deactivate();
			expect(await webhooks()).toEqual([]);
		});

		it('lose the other one at the next publishing if it could not be deleted', async () => {
			const { rest, second, staticData } = await asRegisteredBefore();
			await lastingFault('status403', 'DELETE');
			const again = await published({ parameters, staticData });
			expect((await webhooks()).map(({ id }) => id)).toEqual([rest, second]);
			expect(JSON.stringify(again.warnings)).toContain(second);
			await service.control.clearFaults();
			await again.activate();
			expect((await webhooks()).map(({ id }) => id)).toEqual([rest]);
		});
	});
});

describe('Rate Limit', () => {
	const limits = async () => (await webhooks()).map(({ rate_limit: limit }) => limit);

	it('is that of the webhook', async () => {
		const first = await published({ parameters: { options: { rateLimit: 20 } } });
		expect(await limits()).toEqual([20]);
		const changed = { parameters: { options: { rateLimit: 5 } }, staticData: first.staticData() };
		await published(changed);
		expect(await limits()).toEqual([5]);
	});

	it('is not split where statuses are filtered beside other events', async () => {
		const events = ['SMS_INBOUND', 'SMS_STATUS'];
		const options = { rateLimit: 21, onlyFinalStatuses: true };
		await published({ parameters: { events, options } });
		expect(await limits()).toEqual([21]);
	});

	it.each([-1, 10_001, 'fast'])('refuses %j before any request', async (rateLimit) => {
		const wrong = await trigger({ parameters: { options: { rateLimit } } });
		await expect(wrong.activate()).rejects.toThrow("'Options > Rate Limit'");
		expect(await service.control.requests()).toEqual([]);
	});
});
