import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';
import { runKudosity } from './harness.ts';

const refusedRecipient =
	"'Recipient' is not a phone number. Use 6 to 15 digits in international format, e.g. 61491570006. Spaces, hyphens, dots, brackets and a leading + are fine";

const service = useEmulator();

const send = {
	resource: 'sms',
	operation: 'send',
	message: '={{ $json.text }}',
	sender: 'Acme',
	recipient: '={{ $json.phone }}',
	options: {},
};
const sendBulk = {
	resource: 'sms',
	operation: 'sendBulk',
	message: 'Closed today',
	to: '={{ $json.to }}',
	from: '={{ $json.from }}',
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

	it.each([
		['trackLinks', "'Options > Track Links' is neither true nor false"],
		['repeatUnknown', "'Options > Repeat When Outcome Is Unknown' is neither true nor false"],
	])('says what %s can be, before any request', async (option, message) => {
		const options = { [option]: '={{ "sometimes" }}' };
		const { error } = await run({ ...send, options }, [{ text: 'Hi', phone: '61491570006' }]);

		expect(error?.message).toBe(message);
		expect(error?.description).toContain('Use true or false');
		expect(await service.control.requests()).toEqual([]);
	});

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
		const { items: output } = await run(send, items, { onError: 'continueRegularOutput' });

		expect(output.map(({ json, pairedItem }) => [json.message ?? json, pairedItem])).toEqual([
			['One', { item: 0 }],
			[{ error: refusedRecipient }, { item: 1 }],
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
		expect(outputs[1]?.map(({ json }) => json)).toMatchObject([{ error: refusedRecipient }]);
	});

	it('says what the service did not accept', async () => {
		const { error } = await run({ ...send, sender: '61491579999' }, [
			{ text: 'Hi', phone: '61491570006' },
		]);

		expect(error).toMatchObject({
			message: 'Kudosity does not accept the values',
			httpCode: '400',
		});
		expect(error?.description).toContain('Sender not found');
	});

	it('says so in the output too when the node continues', async () => {
		const { json } = await run(
			{ ...send, sender: '61491579999' },
			[{ text: 'Hi', phone: '61491570006' }],
			{ onError: 'continueRegularOutput' },
		);

		expect(json).toEqual([
			{ error: expect.stringMatching(/^Kudosity does not accept the values\. .*Sender not found/) },
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
		await service.control.addFault({
			fault: 'redirect',
			location: `${service.url}/v2/sms?elsewhere`,
		});
		const { error } = await run(send, [{ text: 'Hi', phone: '61491570006' }]);

		expect(error?.message).toBe('The base URL leads to another address');
		expect(await service.control.requests()).toHaveLength(1);
	});
});

describe('sms.sendBulk', () => {
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
		const { json } = await run(sendBulk, [{ to: '61491570006', from: 'Acme' }], {
			retryOnFail: true,
			maxTries: 5,
			waitBetweenTries: 1,
		});

		expect(json[0]).not.toHaveProperty('error');
		expect(await service.control.messages()).toHaveLength(1);
	});

	it('refuses more than 500 recipients before any request', async () => {
		const to = Array.from({ length: 501 }, (_, index) => 61491000000 + index);
		const { error } = await run(sendBulk, [{ to, from: 'Acme' }]);

		expect(error?.message).toBe("'To' has 501 numbers, 500 are allowed");
		expect(await service.control.requests()).toEqual([]);
	});

	it('takes 500 recipients in one request', async () => {
		const to = Array.from({ length: 500 }, (_, index) => 61491000000 + index);
		const { json } = await run(sendBulk, [{ to, from: 'Acme' }]);

		expect(json[0]).toMatchObject({ recipients: 500 });
		expect(await service.control.requests()).toHaveLength(1);
	});

	it('names the position of a wrong number', async () => {
		const { error } = await run(sendBulk, [{ to: '61491570006,Sam', from: 'Acme' }]);

		expect(error?.message).toBe("'To' is not a phone number at position 2");
	});
});
