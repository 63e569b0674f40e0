import { describe, expect, it } from 'vitest';
import { continues, retries, useEmulator } from './emulator.ts';
import { itRefuses } from './refuses.ts';

const service = useEmulator();
const phone = '61491570006';
const working = { message: 'Hi', sender: 'Acme', recipient: phone };

const requests = async () => await service.control.requests();

describe('sms.send', () => {
	it('sends one message for each item and pairs the answers with their items', async () => {
		const { items } = await service.sms([
			{ text: 'One', phone: '+61 491-570-006' },
			{ text: 'Two', phone: 61491570156 },
			{ text: ' Three ', phone: '(61) 491.570.157' },
		]);

		expect(items).toMatchObject([
			{ json: { recipient: phone, message: 'One', sms_count: 1 }, pairedItem: { item: 0 } },
			{ json: { recipient: '61491570156', message: 'Two' }, pairedItem: { item: 1 } },
			{ json: { recipient: '61491570157', message: ' Three ' }, pairedItem: { item: 2 } },
		]);
		const message_ref = expect.any(String);
		const body = { message: 'One', sender: 'Acme', recipient: phone, message_ref };
		expect((await requests()).map((request) => request.body)).toContainEqual(body);
		expect((await requests())[0]).toMatchObject({
			method: 'POST',
			path: '/v2/sms',
			accountId: 'playground',
			headers: { 'x-api-key': '***', 'content-type': 'application/json' },
		});
	});

	it('passes on the message reference and link tracking', async () => {
		const options = { messageRef: 'order-1', trackLinks: true };
		await service.sms([{ text: 'See https://example.com', phone }], options);

		const passed = { message_ref: 'order-1', track_links: true };
		expect(await requests()).toMatchObject([{ body: passed }]);
	});

	it("has the opt-out link of the newer API for that of Kudosity's older one", async () => {
		await service.sms([{ text: 'Sale. Opt out: [unsub-reply-link]', phone }]);

		expect(await requests()).toMatchObject([
			{ body: { message: 'Sale. Opt out: [opt-out-link]' } },
		]);
	});

	it('refuses to send each message more than three times, as after a node that runs once for each row', async () => {
		const items = Array.from({ length: 4 }, () => [{ phone }, { phone: '61491570157' }]).flat();
		const { error } = await service.sms(items);
		expect(error?.message).toBe('Each message is in the input 4 times, so nothing was sent');
		expect(error?.description).toContain(
			"Turn on 'Settings > Execute Once' in the node that reads",
		);
		expect(await requests()).toEqual([]);
	});

	it.each([phone, '={{ $json.phone }}'])(
		'sends an alert as often as there is a reason: %s',
		async (to) => {
			const items = Array.from({ length: 5 }, () => ({ phone }));
			const { error } = await service.run('sms/send', { ...working, recipient: to }, { items });
			expect(error).toBeUndefined();
			expect(await requests()).toHaveLength(5);
		},
	);

	itRefuses(service, 'sms/send', working, [
		[{ recipient: 'Sam' }, "'Recipient' is not a phone number"],
		[
			{ recipient: '{{ $json.phone }}' },
			"'Recipient' contains an expression that n8n did not evaluate",
		],
		[{ recipient: '={{ $json.missing }}' }, "'Recipient' is empty"],
		[{ message: '  ' }, "'Message' is empty"],
		[{ message: '\ufeff \u200b\u200e' }, "'Message' is empty"],
		[{ message: '={{ { a: 1 } }}' }, "'Message' is not text"],
		[
			{ options: { trackLinks: '={{ "sometimes" }}' } },
			"'Options > Track Links' must be true or false",
		],
		[
			{ options: { onOutcomeUnknown: 'sometimes' } },
			"'Options > If Not Confirmed' has an unknown value",
		],
		[
			{ message: 'See [tracked-link]' },
			/^'Message' has \[tracked-link\], which only works in Bulk SMS/,
			'Enter the link itself',
		],
	]);

	it('lets the other items go on when one of them is wrong and the node continues', async () => {
		const texts = ['One', 'Two', 'Three'];
		const items = texts.map((text) => ({ text, phone: text === 'Two' ? 'nobody' : phone }));
		const { items: output } = await service.sms(items, {}, { settings: continues });

		const error =
			"'Recipient' is not a phone number. Write the number with + and the country code, e.g. +61 491 570 006. Spaces, hyphens, dots, slashes and parentheses are fine";
		expect(output.map(({ json, pairedItem }) => [json.message ?? json, pairedItem])).toEqual([
			['One', { item: 0 }],
			[{ error, details: { code: 'invalid_number' } }, { item: 1 }],
			['Three', { item: 2 }],
		]);
		expect(await service.control.messages()).toHaveLength(2);
	});

	it('says that the recipient has opted out, and what to do', async () => {
		const sent = await service.sms([{ phone }]);
		await service.control.optOut(String(sent.json[0]?.id));
		const { error } = await service.sms([{ text: 'Hi again', phone }]);

		expect(error).toMatchObject({
			message: 'The recipient has opted out',
			httpCode: '400',
			code: 'opted_out',
			description: expect.stringContaining('Remove the recipient'),
		});
	});

	it('says that the sender is unknown, and where to find those of the account', async () => {
		const { error } = await service.run('sms/send', { ...working, sender: '61491579999' });

		expect(error).toMatchObject({
			message: 'Kudosity does not accept the sender',
			httpCode: '400',
			code: 'invalid_sender',
			description: expect.stringMatching(
				/Sender not found.*Use one of your numbers \(Virtual Number → Get Many lists them\)/,
			),
		});
	});

	it('says that the base URL is wrong when nobody knows the path of a send', async () => {
		const kudosityKeyApi = {
			...service.credentials.kudosityKeyApi,
			baseUrl: `${service.url}/elsewhere`,
		};
		const { error } = await service.sms([{ phone }], {}, { credentials: { kudosityKeyApi } });

		expect(error).toMatchObject({
			message: 'The base URL is not the Kudosity API',
			httpCode: '404',
			code: 'base_url',
		});
		expect(error?.description).not.toContain('ID');
	});
});

describe('bulkSms.send', () => {
	it.each([
		['one number', 61491570006, phone],
		['a comma-separated text', '61491570006, +61 491 570 156', '61491570006,61491570156'],
		['a list', ['61491570006', 61491570156], '61491570006,61491570156'],
	])('sends to %s as form fields', async (_, to, expected) => {
		const { json } = await service.bulk([{ to }]);

		const [request] = await requests();
		expect(request?.body).toEqual({ message: 'Hello', to: expected, from: 'Acme' });
		expect(request).toMatchObject({
			path: '/send-sms.json',
			accountId: 'playground',
			headers: {
				authorization: '***',
				'content-type': expect.stringContaining('application/x-www-form-urlencoded'),
			},
		});
		const recipients = expected.split(',').length;
		expect(json).toMatchObject([{ recipients, message_id: expect.any(String) }]);
	});

	it('removes the success code, which n8n would take for a failure and send again', async () => {
		const { json } = await service.bulk([{ to: phone }], {}, { settings: retries });

		expect(json[0]).not.toHaveProperty('error');
		expect(await service.control.messages()).toHaveLength(1);
	});

	it('takes more than 500 recipients in several requests', async () => {
		const to = Array.from({ length: 501 }, (_, index) => 61491000000 + index);
		const { json } = await service.bulk([{ to }]);

		const message_ids = [expect.any(String), expect.any(String)];
		expect(json).toMatchObject([{ recipients: 501, message_ids }]);
		const bodies = (await requests()).map(({ body }) => body as { to: string });
		expect(bodies.map((body) => body.to.split(',').length)).toEqual([500, 1]);

		const fields = { recipients: to, sender: 'Acme', message: 'Hi', output: 'simplified' };
		const simplified = await service.run('bulkSms/send', fields);
		expect(simplified.json).toMatchObject([{ messageIds: message_ids }]);
	});

	it('sends to the others when one number is wrong, and says which', async () => {
		const { json } = await service.bulk([{ to: '61491570006,Sam,' }]);

		const wrong = { number: '…Sam', code: 'invalid_number', reason: 'is not a phone number' };
		expect(json).toMatchObject([{ recipients: 1, not_sent: [wrong] }]);
	});

	it('refuses an item none of whose numbers is one', async () => {
		const { error } = await service.bulk([{ to: 'Sam' }]);

		expect(error?.message).toBe(
			"'Recipients' has no valid phone number: the entry at position 1 is not a phone number",
		);
		expect(await requests()).toEqual([]);
	});
});
