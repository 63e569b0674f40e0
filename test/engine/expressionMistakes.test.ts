import { describe, expect, it } from 'vitest';
import { toPhone, useDeduplicationStore, useEmulator } from './emulator.ts';
import type { RunOptions } from './harness.ts';

const service = useEmulator();
useDeduplicationStore();

const [ana, ben, own] = ['61491570006', '61491570156', '61491570158'];
const people = [
	{ phone: ana, Name: 'Ana' },
	{ phone: ben, Name: 'Ben' },
];
const earlier: RunOptions['earlier'] = [
	{ name: 'Rows', items: people },
	{ name: 'Settings', items: [{ phone: ana, text: 'Sale' }] },
];
type Run = Partial<RunOptions>;
const sms = async (fields: object, run: Run = {}) =>
	await service.run(
		'sms/send',
		{ ...toPhone, message: 'Hi', ...fields },
		{ items: people, earlier, ...run },
	);
const texts = async () => (await service.control.messages()).map(({ text }) => text).sort();

describe('a recipient from one row of several', () => {
	it.each(['first', 'last'])('is refused for several items: .%s()', async (method) => {
		const { error } = await sms({ recipient: `={{ $('Rows').${method}().json.phone }}` });
		expect(error?.message).toContain("'Recipient' reads only one of several rows from Rows");
		expect(error?.description).toContain('.item');
		expect(await service.recipients()).toEqual([]);
	});

	it.each([
		'$input.first().json.phone',
		'$input.all()[0].json.phone',
		"$('Rows').all()[0].json.phone",
		"$items('Rows')[1].json.phone",
		"$('Rows').first().json['phone']",
		"$('Rows').first().json.phone.toString()",
		"$('Rows').first().json['phone']?.trim()",
		"$('Rows').last().json.phone.replace(/ /g, '')",
	])('is refused in other forms, too: %s', async (code) => {
		const { error } = await sms({ recipient: `={{ ${code} }}` });
		expect(error?.message).toContain("'Recipient' reads only one of several rows");
	});

	it('is refused where some rows lack what it reads', async () => {
		const rows = [{ contact: { phone: ana } }, {}];
		const more = { earlier: [{ name: 'Rows', items: rows }] };
		const code = "={{ $('Rows').first().json.contact.phone }}";
		const { error } = await sms({ recipient: code }, more);
		expect(error?.message).toContain("'Recipient' reads only one of several rows");
	});

	it('is refused where the column has a dot in its name', async () => {
		const rows = [{ 'Tel.mobile': ana }, { 'Tel.mobile': ben }];
		const more = { earlier: [{ name: 'Rows', items: rows }] };
		const { error } = await sms({ recipient: "={{ $('Rows').first().json['Tel.mobile'] }}" }, more);
		expect(error?.message).toContain("'Recipient' reads only one of several rows");
	});

	it('is taken after a loop', async () => {
		const earlier = [{ name: 'Rows', items: people, runs: 2 }];
		const code = "={{ $('Rows').first().json.phone }}";
		await sms({ recipient: code }, { items: people.slice(0, 1), earlier });
		expect(await service.recipients()).toEqual([ana]);
	});

	it('is taken in a loop from a node that runs in each round', async () => {
		const rounds = { items: [{ ticket: 1 }], laterRounds: [[{ ticket: 2 }]] };
		// Its last run came after the first round.
		const rows = { name: 'Rows', items: people, runs: 2, ranMsAgo: -60_000 };
		const inLoop = { ...rounds, earlier: [rows] };
		const { error } = await sms({ recipient: "={{ $('Rows').first().json.phone }}" }, inLoop);
		expect(error).toBeUndefined();
		expect(await service.recipients()).toEqual([ana, ana]);
	});

	it('is taken in a loop where the node has one row', async () => {
		const rounds = { items: people.slice(0, 1), laterRounds: [people.slice(1)] };
		await sms({ recipient: "={{ $('Settings').first().json.phone }}" }, rounds);
		expect(await service.recipients()).toEqual([ana, ana]);
	});

	it('is taken where all rows have the same value', async () => {
		const rows = people.map((row) => ({ ...row, manager: ana }));
		const more = { earlier: [{ name: 'Rows', items: rows }] };
		await sms({ recipient: "={{ $('Rows').first().json.manager }}" }, more);
		expect(await service.recipients()).toEqual([ana, ana]);
	});

	it('is refused in Bulk SMS', async () => {
		const fields = {
			message: 'Hi',
			sender: own,
			recipients: "={{ $('Rows').first().json.phone }}",
		};
		const { error } = await service.run('bulkSms/send', fields, { items: people, earlier });
		expect(error?.message).toContain("'Recipients' reads only one of several rows from Rows");
		expect(await service.recipients()).toEqual([]);
	});

	it('is taken from a node with one row, and for one item', async () => {
		await sms({ recipient: "={{ $('Settings').first().json.phone }}" });
		await sms({ recipient: "={{ $('Rows').first().json.phone }}" }, { items: people.slice(0, 1) });
		expect(await service.recipients()).toEqual([ana, ana, ana]);
	});

	it('is taken from a list in each item’s own row', async () => {
		const items = people.map(({ phone }) => ({ phones: [phone, own] }));
		await sms({ recipient: '={{ $json.phones.first() }}' }, { items });
		expect((await service.recipients()).sort()).toEqual([ana, ben]);
	});

	it('is fine where each item has its own row, or all rows are read', async () => {
		await sms({ recipient: "={{ $('Rows').all()[$itemIndex].json.phone }}" });
		expect((await service.recipients()).sort()).toEqual([ana, ben]);
	});
});

describe('a message with the values of one row of several', () => {
	const templates = [{ name: 'Texts', items: [{ text: 'Sale' }, { text: 'Bye' }] }];
	/** The people were read once, after the first of the rows before. */
	const readOnce = { name: 'People', items: people };

	it('is sent, since the row can be a template, with a hint', async () => {
		const more = { earlier: [...templates, readOnce] };
		const { hints } = await sms({ message: "={{ $('Texts').first().json.text }}" }, more);
		expect(await texts()).toEqual(['Sale', 'Sale']);
		expect(JSON.stringify(hints)).toContain("'Message' reads only one of several rows from Texts");
	});

	it.each([
		"$('Rows').first().json.Name",
		"$('Rows').last().json.Name.trim()",
		"$('Rows').all()[0].json.Name",
		"$('Rows').first().json['Name']",
		"$('Rows').first().json.phone }}, {{ $('Rows').first().json.Name",
		"$('Texts').first().json.text }} {{ $('Rows').first().json.Name",
	])('is refused when it is clearly another person’s row: %s', async (code) => {
		const { error } = await sms(
			{ message: `=Hi {{ ${code} }}` },
			{ earlier: [...earlier, ...templates] },
		);
		expect(error?.message).toContain("text with another person's data");
		expect(error?.description).toContain('.item');
		expect(await texts()).toEqual([]);
	});

	it('is refused in a loop, once the round belongs to another person', async () => {
		const rounds = { items: people.slice(0, 1), laterRounds: [people.slice(1)] };
		const { error } = await sms({ message: "=Hi {{ $('Rows').first().json.Name }}" }, rounds);
		expect(error?.message).toContain("text with another person's data");
		expect(await texts()).toEqual(['Hi Ana']);
	});

	it('is refused in a question, which may go to the same person for each item', async () => {
		const { error } = await service.run(
			'sms/sendAndWait',
			{ sender: ana, recipient: own, message: "=Approve {{ $('Rows').first().json.Name }}?" },
			{ items: people.slice(1), earlier },
		);
		expect(error?.message).toContain("text with another person's data");
		expect(await texts()).toEqual([]);
	});

	it('is refused in Bulk SMS, where everybody would get the name of the first', async () => {
		const message = "=Hi {{ $('Rows').first().json.Name }}";
		const { error } = await service.run(
			'bulkSms/send',
			{ message, sender: own, recipients: '={{ $json.phone }}' },
			{ items: people, earlier },
		);
		expect(error?.message).toContain("text with another person's data");
		expect(await service.recipients()).toEqual([]);
	});

	it.each([
		[
			'a list of parameters',
			'whatsapp/send',
			{ contentType: 'template', templateName: 'hello', templateParameters: 'list' },
			'Template Parameters',
		],
		[
			'an SMS fallback',
			'whatsapp/send',
			{ message: 'Hi', options: { smsFallbackMessage: 'text' } },
			'Options > SMS Fallback Message',
		],
		['an MMS file', 'mms/send', { message: 'Hi', contentUrl: 'text' }, 'Content URL'],
	])('is refused in %s', async (_, operation, fields, label) => {
		const text = "=https://example.com/{{ $('Rows').first().json.Name }}.png";
		const own = JSON.parse(
			JSON.stringify(fields)
				.replace('"list"', '["text"]')
				.replaceAll('"text"', JSON.stringify(text)),
		) as object;
		const base = { sender: ana, contentType: 'text', recipient: '={{ $json.phone }}' };
		const { error } = await service.run(operation, { ...base, ...own }, { items: people, earlier });
		expect(error?.message).toContain(`'${label}' reads only one of several rows from Rows`);
		expect(await service.recipients()).toEqual([]);
	});

	it('is sent where the text has both, the name of the person and that of another', async () => {
		const message = "=Hi {{ $json.Name }}, {{ $('Rows').first().json.Name }} won";
		await sms({ message });
		expect(await texts()).toEqual(['Hi Ana, Ana won', 'Hi Ben, Ana won']);
	});

	it('is sent where the item has a column of that name with a value of its own', async () => {
		const staff = [{ name: 'Staff', items: [{ Name: 'Eve' }, { Name: 'Dan' }] }];
		const more = { earlier: [...staff, readOnce] };
		await sms({ message: "=Ask for {{ $('Staff').first().json.Name }}" }, more);
		expect(await texts()).toEqual(['Ask for Eve', 'Ask for Eve']);
	});

	it('is refused in Bulk SMS if it is a list of the values of all recipients', async () => {
		const collected = {
			phone: [ana, ben],
			Name: ['Ana', 'Ben'],
			shops: ['North', 'South', 'East'],
		};
		const send = async (message: string) =>
			await service.run(
				'bulkSms/send',
				{ message, sender: own, recipients: '={{ $json.phone }}' },
				{ items: [collected] },
			);
		const { error } = await send('=Hi {{ $json.Name }}');
		expect(error?.message).toContain("the column 'Name', which is a list with the values of all");
		expect(await service.recipients()).toEqual([]);
		for (const message of ['=Sale in {{ $json.shops }}', '={{ $json.Name.length }} of you']) {
			expect((await send(message)).error).toBeUndefined();
		}
	});

	it('has no hint in Bulk SMS, where all recipients get the same text', async () => {
		const message = "={{ $('Texts').first().json.text }}";
		const { hints } = await service.run(
			'bulkSms/send',
			{ message, sender: own, recipients: '={{ $json.phone }}' },
			{ items: people, earlier: [...templates, readOnce] },
		);
		expect(await service.control.requests({ path: '/send-sms.json' })).toHaveLength(1);
		expect(JSON.stringify(hints ?? [])).not.toContain('reads only');
	});

	it('has no hint where the node has one row', async () => {
		const { hints } = await sms({ message: "={{ $('Settings').first().json.text }}" });
		expect(JSON.stringify(hints ?? [])).not.toContain('reads only');
	});
});

describe('a recipient', () => {
	it.each([
		['Phone', people, "Use 'phone'"],
		['mobile', people, 'The items have these columns: phone, Name'],
		['phone', [{ '\ufeffphone': ana }], 'Exclude Byte Order Mark (BOM)'],
		['phone', [{ 'phone ': ana }], "Drag the column 'phone'"],
	])('is refused in a column that no item has: %s', async (column, items, remedy) => {
		const { error } = await sms({ recipient: `={{ $json.${column} }}` }, { items });
		expect(error?.message).toContain(`'Recipient' reads the column '${column}', which no item has`);
		expect(error?.description).toContain(remedy);
	});

	it('is refused in the list of the people to skip', async () => {
		const limits = { blockedRecipients: "={{ $('Rows').all().map((row) => row.json.phone) }}" };
		const fields = { recipient: "={{ $('Rows').item.json.phone }}", limits };
		const { error } = await sms(fields, { items: people.slice(0, 1) });
		expect(error?.message).toContain('reads Rows, which returns the people to skip');
	});

	it('can be read from a table in which some are marked as people to skip', async () => {
		const items = [
			{ phone: ana, optedOut: true },
			{ phone: ben, optedOut: false },
		];
		const list = "$('Rows').all().filter((row) => row.json.optedOut).map((row) => row.json.phone)";
		const fields = {
			recipient: '={{ $json.phone }}',
			limits: { blockedRecipients: `={{ ${list} }}` },
		};
		await sms(fields, { items, earlier: [{ name: 'Rows', items }] });
		expect(await service.recipients()).toEqual([ben]);
	});
});

it('refuses to opt out one contact for all items', async () => {
	const contact = "={{ $('Rows').first().json.phone }}";
	const fields = { contact, from: 'all' };
	const { error } = await service.run('contact/optOut', fields, { items: people, earlier });
	expect(error?.message).toContain(
		"'Contact' reads only one of several rows from Rows, so it would be the wrong contact",
	);
});

describe('Execute Once, with several items', () => {
	const once = { settings: { executeOnce: true } };

	it.each([
		['Deduplication Key', { deduplicationKey: '=order-{{ $json.Name }}' }],
		['Campaign Name', { campaignName: '=lead {{ $json.Name }}' }],
	])('is refused where it would be the same %s for all runs', async (name, options) => {
		const { error } = await sms({ recipient: own, options }, once);
		expect(error?.message).toContain(`'Options > ${name}' reads only the first of several items`);
		expect(await texts()).toEqual([]);
	});

	it.each([{ recipient: '={{ $json.phone }}' }, { recipient: '={{ $input.item.json.phone }}' }])(
		'is refused where only the first would be read: %o',
		async (fields) => {
			const { error } = await sms(fields, once);
			expect(error?.message).toContain('reads only the first of several items');
			expect(error?.description).toContain("Turn off 'Settings > Execute Once'");
			expect(await service.recipients()).toEqual([]);
		},
	);

	it('is refused for a text to many, too', async () => {
		const { error } = await service.run(
			'bulkSms/send',
			{
				sender: own,
				message: '=Hi {{ $json.Name }}',
				recipients: "={{ $('Start').all().map((row) => row.json.phone) }}",
			},
			{ items: people, earlier, ...once },
		);
		expect(error?.message).toContain("'Message' reads only the first of several items");
	});

	it('is right for one alert about the first item', async () => {
		await sms({ recipient: own, message: '=New: {{ $json.Name }}' }, once);
		expect(await texts()).toEqual(['New: Ana']);
	});

	it('is right where all items have the same recipient', async () => {
		const items = people.map((row) => ({ ...row, manager: own }));
		await sms({ recipient: '={{ $json.manager }}' }, { ...once, items });
		expect(await service.recipients()).toEqual([own]);
	});

	it('is right for one message, read by the name of its node', async () => {
		const code = "={{ $('Settings').first().json.phone }}";
		await sms({ recipient: code }, once);
		await sms({ recipient: '={{ $json.phone }}' }, { ...once, items: people.slice(0, 1) });
		expect(await service.recipients()).toEqual([ana, ana]);
	});
});

describe('a message that reads a column which no item has', () => {
	it.each([
		['={{ $json.Nmae }}!', 'Nmae', 'The items have these columns: phone, Name'],
		['=Hi {{ $json["First name"] }}', 'First name', 'The items have these columns: phone, Name'],
		['={{ $json.Nmae }}, {{ $json.code }}', 'Nmae', 'The items have these columns: phone, Name'],
		['=Hi {{$json.name}}, {{ $json.phone }}', 'name', "Use 'Name'"],
		['=Hi {{ $json.name.trim }}', 'name', "Use 'Name'"],
	])('is refused: %s', async (message, column, remedy) => {
		const { error } = await sms({ message });
		expect(error?.message).toContain(`'Message' reads the column '${column}', which no item has`);
		expect(error?.description).toContain(remedy);
		expect(await texts()).toEqual([]);
	});

	it('is refused for one item where the column is there in other letters', async () => {
		const items = people.slice(0, 1);
		const { error } = await sms({ message: '=Hi {{ $json.NAME }}!' }, { items });
		expect(error?.message).toContain("'Message' reads the column 'NAME', which no item has");
	});

	it.each([
		['a default', "=Hi {{ $json.nick || 'there' }}!", 'Hi there!'],
		['another default', "=Hi {{ $json.nick ?? 'there' }}!", 'Hi there!'],
		['a condition', "=Hi{{ $json.vip ? ' VIP' : '' }}!", 'Hi!'],
	])('is sent with %s', async (_, message, text) => {
		await sms({ message });
		expect(await texts()).toEqual([text, text]);
	});

	it('is sent where the items have another one of its columns, since some nodes leave out empty ones', async () => {
		await sms({ message: '=Hi {{ $json.Name }}{{ $json.note }}!' });
		expect(await texts()).toEqual(['Hi Ana!', 'Hi Ben!']);
	});

	it('is sent where it also reads another node, or guards the column', async () => {
		await sms({ message: "=Hi {{ $('Settings').first().json.text }}{{ $json.note }}" });
		await sms({ message: "=Hello{{ $json.note && ' - ' + $json.note }}" });
		const sent = await texts();
		expect(sent.filter((text) => text === 'Hi Sale')).toHaveLength(2);
		expect(sent).toHaveLength(4);
	});

	it('is sent where it reads both spellings of two sources', async () => {
		await sms({ message: '=Hi {{ $json.Name }}{{ $json.name }}' }, { items: people.slice(0, 1) });
		expect(await texts()).toEqual(['Hi Ana']);
	});

	it('is sent where the items have a column that it reads with a default', async () => {
		await sms({ message: "=Hi {{ $json.Name || 'there' }}. {{ $json.note }}" });
		expect(await texts()).toEqual(['Hi Ana.', 'Hi Ben.'].map((text) => `${text} `));
	});

	it('is sent for one item that can lack the column, or where some items have it', async () => {
		await sms({ message: '=Hi {{ $json.nick }} from Acme' }, { items: people.slice(0, 1) });
		const items = [{ phone: ana }, { phone: ben, nick: 'Benny' }];
		await sms({ message: '=Hello {{ $json.nick }} from Acme' }, { items });
		expect(await texts()).toEqual(['Hello  from Acme', 'Hello Benny from Acme', 'Hi  from Acme']);
	});
});

describe('the account’s own number on the list of opt-outs', () => {
	const blocked = (blockedRecipients: string) =>
		sms(
			{ sender: own, limits: { blockedRecipients } },
			{
				earlier: [
					{
						name: 'Get opt-outs',
						items: [
							{ sender: own, contact: ana },
							{ sender: own, contact: ben },
						],
					},
				],
			},
		);

	it.each(['row.json.sender', '`+${row.json.sender}`'])(
		'is the wrong column where the list has no other: %s',
		async (value) => {
			const column = `={{ $('Get opt-outs').all().map((row) => ${value}) }}`;
			const { error } = await blocked(column);
			expect(error?.message).toContain("contains only the sender's own number");
			expect(error?.description).toContain("'contact'");
			expect(await texts()).toEqual([]);
		},
	);

	it('can stand beside others', async () => {
		const column =
			"={{ $('Get opt-outs').all().flatMap((row) => [row.json.sender, row.json.contact]) }}";
		const { error } = await blocked(column);
		expect(error).toBeUndefined();
		expect(await texts()).toEqual([]);
	});

	it.each(['AU', '+614*'])(
		'is not what a country or a prefix from a setting is: %s',
		async (entry) => {
			const { error } = await blocked(`={{ '${entry}' }}`);
			expect(error).toBeUndefined();
			expect(await texts()).toEqual([]);
		},
	);

	it('can be in a typed list', async () => {
		await blocked(`${own}, ${ben}`);
		expect(await service.recipients()).toEqual([ana]);
	});
});
