import { describe, expect, it } from 'vitest';
import {
	continues,
	credentialsFor,
	phones,
	toPhone,
	toSeveral,
	useDeduplicationStore,
	useEmulator,
} from './emulator.ts';

const service = useEmulator();
const store = useDeduplicationStore();

const [ana, ben, cleo] = ['61491570006', '61491570156', '61491570157'] as const;
const everyKey = [
	...['outcome', 'reason', 'code', 'canRetry', 'messageId', 'contact', 'sender', 'parts'],
	'messageRef',
];

type Options = {
	options?: object;
	limits?: object;
	settings?: object;
	name?: string;
	rest?: object[];
	credentials?: object;
};

const send = async (
	output: string,
	items: object[],
	{ options, settings, name = 'sms/send', ...run }: Options = {},
) =>
	await service.run(
		name,
		{
			...(name === 'sms/send' ? toPhone : toSeveral),
			output,
			options: { requestsPerSecond: 500, ...options },
		},
		{ items, settings, ...run } as never,
	);

const outcomes = (json: Array<Record<string, unknown>>) =>
	json.map(({ result }) => (result as { outcome: string }).outcome);

describe('Simplified', () => {
	it('is what a send outputs by default', async () => {
		const { json } = await service.run(
			'sms/send',
			{ ...toPhone, output: undefined },
			{ items: [{ phone: ana }] },
		);
		expect(json[0]).toMatchObject({ outcome: 'sent', messageId: expect.any(String) });
	});

	it('has one flat record, without what is not there', async () => {
		const { json } = await send('simplified', [{ phone: '0491 570 006' }], {
			options: { defaultCountry: 'AU', messageRef: 'order-7' },
		});
		expect(json).toEqual([
			{
				outcome: 'sent',
				canRetry: false,
				messageId: expect.any(String),
				contact: ana,
				sender: 'Acme',
				parts: 1,
				encoding: 'GSM-7',
				messageRef: 'order-7',
			},
		]);
	});

	it('keeps exactly error and details of a failed item', async () => {
		const { json } = await send('simplified', [{ phone: ana }, { phone: 'Sam' }], {
			settings: continues,
		});
		expect(json[0]).toMatchObject({ outcome: 'sent' });
		expect(Object.keys(json[1]!)).toEqual(['error', 'details']);
	});

	it('says that a message of an earlier execution was sent, and which, as a success', async () => {
		const first = await send('simplified', [{ phone: ana }], {
			options: { deduplicationKey: 'order-7' },
		});
		const { json, error } = await send('simplified', [{ phone: ana }], {
			options: { deduplicationKey: 'order-7' },
		});
		expect(error).toBeUndefined();
		expect(json[0]).toMatchObject({
			...{ outcome: 'alreadySent', code: 'already_messaged', canRetry: false },
			messageId: first.json[0]?.messageId,
		});
	});

	it('has one record for an item with several numbers', async () => {
		const { json } = await send('simplified', [{ to: `${ana}, Sam` }], { name: 'bulkSms/send' });
		expect(json[0]).toMatchObject({
			outcome: 'sent',
			messageId: expect.stringMatching(/^\d+$/),
			recipients: 1,
			notSentTo: [{ number: '…Sam', code: 'invalid_number' }],
		});
		const two = await send('simplified', [{ to: `${ana}, ${ben}` }], { name: 'bulkSms/send' });
		expect(two.json[0]).toMatchObject({ recipients: 2 });
		expect(two.json[0]).not.toHaveProperty('contact');
	});

	it('says dryRun, which can be sent later, and notSent for what would be refused', async () => {
		const { json } = await send('simplified', [{ phone: ana }, { phone: 'Sam' }], {
			options: { dryRun: 'always' },
		});
		expect(json).toMatchObject([
			{ outcome: 'dryRun', canRetry: true, contact: ana, parts: 1 },
			{ outcome: 'notSent', code: 'invalid_number' },
		]);
	});

	it('leaves nothing of a dry run that keeps a row from the real one', async () => {
		const { json } = await send('itemResult', [{ phone: ana }, { phone: 'Sam' }, { phone: ben }], {
			options: { dryRun: 'always', blockedRecipients: ben },
		});
		expect(json.map(({ result }) => result)).toMatchObject([
			{ outcome: 'dryRun', canRetry: true },
			{ outcome: 'notSent', canRetry: true, code: 'invalid_number' },
			{ outcome: 'skipped', canRetry: true, code: 'blocked' },
		]);
	});
});

it('Raw has the answer of Kudosity', async () => {
	const { json } = await send('raw', [{ phone: ana }]);
	expect(json[0]).toMatchObject({
		id: expect.any(String),
		recipient: ana,
		status: expect.any(String),
		parts: 1,
	});
	expect(json[0]).not.toHaveProperty('outcome');
});

it.each(['simplified', 'raw'])(
	'%s has a record of everybody whom a limit leaves to a later run',
	async (output) => {
		const rows = phones(30).map((phone) => ({ phone }));
		const { json, error } = await send(output, rows, {
			options: { campaignName: 'spring', maxPerDay: 20 },
		});
		expect(error).toBeUndefined();
		expect(json).toHaveLength(30);
		const left = json.filter(({ outcome }) => outcome === 'notSent');
		expect(left).toHaveLength(10);
		for (const each of left) expect(each).toMatchObject({ code: 'limit_reached', canRetry: true });
	},
);

it('who has had enough messages today keeps nobody else from getting theirs', async () => {
	const limits = { maxPerRecipientPerDay: 1 };
	const fields = { ...toPhone, output: 'simplified', limits };
	const options = { campaignName: 'enough', requestsPerSecond: 500 };
	await service.run(
		'sms/send',
		{ ...fields, options: { requestsPerSecond: 500 } },
		{ items: [{ phone: ana }] },
	);
	const people = phones(80).map((phone) => ({ phone }));
	people[25] = { phone: ana };
	const { json, error } = await service.run('sms/send', { ...fields, options }, { items: people });
	expect(error).toBeUndefined();
	expect(json).toHaveLength(80);
	expect(json[25]).toMatchObject({ outcome: 'notSent', code: 'limit_reached', canRetry: true });
	const others = json.filter((_, item) => item !== 25);
	for (const each of others) expect(each).toMatchObject({ outcome: 'sent' });
});

it('a failure is not hidden behind a limit that one person has reached', async () => {
	await send('simplified', [{ phone: ana }], { options: { maxPerRecipientPerDay: 1 } });
	const { error } = await send('simplified', [{ phone: ana }, { phone: ben }], {
		options: { maxPerRecipientPerDay: 1 },
		credentials: credentialsFor(service.url, 'wrong-key'),
	});
	expect(error?.code).toBe('credential');
});

describe('Result for Each Item', () => {
	it('has each item once, with its own fields and files, and all keys of the record', async () => {
		const file = { binary: { data: { data: 'aGk=', mimeType: 'text/plain' } } };
		const { json, items } = await send(
			'itemResult',
			[
				{ phone: ana, name: 'Ana' },
				{ phone: 'Sam', name: 'Sam' },
			],
			{
				rest: [file, file],
			},
		);
		expect(json).toMatchObject([
			{ phone: ana, name: 'Ana', result: { outcome: 'sent', reason: null, code: null } },
			{
				phone: 'Sam',
				name: 'Sam',
				result: { outcome: 'notSent', code: 'invalid_number', messageId: null },
			},
		]);
		for (const each of json)
			expect(Object.keys(each.result as object)).toEqual(expect.arrayContaining(everyKey));
		expect(items.map(({ binary, pairedItem }) => [binary?.data?.mimeType, pairedItem])).toEqual([
			['text/plain', { item: 0 }],
			['text/plain', { item: 1 }],
		]);
	});

	it('puts it in the Output Field, and says that it replaced one of the item', async () => {
		const { json, hints } = await send('itemResult', [{ phone: ana, sms: { note: 'mine' } }], {
			options: { outputField: 'sms.result' },
		});
		expect(json[0]).toMatchObject({ sms: { note: 'mine', result: { outcome: 'sent' } } });
		expect(hints).toEqual([]);
		const replaced = await send('itemResult', [{ phone: ana, result: 'mine' }]);
		expect(replaced.json[0]).toMatchObject({ result: { outcome: 'sent' } });
		expect(replaced.hints.join()).toContain("'result' was replaced");
	});

	it('puts the result before the fields of the item', async () => {
		const item = { phone: ana, name: 'Ana', crm: { id: 7 } };
		const { json } = await send('itemResult', [item]);
		expect(Object.keys(json[0]!)).toEqual(['result', 'phone', 'name', 'crm']);
		const options = { outputField: 'crm.sms' };
		const nested = await send('itemResult', [item], { options });
		expect(Object.keys(nested.json[0]!)).toEqual(['crm', 'phone', 'name']);
		expect(nested.json[0]).toMatchObject({ crm: { id: 7, sms: { outcome: 'sent' } } });
	});

	it('never lets an item stop the others', async () => {
		await service.fault('status500AfterAcceptance', {
			path: '/v2/sms',
			bodyIncludes: ben,
			count: 1,
		});
		const { json, error } = await send(
			'itemResult',
			[{ phone: ana }, { phone: 'Sam' }, { phone: cleo, text: '' }, { phone: ben }],
			{ options: { onOutcomeUnknown: 'fail' } },
		);
		expect(error).toBeUndefined();
		expect(outcomes(json).toSorted()).toEqual(['notConfirmed', 'notSent', 'notSent', 'sent']);
	});

	it('never calls a message that may have been sent one that can be retried', async () => {
		await service.fault('status500AfterAcceptance', { path: '/v2/sms', count: 1 });
		const { json } = await send('itemResult', [{ phone: ana }], {
			options: { onOutcomeUnknown: 'fail' },
		});
		expect(json[0]).toMatchObject({
			result: { outcome: 'notConfirmed', code: 'outcome_unknown', canRetry: false },
		});
	});

	it.each(['check', 'fail'])(
		'does not put a whole campaign in doubt in an outage, and leaves the rest to a later run (%s)',
		async (onOutcomeUnknown) => {
			await service.fault('status500', { path: '/v2/sms', count: 1_000 });
			const rows = phones(80).map((phone) => ({ phone }));
			const options = { campaignName: 'spring', onOutcomeUnknown };
			const { json, error } = await send('itemResult', rows, { options });
			expect(error).toBeUndefined();
			expect(json).toHaveLength(80);
			const left = json
				.map(({ result }) => result as Record<string, unknown>)
				.filter(({ outcome }) => outcome === 'notSent');
			expect(left.length).toBeGreaterThan(20);
			for (const each of left) {
				expect(each).toMatchObject({
					code: 'canceled',
					canRetry: true,
					reason: expect.stringMatching(/^Not sent because another request could not be completed/),
				});
			}
			await service.reset();
			const later = await send('itemResult', rows, { options });
			expect(outcomes(later.json).filter((outcome) => outcome === 'sent')).toHaveLength(
				left.length,
			);
		},
	);

	it('leaves the rest of a campaign to a later run in an outage with On Error: Continue, too', async () => {
		await service.fault('status500', { path: '/v2/sms', count: 1_000 });
		const rows = phones(80).map((phone) => ({ phone }));
		const more = {
			options: { campaignName: 'spring', onOutcomeUnknown: 'fail' },
			settings: continues,
		};
		const { json } = await send('simplified', rows, more);
		expect(json).toHaveLength(80);
		const left = json.filter(({ details }) => (details as { code: string }).code === 'canceled');
		expect(left.length).toBeGreaterThan(20);
		await service.reset();
		const later = await send('simplified', rows, more);
		expect(later.json.filter(({ outcome }) => outcome === 'sent')).toHaveLength(left.length);
	});

	it('says of contact lists that it did not send to why that is, after ten without an answer', async () => {
		await service.fault('status500', { count: 1_000 });
		const { json } = await service.run(
			'bulkSms/send',
			{
				...{ sendTo: 'list', sender: 'Acme', message: 'Hi', output: 'simplified' },
				listId: '={{ $json.list }}',
				options: { requestsPerSecond: 500 },
			},
			{
				items: Array.from({ length: 120 }, (_, index) => ({ list: String(4_100_100 + index) })),
				settings: continues,
			},
		);
		expect(json).toHaveLength(120);
		const left = json.filter(({ details }) => (details as { code: string }).code === 'canceled');
		expect(left.length).toBeGreaterThan(20);
		for (const { error } of left) expect(error).toMatch(/^Not sent because another request/);
	});

	it('fails where the account is refused and nothing was sent', async () => {
		const { error, json } = await send(
			'itemResult',
			phones(5).map((phone) => ({ phone })),
			{ credentials: credentialsFor(service.url, 'wrong-key') },
		);
		expect(error?.code).toBe('credential');
		expect(json).toEqual([]);
	});

	it('leaves the rest to a later run where the account is refused halfway', async () => {
		const items = phones(60).map((phone) => ({ phone }));
		await service.control.reset({ requestsPerSecond: 0, autoStatus: false, balance: 3 } as never);
		const { error, json } = await send('itemResult', items);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(60);
		const sent = outcomes(json).filter((outcome) => outcome === 'sent');
		expect(sent).toHaveLength((await service.control.messages()).length);
		expect(sent.length).toBeGreaterThan(0);
		const rest = json
			.map(({ result }) => result as Record<string, unknown>)
			.filter(({ outcome }) => outcome !== 'sent');
		for (const each of rest)
			expect(each).toMatchObject({ outcome: 'notSent', canRetry: true, code: 'no_balance' });
	});

	it('sends to the error output what concerns the run, with its fields, and nothing else', async () => {
		const { outputs } = await send(
			'itemResult',
			[
				{ phone: ana, name: 'Ana' },
				{ phone: 'Sam', error: 'mine' },
			],
			{
				settings: { onError: 'continueErrorOutput' },
				credentials: credentialsFor(service.url, 'wrong-key'),
			},
		);
		expect(outputs[0]?.map(({ json }) => json)).toMatchObject([
			{ error: 'mine', result: { code: 'invalid_number' } },
		]);
		expect(outputs[1]?.map(({ json }) => json)).toMatchObject([
			{
				phone: ana,
				name: 'Ana',
				result: { outcome: 'notSent', code: 'credential', canRetry: true },
			},
		]);
	});

	it('fails where three or more items have the same failure, e.g. after a column was renamed', async () => {
		const renamed = ['a', 'b', 'c'].map((mobile) => ({ mobile }));
		const { error } = await send('itemResult', renamed);
		expect(error?.message).toContain("'Recipient' reads the column 'phone', which no item has");
		const unreadable = ['a', 'b', 'c'].map((phone) => ({ phone }));
		expect((await send('itemResult', unreadable)).error?.code).toBe('invalid_number');
		expect((await send('itemResult', unreadable.slice(1))).json).toHaveLength(2);
		for (const rows of [renamed, unreadable]) {
			expect((await send('itemResult', rows, { settings: continues })).json).toHaveLength(3);
			const settings = { onError: 'continueErrorOutput' } as const;
			const { outputs } = await send('itemResult', rows, { settings });
			expect(outputs.map((items) => items.length)).toEqual([0, 3]);
		}
		const most = await send('itemResult', [...unreadable, { mobile: 'd' }]);
		expect(most.error?.description).toContain('of 4 items have this problem');
		const oneSent = await send('itemResult', [...renamed, { phone: ana }]);
		expect(outcomes(oneSent.json)).toEqual(['notSent', 'notSent', 'notSent', 'sent']);
	});

	it.each(["={{ $('Renamed').item.json.text }}", '={{ $json. }}'])(
		'never says of an item that cannot be read that it may have been sent: %s',
		async (message) => {
			const run = async (rows: string[]) =>
				await service.run(
					'sms/send',
					{ ...toPhone, message, output: 'itemResult' },
					{ items: rows.map((phone) => ({ phone })) },
				);
			expect(outcomes((await run(phones(2))).json)).toEqual(['notSent', 'notSent']);
			expect((await run(phones(3))).error?.code).toBe('unexpected');
			expect(await service.recipients()).toEqual([]);
		},
	);

	it('does the same for bulk SMS, where items share a request', async () => {
		const { json } = await send(
			'itemResult',
			[
				{ to: ana, id: 1 },
				{ to: ben, id: 2 },
				{ to: 'Sam', id: 3 },
			],
			{
				name: 'bulkSms/send',
			},
		);
		expect(json).toMatchObject([
			{ id: 1, result: { outcome: 'sent', contact: ana } },
			{ id: 2, result: { outcome: 'sent', contact: ben } },
			{ id: 3, result: { outcome: 'notSent', code: 'invalid_number' } },
		]);
		expect(await service.control.requests({ method: 'POST' })).toHaveLength(1);
	});
});

describe('a row that can be sent later says so', () => {
	it('where n8n could not read its keys', async () => {
		const add = store.entries.add.bind(store.entries);
		store.entries.add = () => {
			throw new Error('The database is locked');
		};
		const { json } = await send('itemResult', [{ phone: ana }], {
			options: { campaignName: 'locked' },
		}).finally(() => (store.entries.add = add));
		expect(json[0]).toMatchObject({ result: { outcome: 'notSent', canRetry: true } });
		expect(await service.control.accepted()).toEqual([]);
	});
});

describe('a fault of the credential or the sender, beside a landline that is skipped', () => {
	const landline = '61291570006';
	const key = (value: string) => () => credentialsFor(service.url, value);
	const elsewhere = () => credentialsFor('http://kudosity.example');

	it.each([
		['a key with a line break', key('test-key\n'), 'credential'],
		['an empty key', key(''), 'credential'],
		['an address without https', elsewhere, 'base_url'],
	])(
		'fails the node, so no row says that it can never be sent: %s',
		async (_, credentials, code) => {
			for (const people of [[ana], [landline, ana, ben]]) {
				const items = people.map((phone) => ({ phone }));
				const options = { limits: { mobileOnly: true }, credentials: credentials() };
				const { error } = await send('itemResult', items, options);
				expect(error).toMatchObject({ code });
			}
			expect(await service.control.requests()).toEqual([]);
		},
	);

	it('fails the node where Kudosity does not know the sender', async () => {
		const items = [landline, ana, ben, cleo].map((phone) => ({ phone }));
		const fields = { ...toPhone, sender: '61480000000', output: 'itemResult' };
		const limits = { mobileOnly: true };
		const { error } = await service.run('sms/send', { ...fields, limits } as never, { items });
		expect(error).toMatchObject({ code: 'invalid_sender', itemIndex: 1 });
	});
});
