import { describe, expect, it } from 'vitest';
import { resources } from '../../nodes/Kudosity/resources/index.ts';
import { useEmulator } from '../engine/emulator.ts';
import { runKudosity } from '../engine/harness.ts';

const service = useEmulator();

/** What expressions deliver by mistake, or by the hand of whoever fills the form behind them. */
const hostileValues: unknown[] = [
	{ toString: 'text' },
	{ length: 1, 0: '61491570006' },
	[],
	[[['61491570006']]],
	[{ phone: '61491570006' }],
	JSON.parse('{"__proto__": {"polluted": true}}'),
	JSON.parse('{"constructor": {"prototype": {"polluted": true}}}'),
	null,
	true,
	-1,
	2 ** 60,
	Number.MAX_VALUE,
	'',
	'../../webhook',
	'..',
	'%2e%2e%2fwebhook',
	'..%2f..%2fv2%2fsms',
	'/v2/sms?x=',
	'id#fragment',
	'id\r\nX-Injected: yes',
	'a&to=61491570006&from=Evil',
	'{{ $json }}',
	'\u0000',
	'x'.repeat(100_000),
];

/** Fields with which each operation works as long as nobody touches them. */
const goodFields: Record<string, Record<string, unknown>> = {
	'sms/send': { message: 'Hello', sender: 'Acme', recipient: '61491570156', options: {} },
	'sms/sendBulk': { message: 'Hello', from: 'Acme', to: '61491570156', options: {} },
	'number/getAll': { filter: 'owned', returnAll: false, limit: 5 },
	'list/getAll': { returnAll: false, limit: 5 },
	'rcs/get': { messageId: '5eeded00-0000-4000-8000-000000000001' },
	'rcs/getAll': { returnAll: false, limit: 5, filters: {} },
	'rcs/waitForStatus': {
		messageId: '5eeded00-0000-4000-8000-000000000001',
		until: ['DELIVERED', 'READ'],
		options: { intervalSeconds: 1, timeoutSeconds: 1 },
	},
	'webhook/create': {
		name: 'Order events',
		url: 'https://example.com/events',
		eventTypes: ['SMS_STATUS'],
		filters: {},
		options: {},
	},
	'webhook/get': { webhookId: 'unknown' },
	'webhook/getAll': { returnAll: false, limit: 5 },
	'webhook/update': {
		webhookId: 'unknown',
		name: '',
		url: '',
		eventTypes: [],
		filters: {},
		options: {},
	},
	'webhook/delete': { webhookId: 'unknown' },
};

const operations = resources.flatMap((resource) =>
	resource.operations.map(({ value }) => `${resource.value}/${value}`),
);
const attacks = operations.flatMap((name) =>
	Object.keys(goodFields[name] ?? {}).map((field) => [name, field] as const),
);

const knownPaths = [
	/^\/v2\/sms$/,
	/^\/send-sms\.json$/,
	/^\/get-(numbers|lists)\.json$/,
	/^\/v2\/rcs\/messages(\/[\w-]+)?$/,
	/^\/v2\/webhook(\/[\w-]+)?$/,
];

const run = async (name: string, fields: Record<string, unknown>, items: object[]) => {
	const [resource, operation] = name.split('/');
	return await runKudosity({
		parameters: { resource, operation, ...fields } as never,
		credentials: service.credentials,
		items: items as never,
		settings: { onError: 'continueRegularOutput' },
	});
};

it('attacks every operation', () => {
	expect(Object.keys(goodFields).sort()).toEqual([...operations].sort());
});

describe('a hostile value', () => {
	it.each(attacks)('does no harm in %s, field %s', async (name, field) => {
		const items = hostileValues.map((value) => ({ value }));
		const fields = { ...goodFields[name], [field]: '={{ $json.value }}' };
		const { run: execution } = await run(name, fields, items);

		expect(execution.status).toBe('success');
		for (const { path, headers, body } of await service.control.requests()) {
			expect(
				knownPaths.some((known) => known.test(path)),
				path,
			).toBe(true);
			expect(headers).not.toHaveProperty('x-injected');
			expect(JSON.stringify(body ?? '')).not.toContain('[object Object]');
		}
		expect({}).not.toHaveProperty('polluted');
		for (const { recipient } of await service.control.messages()) {
			expect(recipient).toMatch(/^\d{6,15}(,\d{6,15})*$/);
		}
	});

	const texts = [
		['sms/send', 'message', 'Message'],
		['sms/send', 'sender', 'Sender'],
		['sms/send', 'recipient', 'Recipient'],
		['sms/sendBulk', 'message', 'Message'],
		['sms/sendBulk', 'from', 'From'],
		['rcs/get', 'messageId', 'Message ID'],
		['webhook/create', 'name', 'Name'],
		['webhook/create', 'url', 'URL'],
		['webhook/get', 'webhookId', 'Webhook'],
	] as const;

	it.each(texts)(
		'that is no text is refused in %s by the name of field %s',
		async (name, field, label) => {
			const items = [
				{ value: { text: 'Hi' } },
				{ value: ['Hi'] },
				{ value: null },
				{ value: Number.NaN },
			];
			const fields = { ...goodFields[name], [field]: '={{ $json.value }}' };
			const { json } = await run(name, fields, items);

			expect(json).toEqual(
				items.map(() => ({ error: expect.stringMatching(`^'${label}[^']*' (is|has) `) })),
			);
			expect(await service.control.requests()).toEqual([]);
		},
	);

	it.each([
		['sms/send', 'message'],
		['sms/sendBulk', 'message'],
	])('stays one field of the request in %s', async (name, field) => {
		const injected =
			'Hi\r\nX-Injected: yes\r\n\r\n&to=61491570006&from=Evil","recipient":"61491570006';
		await run(name, { ...goodFields[name], [field]: '={{ $json.value }}' }, [{ value: injected }]);

		const [request] = await service.control.requests();
		expect(request?.headers).not.toHaveProperty('x-injected');
		expect(request?.body).toMatchObject({ message: injected });
		const messages = await service.control.messages();
		expect(messages.map(({ recipient, sender, text }) => [recipient, sender, text])).toEqual([
			['61491570156', 'Acme', injected],
		]);
	});
});

describe('a key with a line break', () => {
	it.each([
		['sms/send', 'kudosityKeyApi'],
		['sms/sendBulk', 'kudosityBasicApi'],
	])('sends nothing beside it and does not show itself (%s)', async (name, type) => {
		const apiKey = 'broken-key\r\nX-Injected: yes';
		const [resource, operation] = name.split('/');
		const { error } = await runKudosity({
			parameters: { resource, operation, ...goodFields[name] } as never,
			credentials: { [type]: { ...service.credentials[type], apiKey } },
		});

		expect(error?.message).toMatch(/^'API Key' of the credential has a line break/);
		expect(JSON.stringify(error)).not.toContain('broken-key');
		expect(await service.control.requests()).toEqual([]);
	});
});
