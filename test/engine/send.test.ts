import { describe, expect, it } from 'vitest';
import { continues, retries, useEmulator } from './emulator.ts';
import { runKudosity } from './harness.ts';
import { itRefuses } from './refuses.ts';

const refusedRecipient =
	"'Recipient' is not a phone number. Write it with + and its country code, e.g. +61 491 570 006. Spaces, hyphens, dots, slashes and brackets are fine";

const service = useEmulator();
const working = { message: 'Hi', sender: 'Acme', recipient: '61491570006' };

const send = {
	resource: 'sms',
	operation: 'send',
	message: '={{ $json.text }}',
	sender: 'Acme',
	recipient: '={{ $json.phone }}',
	options: {},
};
const sendBulk = {
	resource: 'bulkSms',
	operation: 'send',
	message: 'Closed today',
	recipients: '={{ $json.to }}',
	sender: '={{ $json.from }}',
	options: {},
};

const run = async (parameters: object, items: object[], settings = {}) =>
	await runKudosity({
		parameters: parameters as never,
		credentials: service.credentials,
		items: items as never,
		settings,
	});

describe('sms.send', () => {
	it('sends one message for each item and pairs the answers with their items', async () => {
		const items = [
			{ text: 'One', phone: '+61 491-570-006' },
			{ text: 'Two', phone: 61491570156 },
			{ text: ' Three ', phone: '(61) 491.570.157' },
		];
		const { items: output } = await run(send, items);

		expect(output.map(({ json }) => json)).toMatchObject([
			{ recipient: '61491570006', message: 'One', sms_count: 1 },
			{ recipient: '61491570156', message: 'Two', sms_count: 1 },
			{ recipient: '61491570157', message: ' Three ', sms_count: 1 },
		]);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		const requests = await service.control.requests({ path: '/v2/sms' });
		expect(requests.map(({ body }) => body)).toContainEqual({
			message: 'One',
			sender: 'Acme',
			recipient: '61491570006',
			message_ref: expect.any(String),
		});
		expect(requests[0]).toMatchObject({
			method: 'POST',
			accountId: 'playground',
			headers: { 'x-api-key': '***', 'content-type': 'application/json' },
		});
	});

	it('passes on the message reference and link tracking', async () => {
		const options = { messageRef: 'order-1', trackLinks: true };
		await run({ ...send, options }, [{ text: 'See https://example.com', phone: '61491570006' }]);

		const [request] = await service.control.requests({ path: '/v2/sms' });
		expect(request?.body).toMatchObject({ message_ref: 'order-1', track_links: true });
	});

	it.each([
		['true', { track_links: true }],
		['FALSE', { track_links: false }],
	])('takes the text %s for an option that is on or off', async (track, expected) => {
		const options = { trackLinks: '={{ $json.track }}', repeatUnknown: '={{ $json.track }}' };
		await run({ ...send, options }, [{ text: 'Hi', phone: '61491570006', track }]);

		const [request] = await service.control.requests({ path: '/v2/sms' });
		expect(request?.body).toMatchObject(expected);
	});

	itRefuses(service, 'sms/send', working, [
		[
			{ options: { trackLinks: '={{ "sometimes" }}' } },
			"'Options > Track Links' is neither true nor false",
		],
		[
			{ options: { repeatUnknown: '={{ "sometimes" }}' } },
			"'Options > Repeat When Outcome Is Unknown' is neither true nor false",
		],
		[
			{ message: 'See [tracked-link]' },
			/^'Message' has \[tracked-link\], which only Bulk SMS repl/,
			'Write the link itself',
		],
	]);

	it.each([
		[
			'a recipient that is no number',
			{ text: 'Hi', phone: 'Sam' },
			"'Recipient' is not a phone number",
		],
		['an empty message', { text: '  ', phone: '61491570006' }, "'Message' is empty"],
		[
			'an object where text is expected',
			{ text: { a: 1 }, phone: '61491570006' },
			"'Message' is not text",
		],
		['a missing recipient', { text: 'Hi' }, "'Recipient' is empty"],
	])('refuses %s before any request and names the field', async (_, item, message) => {
		const good = { text: 'Hi', phone: '61491570006' };
		const { error } = await run(send, [good, item]);

		expect(error).toMatchObject({ message, itemIndex: 1 });
		expect(error?.description).toBeTruthy();
		expect(await service.control.requests()).toEqual([]);
	});

	it('lets the other items go on when one of them is wrong and the node continues', async () => {
		const items = [
			{ text: 'One', phone: '61491570006' },
			{ text: 'Two', phone: 'nobody' },
			{ text: 'Three', phone: '61491570157' },
		];
		const { items: output } = await run(send, items, continues);

		expect(output.map(({ json, pairedItem }) => [json.message ?? json, pairedItem])).toEqual([
			['One', { item: 0 }],
			[{ error: refusedRecipient, details: { code: 'invalid_number' } }, { item: 1 }],
			['Three', { item: 2 }],
		]);
		expect(await service.control.messages()).toHaveLength(2);
	});

	it('puts a refused item on the error output, with its input', async () => {
		const items = [
			{ text: 'One', phone: '61491570006' },
			{ text: 'Two', phone: 'nobody' },
		];
		const { outputs } = await run(send, items, { onError: 'continueErrorOutput' });

		expect(outputs[0]).toHaveLength(1);
		expect(outputs[1]?.map(({ json }) => json)).toEqual([
			{ ...items[1], error: refusedRecipient, details: { code: 'invalid_number' } },
		]);
	});

	it('says what the service did not accept', async () => {
		const { error } = await run({ ...send, sender: '61491579999' }, [
			{ text: 'Hi', phone: '61491570006' },
		]);

		expect(error).toMatchObject({
			message: 'Kudosity does not accept the sender',
			httpCode: '400',
		});
		expect(error?.description).toContain('Sender not found');
	});

	it('says that the recipient has opted out, and what to do', async () => {
		const sent = await run(send, [{ text: 'Hi', phone: '61491570006' }]);
		await service.control.optOut(String(sent.json[0]?.id));
		const { error } = await run(send, [{ text: 'Hi again', phone: '61491570006' }]);

		expect(error).toMatchObject({ message: 'The recipient has opted out', httpCode: '400' });
		expect(error?.description).toContain('Leave this recipient out');
		expect(error?.code).toBe('opted_out');
	});

	it('says that the sender is unknown, and where to find those of the account', async () => {
		const item = { text: 'Hi', phone: '61491570006' };
		const { error } = await run({ ...send, sender: '61491579999' }, [item]);

		expect(error?.description).toContain('Use a number of your account, see Number → Get Many');
		expect(error?.code).toBe('invalid_sender');
	});

	it('says that the base URL is wrong when nobody knows the path of a send', async () => {
		const apiKey = service.credentials.kudosityKeyApi?.apiKey;
		const { error } = await runKudosity({
			parameters: send,
			credentials: { kudosityKeyApi: { apiKey, baseUrl: `${service.url}/elsewhere` } },
			items: [{ text: 'Hi', phone: '61491570006' }],
		});

		expect(error).toMatchObject({
			message: 'The base URL does not lead to the Kudosity API',
			httpCode: '404',
			code: 'base_url',
		});
		expect(error?.description).not.toContain('ID');
	});

	it('says so in the output too when the node continues', async () => {
		const { json } = await run(
			{ ...send, sender: '61491579999' },
			[{ text: 'Hi', phone: '61491570006' }],
			continues,
		);

		expect(json).toEqual([
			{
				error: expect.stringMatching(/^Kudosity does not accept the sender\. .*Sender not found/),
				details: { code: 'invalid_sender' },
			},
		]);
	});

	it('asks once only when the key is wrong', async () => {
		const credentials = {
			kudosityKeyApi: { ...service.credentials.kudosityKeyApi, apiKey: 'wrong' },
		};
		const { error } = await runKudosity({
			parameters: send,
			credentials,
			items: [{ text: 'Hi', phone: '61491570006' }],
		});

		expect(error).toMatchObject({
			message: 'Kudosity did not accept the credential',
			httpCode: '401',
		});
		expect(await service.control.requests()).toHaveLength(1);
	});

	it('never sends the key to an address that is not https', async () => {
		const credentials = {
			kudosityKeyApi: { apiKey: 'playground-key', baseUrl: 'http://api.example.com' },
		};
		const { error } = await runKudosity({
			parameters: send,
			credentials,
			items: [{ text: 'Hi', phone: '61491570006' }],
		});

		expect(error?.message).toBe("'Base URL' of the credential is not an https address");
	});

	it('does not follow a redirect with the key', async () => {
		await service.fault('redirect', {}, { location: `${service.url}/v2/sms?elsewhere` });
		const { error } = await run(send, [{ text: 'Hi', phone: '61491570006' }]);

		expect(error?.message).toBe('The base URL leads to another address');
		expect(await service.control.requests()).toHaveLength(1);
	});
});

describe('bulkSms.send', () => {
	it.each([
		['one number', 61491570006, '61491570006'],
		['a comma-separated text', '61491570006, +61 491 570 156', '61491570006,61491570156'],
		['a list', ['61491570006', 61491570156], '61491570006,61491570156'],
	])('sends to %s as form fields', async (_, to, expected) => {
		const from = 'Acme';
		const { json } = await run(sendBulk, [{ to, from }]);

		const [request] = await service.control.requests({ path: '/send-sms.json' });
		expect(request?.body).toEqual({ message: 'Closed today', to: expected, from: 'Acme' });
		expect(request?.headers['content-type']).toContain('application/x-www-form-urlencoded');
		expect(request).toMatchObject({ accountId: 'playground', headers: { authorization: '***' } });
		expect(json[0]).toMatchObject({ recipients: expected.split(',').length });
		expect(json[0]?.message_id).toEqual(expect.any(String));
	});

	it('removes the success code, which n8n would take for a failure and send again', async () => {
		const { json } = await run(sendBulk, [{ to: '61491570006', from: 'Acme' }], retries);

		expect(json[0]).not.toHaveProperty('error');
		expect(await service.control.messages()).toHaveLength(1);
	});

	it('takes more than 500 recipients in several requests', async () => {
		const to = Array.from({ length: 501 }, (_, index) => 61491000000 + index);
		const { json } = await run(sendBulk, [{ to, from: 'Acme' }]);

		expect(json).toMatchObject([
			{ recipients: 501, message_ids: [expect.any(String), expect.any(String)] },
		]);
		expect(await service.control.requests()).toHaveLength(2);
	});

	it('takes 500 recipients in one request', async () => {
		const to = Array.from({ length: 500 }, (_, index) => 61491000000 + index);
		const { json } = await run(sendBulk, [{ to, from: 'Acme' }]);

		expect(json[0]).toMatchObject({ recipients: 500 });
		expect(await service.control.requests()).toHaveLength(1);
	});

	it('sends to the others when one number is wrong, and says which', async () => {
		const { json } = await run(sendBulk, [{ to: '61491570006,Sam,', from: 'Acme' }]);

		expect(json).toMatchObject([
			{
				recipients: 1,
				not_sent: [{ number: '…Sam', code: 'invalid_number', reason: 'is not a phone number' }],
			},
		]);
	});

	it('refuses an item none of whose numbers is one', async () => {
		const { error } = await run(sendBulk, [{ to: 'Sam', from: 'Acme' }]);

		expect(error?.message).toBe(
			"'Recipients' has no phone number: at position 1, it is not a phone number",
		);
		expect(await service.control.requests()).toEqual([]);
	});
});

describe("a text in the words of Kudosity's older API", () => {
	it('has the opt-out link of the newer one', async () => {
		const item = { text: 'Sale. Opt out: [unsub-reply-link]', phone: '61491570006' };
		await run(send, [item]);

		const [request] = await service.control.requests({ path: '/v2/sms' });
		expect(request?.body).toMatchObject({ message: 'Sale. Opt out: [opt-out-link]' });
	});
});
