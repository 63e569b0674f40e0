import { describe, expect, it } from 'vitest';
import { useEmulator } from '../engine/emulator.ts';
import { skipPauses } from '../engine/pauses.ts';
import { askingOperations, operationsByName } from '../helpers/exampleFields.ts';
import { createHonestRuns } from './honestRuns.ts';

skipPauses();
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

const attacks = Object.entries(operationsByName).flatMap(([name, { properties }]) =>
	properties.map((field) => [name, field.name] as const),
);

const { run, goodFields, pathsOf } = createHonestRuns(service);

describe('a hostile value', () => {
	it.each(attacks)('does no harm in %s, field %s', async (name, field) => {
		const items = hostileValues.map((value) => ({ value }));
		const good = await goodFields(name);
		const prepared = await service.control.requests();
		await run(name, good, [{}]);
		const honest = (await service.control.requests()).slice(prepared.length);
		const paths = pathsOf(name, good, honest);
		const fields = { ...good, [field]: '={{ $json.value }}' };
		const { run: execution } = await run(name, fields, items);

		expect(execution.status).toBe('success');
		expect(paths.length > 0).toBe(name in askingOperations);
		const requests = (await service.control.requests()).slice(prepared.length);
		for (const { path, headers, body } of requests) {
			expect(
				paths.some((known) => known.test(path)),
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
		['bulkSms/send', 'message', 'Message'],
		['bulkSms/send', 'sender', 'Sender'],
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
			const fields = { ...(await goodFields(name)), [field]: '={{ $json.value }}' };
			const prepared = await service.control.requests();
			const { json } = await run(name, fields, items);

			expect(json).toMatchObject(
				items.map(() => ({ error: expect.stringMatching(`^'${label}[^']*' (is|has) `) })),
			);
			expect(await service.control.requests()).toEqual(prepared);
		},
	);

	it.each([
		['sms/send', 'recipient'],
		['bulkSms/send', 'recipients'],
	])('stays one field of the request in %s', async (name, recipients) => {
		const injected =
			'Hi\r\nX-Injected: yes\r\n\r\n&to=61491570006&from=Evil","recipient":"61491570006';
		const good = { ...(await goodFields(name)), [recipients]: '61491570156' };
		await run(name, { ...good, message: '={{ $json.value }}' }, [{ value: injected }]);

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
		['bulkSms/send', 'kudosityBasicApi'],
	])('sends nothing beside it and does not show itself (%s)', async (name, type) => {
		const apiKey = 'broken-key\r\nX-Injected: yes';
		const credentials = { [type]: { ...service.credentials[type], apiKey } };
		const { error } = await service.run(name, await goodFields(name), { credentials });

		expect(error?.message).toMatch(/^'API Key' in the credential has an invisible character/);
		expect(JSON.stringify(error)).not.toContain('broken-key');
		expect(await service.control.requests()).toEqual([]);
	});
});
