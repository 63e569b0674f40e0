import { describe, expect, it } from 'vitest';
import { credentialsFor, useEmulator } from './emulator.ts';

const service = useEmulator();
const n8nUrl = 'https://n8n.example.com/base';

const check = async (
	resource: string,
	{ url = n8nUrl, ...run }: { url?: string; credentials?: object } = {},
) => {
	const { json, error } = await service.run(`${resource}/checkSetup`, {}, {
		n8nUrl: url,
		...run,
	} as object);
	if (error) throw new Error(error.message);
	return json;
};

const by = (items: Array<Record<string, unknown>>) =>
	Object.fromEntries(items.map(({ check, ...finding }) => [check, finding]));

const ok = (message: string) => ({ ok: true, message, whatToDo: '' });
const todo = (whatToDo: string) => expect.stringContaining(whatToDo);

it.each(['account', 'webhook'])('%s: changes and sends nothing', async (resource) => {
	await check(resource);
	const requests = await service.control.requests();
	const paths = requests.map(({ method, path }) => `${method} ${path}`);
	expect(paths.filter((each) => !/^GET |\/get-keywords\.json$/.test(each))).toEqual([]);
});

describe('the check of an account', () => {
	it('has an item for the secret, the balance, the numbers and the keywords', async () => {
		const items = await check('account');

		expect(items.map((each) => each.check)).toEqual(['secret', 'balance', 'numbers', 'keywords']);
		expect(by(items)).toMatchObject({
			secret: ok('Kudosity accepts the key and the secret'),
			balance: { ok: true, message: expect.stringMatching(/^The balance is [\d.]+ AUD$/) },
			numbers: { ok: true, message: expect.stringMatching(/^Your numbers: 12 \(61491570006, /) },
			keywords: { ok: true },
		});
	});

	it('says what to do without balance and without a number', async () => {
		await service.answer({ balance: 0, currency: 'AUD' }, { path: '/get-balance.json' });
		await service.control.settings({ numbersOwned: 0 });
		expect(by(await check('account'))).toMatchObject({
			balance: { ok: false, message: 'The balance is 0 AUD', whatToDo: todo('Top up') },
			numbers: {
				ok: null,
				message: 'Your numbers: 0',
				whatToDo: expect.stringMatching(
					/To get replies, lease.*name.*In Australia, register.*Unverified.*STOP.*\[opt-out-link\]/,
				),
			},
		});
	});

	it('has items, and no error, where the secret is refused, and asks no more', async () => {
		const credentials = credentialsFor(service.url, 'wrong');
		const items = await check('account', { credentials });

		expect(items.map((each) => each.ok)).toEqual([false, null, null, null]);
		expect(items[0]).toMatchObject({
			message: 'Kudosity did not accept the credential',
			whatToDo: todo('Compare the key and secret'),
		});
		expect(await service.control.requests()).toHaveLength(1);
	});

	it('cannot tell while the service is down', async () => {
		await service.fault('status500', { count: 'forever' });
		const items = await check('account');

		expect(items.map((each) => each.ok)).toEqual([null, null, null, null]);
		expect(items[0]?.message).toContain('status 500');
	});

	it('goes on where one thing cannot be read', async () => {
		await service.fault('status403', { path: '/get-numbers.json', count: 'forever' });
		const items = await check('account');
		expect(items.map((each) => each.ok)).toEqual([true, true, null, true]);
	});
});

const hook = async (name: string, url: string) =>
	await service.writeWebhook({ name, url, filter: { event_type: ['SMS_INBOUND'] } });

describe('the check of webhooks', () => {
	it('tells those of this n8n from others, and names what is left over', async () => {
		await hook('n8n: Orders - Kudosity Trigger', `${n8nUrl}/webhook/1/webhook?token=secret`);
		await hook('Another program', 'https://example.com/events');
		await hook('n8n: Orders - Kudosity Trigger', 'https://n8n.example.com/other/webhook/1');
		const { id } = await hook(
			'n8n: Ask - Kudosity (question until 2020-01-01 10:00 UTC)',
			`${n8nUrl}/webhook-waiting/7?signature=secret`,
		);
		await hook('n8n: Try - Kudosity Trigger (test)', `${n8nUrl}/webhook-test/1/webhook`);
		const { webhooks } = by(await check('webhook'));

		expect(webhooks).toMatchObject({ ok: false, whatToDo: todo('Webhook → Delete') });
		const { message } = webhooks as { message: string };
		expect(message).toMatch(
			/^Webhooks in the account: 5\. From this n8n instance: 2 \(“n8n: Orders - Kudosity Trigger” with ID .*, “n8n: Try - .*\)\. Left over: 1 \(“n8n: Ask - Kudosity \(question until .*\)” with ID .*\)$/,
		);
		expect(message).toContain(id);
		expect(message).not.toContain('secret');
	});

	it.each([
		['n8n: A - B (test)', 'webhook-test/1/webhook', false],
		['n8n: A - B (question answered 2020-01-01 00:00:00 UTC abc)', 'webhook-waiting/1', false],
		['n8n: A - Replies (test)', 'webhook/1/webhook', true],
	])('tells some minutes later whether %s at %s is over', async (name, path, isCurrent) => {
		const one = { id: 'a', name, url: `${n8nUrl}/${path}`, updated_at: '2020-01-01T00:00:00Z' };
		await service.answer({ webhooks: [one] }, { path: '/v2/webhook' });
		expect(by(await check('webhook')).webhooks).toMatchObject({ ok: isCurrent });
	});

	it('says how to send the first SMS', async () => {
		const { senders } = by(await check('webhook'));
		const whatToDo = todo('SMS → Send');
		expect(senders).toEqual({ ok: null, message: 'No SMS has been sent yet', whatToDo });
	});

	it('has items for the key, the senders and the address', async () => {
		await service.sms([{ phone: '61491570006' }, { phone: '61491570156' }]);
		const items = await check('webhook');

		expect(items.map((each) => each.check)).toEqual(['key', 'senders', 'webhooks', 'address']);
		expect(by(items)).toMatchObject({
			key: ok('Kudosity accepts the key'),
			senders: ok('Recently used senders: 1 (Acme)'),
			webhooks: { ok: null, whatToDo: todo('publish a workflow') },
			address: ok(`Kudosity can use this n8n instance's address, ${n8nUrl}/`),
		});
	});

	it('still tells the address where the key is refused', async () => {
		const credentials = credentialsFor(service.url, 'wrong');
		const items = await check('webhook', { credentials });
		expect(items.map((each) => each.ok)).toEqual([false, null, null, true]);
		expect(await service.control.requests()).toHaveLength(1);
	});

	it.each(['http://localhost:5678', 'https://192.168.0.5', 'http://n8n.example.com'])(
		'says of %s that Kudosity cannot use it, and how to set another one',
		async (url) => {
			// A service that is not on this machine, and does not answer.
			const credentials = credentialsFor('https://kudosity.invalid');
			const items = await check('webhook', { url, credentials });
			expect(by(items).address).toMatchObject({
				ok: false,
				message: expect.stringContaining(`${url}/`),
				whatToDo: todo('N8N_WEBHOOK_URL'),
			});
			expect(items.map((each) => each.ok)).toEqual([null, null, null, false]);
		},
	);
});
