import { describe, expect, it } from 'vitest';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { continues, toPhone, useEmulator } from './emulator.ts';

const service = useEmulator();

type Item = { phone: unknown; text?: string; from?: string };

const run = async (item: Item, onError: 'continueRegularOutput' | 'continueErrorOutput') =>
	await service.run(
		'sms/send',
		{ ...toPhone, sender: '={{ $json.from }}', options: { maxParts: 1 } },
		{ items: [{ from: 'Acme', ...item }], settings: { onError } },
	);

const phone = '61491570006';

const refuse = async (status: number, error: object | string) =>
	await service.answer({ error }, { path: '/v2/sms', count: 1 }, status);

const cases: Array<[string, Item, (() => Promise<unknown>)?]> = [
	['invalid_number', { phone: 'Sam' }],
	['invalid_number', { phone: '' }],
	['invalid_sender', { phone, from: 'A name that is too long' }],
	['invalid_sender', { phone, from: '61491579999' }],
	['invalid_input', { phone, text: '' }],
	['sending_limit', { phone, text: 'a'.repeat(161) }],
	['opted_out', { phone }, async () => await refuse(400, 'The recipient has opted out')],
	['no_balance', { phone }, async () => await refuse(400, 'insufficient funds')],
	[
		'rate_limited',
		{ phone },
		async () =>
			await service.fault('status429', { path: '/v2/sms', count: 'forever' }, { retryAfter: 0 }),
	],
	[
		'outcome_unknown',
		{ phone },
		async () => await service.fault('status500', { path: '/v2/sms', count: 1 }),
	],
];

describe.each(cases)('an item that failed with %s', (code, item, prepare) => {
	it('says so beside its sentence, where the node continues', async () => {
		await prepare?.();
		const { json } = await run(item, 'continueRegularOutput');

		const canRetry = ['no_balance', 'rate_limited'].includes(code) && { canRetry: true };
		expect(json).toEqual([{ error: expect.stringMatching(/\w/), details: { code, ...canRetry } }]);
	});

	it('takes its code and its input along on the error output', async () => {
		await prepare?.();
		const { outputs } = await run(item, 'continueErrorOutput');

		expect(outputs[0]).toEqual([]);
		expect(outputs[1]).toMatchObject([{ json: { phone: item.phone, details: { code } } }]);
		// The whole sentence with its remedy, and no copy of the error beside the JSON.
		expect(outputs[1]?.[0]?.json.error).toMatch(/\. /);
		expect(JSON.parse(JSON.stringify(outputs[1]?.[0]))).not.toHaveProperty('error');
	});
});

it('says what to do on the error output of a step that nothing leads to', async () => {
	const { again } = await run({ phone: 'Sam' }, 'continueErrorOutput');
	const { data } = await again();
	const [, failed] = data.resultData.runData.Kudosity?.at(-1)?.data?.main ?? [];

	expect(failed).toMatchObject([
		{ json: { error: expect.stringMatching(/is empty\..*check what the expression returns/) } },
	]);
});

it.each([
	[401, 'Unauthorized', { cause: 'credential-invalid' }],
	[403, 'The recipient has opted out', undefined],
	[403, 'Forbidden', undefined],
])(
	'asks for another credential after %i “%s” only where that helps',
	async (status, error, failure) => {
		await refuse(status, error);
		const parameters = { message: 'Hello', sender: 'Acme', recipient: phone };
		const { error: shown } = await service.run('sms/send', parameters);

		expect(shown?.failure).toEqual(isCurrent ? failure : undefined);
	},
);

it.each([
	[
		'a sender that is none',
		'invalid_sender',
		'sms/sendAndWait',
		{ sender: "={{ 'A long name !' }}" },
	],
	['a sender that is a name', 'invalid_sender', 'sms/sendAndWait', { sender: 'Acme' }],
	['a WhatsApp sender', 'invalid_sender', 'whatsapp/sendAndWait', { sender: 'Acme' }],
	[
		'one number of several',
		'invalid_number',
		'rcs/checkCapability',
		{ phoneNumbers: `${phone}, Sam` },
	],
])('%s is wrong: %s', async (_, code, name, fields) => {
	const given = { sender: 'AGENT', recipient: phone, message: 'Hi', responseType: 'freeText' };
	const wait = { waitAmount: 1, waitUnit: 'hours', contentType: 'text', options: {} };
	const { json } = await service.run(
		name,
		{ ...given, ...wait, ...fields },
		{ settings: continues },
	);

	expect(json).toMatchObject([{ details: { code } }]);
});

it("does not pass for a canceled execution when n8n's error names a node with that word", async () => {
	const { run, error } = await service.run(
		'sms/send',
		{ ...toPhone, message: "={{ $('Order canceled').first().json.text }}" },
		{ items: [{ phone }], settings: { name: 'Order canceled' } },
	);

	expect(error?.message).toMatch(/Order cancel.?ed/);
	expect(run.status).toBe('error');
});
