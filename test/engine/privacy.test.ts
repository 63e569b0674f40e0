import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';

const service = useEmulator();
const recipient = '61491570156';
const text = 'See you at noon';
const sms = { message: text, sender: 'Acme', recipient };

/** What the node shows when the service refuses an operation in these words. */
const shownBy = async (name: string, fields: object, words: string) => {
	const error = { title: 'Bad', code: 'FIELD_INVALID', detail: words, description: words };
	const isOld = !/^(sms|mms|rcs|whatsapp|webhook|sender)\//.test(name);
	const { title, detail, code, description } = error;
	const body = { error: isOld ? { code, description } : { title, detail } };
	await service.control.addFault({ fault: 'custom', status: 400, body });
	const { error: shown } = await service.run(name, fields);
	return / says: (.*?)\. [A-Z]/s.exec(`${shown?.description}`)?.[1];
};

describe('what the service says of a message', () => {
	it.each([
		['Sender Acme not found', 'Sender Acme not found'],
		[`Cannot send "${text}" now`, 'Cannot send "…" now'],
		[`${recipient} is not a mobile`, '… is not a mobile'],
		['Try +61491570157 instead', 'Try …0157 instead'],
		['Limit 500 at 2026-11-20', 'Limit 500 at 2026-11-20'],
	])('%s: is shown as %s', async (words, shown) => {
		expect(await shownBy('sms/send', sms, words)).toBe(shown);
	});

	it('keeps a longer word of which the message is a part, and one that is a word of two letters', async () => {
		const words = 'This is not valid';
		expect(await shownBy('sms/send', { ...sms, message: 'is' }, words)).toBe(words);
		const sent = { ...sms, message: 'send' };
		expect(await shownBy('sms/send', sent, 'no sender found: send')).toBe('no sender found: …');
	});

	it('shows no part of it in codes and issues either', async () => {
		const issues = [{ field: recipient, message: text }];
		const body = { error: { title: 'No 61491570157', detail: 'No', issues } };
		await service.control.addFault({ fault: 'custom', status: 400, body });
		const { error } = await service.run('sms/send', sms);

		expect(error?.description).toContain('…: …');
		expect(JSON.stringify(error)).not.toMatch(/noon|61491570157|61491570156/);
	});
});

const number = '61491570006';
const contact = { contact: number, listId: '4100002' };
const customFields = { values: [{ name: 'Suburb', value: 'Diabetes' }] };

it.each<[string, object, string]>([
	[
		'webhook/create',
		{ name: 'Hook', eventTypes: ['OPT_OUT'], url: 'https://a.example/?t=1' },
		'https://a.example/?t=1',
	],
	[
		'mms/send',
		{ ...sms, contentUrl: 'https://a.example/a.jpg?s=1' },
		'https://a.example/a.jpg?s=1',
	],
	['sender/confirmVerification', { registrationId: 'r', code: '012345' }, '012345'],
	['number/update', { number, options: { welcomeMessage: 'Thanks, Sam' } }, 'Thanks, Sam'],
	[
		'number/update',
		{ number, options: { membersMessage: 'On the list already' } },
		'On the list already',
	],
	[
		'number/update',
		{ number, options: { forwardUrl: 'https://a.example/s' } },
		'https://a.example/s',
	],
	['number/update', { number, options: { forwardEmail: 'sam@example.com' } }, 'sam@example.com'],
	[
		'number/update',
		{ number, options: { forwardEmail: 'team@example.com, sam@example.com' } },
		'sam@example.com',
	],
	['emailSender/create', { email: 'sam@example.com' }, 'sam@example.com'],
	['contact/upsert', { ...contact, firstName: 'Samantha' }, 'Samantha'],
	['contact/upsert', { ...contact, lastName: "O'Brien" }, "O'Brien"],
	[
		'bulkSms/send',
		{
			...sms,
			recipients: recipient,
			message: 'See [tracked-link]',
			options: { trackedLinkUrl: 'https://a.example/?t=1' },
		},
		'https://a.example/?t=1',
	],
])('%s, refused: what it got as %j is not shown', async (name, fields, value) => {
	expect(await shownBy(name, fields, `"${value}" is wrong`)).toBe('"…" is wrong');
});

it('shows no custom field of a contact', async () => {
	const body = { error: { code: 'FIELD_INVALID', description: '"Diabetes" is wrong' } };
	const match = { path: '/add-to-list.json' };
	await service.control.addFault({ fault: 'custom', status: 400, body, match });
	const { error } = await service.run('contact/upsert', { ...contact, customFields });

	expect(error?.description).toContain('"…" is wrong');
});

describe('an answer that repeats a secret', () => {
	const key = { apiKey: 's3cret-key', baseUrl: '' };

	/** What a list without Simplify shows of such an answer. */
	const shown = async (said: string, changes: object = {}) => {
		const credential = { ...key, baseUrl: service.url, ...changes };
		const body = `{"smses":[${said}]}`;
		await service.control.addFault({ fault: 'custom', status: 200, body });
		const credentials = { kudosityKeyApi: credential };
		const { json, error } = await service.run('sms/getAll', { simplify: false }, { credentials });
		expect(error).toBeUndefined();
		return json[0];
	};
	const escaped = { apiKey: 'q"uo\\te+=/' };

	it.each([
		['{"key":"s3cret-key"}', {}, { key: '***' }],
		['{"said":"apikey_s3cret-key"}', {}, { said: 'apikey_***' }],
		[
			'{"url":"https://a.example/?key%3Ds3cret-key2"}',
			{},
			{ url: 'https://a.example/?key%3D***2' },
		],
		['{"key":"other"}', {}, { key: 'other' }],
		// With escapes, and in names.
		[String.raw`{"said":"wrong key:\ns3cret-key"}`, {}, { said: 'wrong key:\n***' }],
		[String.raw`{"said":"\u0073\u0033cret-key"}`, {}, { said: '***' }],
		[String.raw`{"said":"not q\"uo\\te+=\/"}`, escaped, { said: 'not ***' }],
		['{"key s3cret-key":1}', {}, { 'key ***': 1 }],
		// A number of the answer is no secret, even if the secret is that number.
		[
			'{"number":61491570006,"key":"61491570006"}',
			{ apiKey: '61491570006' },
			{ number: 61491570006, key: '***' },
		],
		['{"said":"[61491570006]"}', { apiKey: '61491570006' }, { said: '[***]' }],
		// A key as short as an ordinary word hides nothing.
		['{"status":"sent"}', { apiKey: 'sent' }, { status: 'sent' }],
	])('%s', async (said, changes, expected) => {
		expect(await shown(said, changes)).toMatchObject(expected);
	});

	it.each([
		['1kudosity2', '1kudosity2'],
		['the kudosity is wrong', 'the *** is wrong'],
		[`Basic ${Buffer.from('s3cret-key:kudosity').toString('base64')}`, 'Basic ***'],
	])('keeps a longer word that a made-up secret is only a part of: %s', async (name, expected) => {
		const page = { page: { count: 1, number: 1 }, lists: [{ id: 1, name }] };
		await service.control.addFault({ fault: 'custom', status: 200, body: page });
		const credentials = {
			kudosityBasicApi: { ...key, apiSecret: 'kudosity', baseUrl: service.url },
		};
		const { json } = await service.run('list/getAll', {}, { credentials });

		expect(json).toMatchObject([{ name: expected }]);
	});
});
