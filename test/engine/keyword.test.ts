import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';
import { itRefuses } from './refuses.ts';

const service = useEmulator();
const { run } = service;
const number = '61491570006';
const join = { keyword: 'JOIN', number };

/** The service's next list of keywords. */
const listKeywords = async (records: object[]): Promise<void> => {
	const keywords = records.map((record) => ({ keyword: '7', number: Number(number), ...record }));
	const page = { count: 1, number: 1 };
	const body = { page, keywords_total: keywords.length, keywords, error: { code: 'SUCCESS' } };
	await service.answer(JSON.stringify(body), { path: '/get-keywords.json' });
};

describe('keyword', () => {
	it('is created with what it does, its numbers and digits as text', async () => {
		const { json } = await run('keyword/create', {
			keyword: '2026',
			number,
			options: { reference: '12', welcomeMessage: 'Thanks', forwardSms: '61491570156' },
		});

		expect(json).toMatchObject([
			{
				keyword: '2026',
				number,
				reference: '12',
				welcome_message: 'Thanks',
				forward_sms: '61491570156',
				status: 'open',
			},
		]);
	});

	it('has the list it adds people to as text', async () => {
		const { json } = await run('keyword/create', { ...join, options: { listId: '4100001' } });

		expect(json).toMatchObject([{ list_id: '4100001' }]);
	});

	it('can begin closed, and be opened', async () => {
		const closed = await run('keyword/create', { ...join, options: { activate: false } });
		const open = await run('keyword/update', { ...join, options: { status: 'Open' } });

		expect([closed.json[0]?.status, open.json[0]?.status]).toEqual(['closed', 'open']);
	});

	it.each(['closed', ' CLOSED '])('takes the status as Get Many gives it: %j', async (status) => {
		await run('keyword/create', join);
		const { json } = await run('keyword/update', { ...join, options: { status } });

		expect(json).toMatchObject([{ status: 'closed' }]);
	});

	it('comes in lists also where the service does not say which one it is', async () => {
		await service.answer(
			{
				page: { count: 1, number: 1 },
				keywords_total: 2,
				keywords: [
					{ number: 61491570156, reference: 'a' },
					{ number: 61491570156, reference: 'b' },
				],
			},
			{ path: '/get-keywords.json' },
		);
		const { json } = await run('keyword/getAll', { returnAll: true });

		expect(json).toMatchObject([{ reference: 'a' }, { reference: 'b' }]);
	});

	it('is listed beside another that looks the same, as 7 and 007 do in an answer', async () => {
		await listKeywords([
			{ keyword: 7, reference: 'a' },
			{ keyword: 7, reference: 'b' },
		]);
		const { json } = await run('keyword/getAll', { returnAll: true });

		expect(json).toMatchObject([
			{ keyword: '7', reference: 'a' },
			{ keyword: '7', reference: 'b' },
		]);
	});

	it('keeps what an update does not set', async () => {
		await run('keyword/create', { ...join, options: { welcomeMessage: 'Thanks' } });
		const { json } = await run('keyword/update', { ...join, options: { reference: 'spring' } });

		expect(json).toMatchObject([{ reference: 'spring', welcome_message: 'Thanks' }]);
	});

	it.each(['Closed', 'Open'])(
		'stays %s where an update does not set its status',
		async (status) => {
			await run('keyword/create', join);
			await run('keyword/update', { ...join, options: { status } });
			const changed = { keyword: 'join', number, options: { welcomeMessage: 'Thanks' } };
			const { json } = await run('keyword/update', changed);

			expect(json).toMatchObject([{ status: status.toLowerCase(), welcome_message: 'Thanks' }]);
		},
	);

	it.each([
		['007', 7],
		['007', '007'],
	])('stays closed where %s comes back as %j', async (keyword, given) => {
		await run('keyword/create', { ...join, keyword });
		await run('keyword/update', { ...join, keyword, options: { status: 'Closed' } });
		await listKeywords([{ keyword: given, status: 'closed' }]);
		const options = { welcomeMessage: 'Thanks' };
		const { json } = await run('keyword/update', { ...join, keyword, options });

		expect(json).toMatchObject([{ status: 'closed', welcome_message: 'Thanks' }]);
	});

	it.each([
		['of no known kind', [{ status: 'paused' }]],
		[
			'that of two, both given as 7',
			[
				{ keyword: 7, status: 'open' },
				{ keyword: 7, status: 'closed' },
			],
		],
		[
			'that of two',
			[
				{ keyword: '7', status: 'open' },
				{ keyword: '07', status: 'closed' },
			],
		],
	])('is not changed where its status is %s', async (_, records) => {
		await run('keyword/create', { ...join, keyword: '007' });
		await listKeywords(records);
		const options = { welcomeMessage: 'Thanks' };
		const { error } = await run('keyword/update', { ...join, keyword: '007', options });

		expect(error?.message).toContain('did not say whether the keyword');
		expect(await service.control.requests({ path: '/edit-keyword.json' })).toEqual([]);
	});

	it('stays closed where one item closes it and the next changes something else', async () => {
		await run('keyword/create', join);
		await service.fault('slow', { bodyIncludes: 'Closed' }, { delayMs: 200 });
		const items = [{ status: 'Closed' }, { reference: 'spring' }];
		const options = { status: '={{ $json.status }}', reference: '={{ $json.reference }}' };
		await run('keyword/update', { ...join, options }, { items });
		const { json } = await run('keyword/getAll');

		expect(json).toMatchObject([{ status: 'closed', reference: 'spring' }]);
	});

	it('says that it exists already', async () => {
		await run('keyword/create', join);
		const { error } = await run('keyword/create', join);

		expect(error?.code).toBe('already_exists');
	});

	it('is listed, for one number or all', async () => {
		await run('keyword/create', join);
		const all = await run('keyword/getAll', {});
		const none = await run('keyword/getAll', { filters: { number: '61491570156' } });

		expect(all.json).toMatchObject([join]);
		expect(none.json).toEqual([]);
	});

	itRefuses(service, 'keyword/create', join, [
		[
			{ keyword: 'JOIN NOW' },
			"'Keyword' is not a single word",
			'Use a single word of up to 50 characters',
		],
		[{ number: 'Acme' }, "'Number' is not a phone number", 'Use one of your numbers'],
		[{ options: { activate: '={{ $json.active }}' } }, "'Options > Activate' is empty"],
	]);

	itRefuses(service, 'keyword/update', join, [[{}, 'There is nothing to change']]);
});

describe('emailSender', () => {
	const email = 'sam@example.com';

	it('is created, and deleted', async () => {
		const created = await run('emailSender/create', { email, options: { maxParts: 4, number } });
		const deleted = await run('emailSender/delete', { email });

		expect(created.json).toEqual([{ email, success: true }]);
		expect(deleted.json).toEqual([{ deleted: true, id: email }]);
		expect((await service.control.requests())[0]?.body).toEqual({ email, max_sms: '4', number });
	});

	it('can be a whole domain', async () => {
		const { json } = await run('emailSender/create', { email: '*@example.com' });

		expect(json).toEqual([{ email: '*@example.com', success: true }]);
	});

	itRefuses(service, 'emailSender/create', {}, [
		[{ email: 'sam' }, "'Email' is not an email address"],
		[{ email: '*' }, "'Email' is not an email address"],
		[{ email: '*@example' }, "'Email' is not an email address"],
		[{ email: '*@*.com' }, "'Email' has a * in the wrong place", 'Use * only for a whole domain'],
		[
			{ email, options: { maxParts: 5 } },
			"'Options > Max SMS Parts' must be a whole number from 1 to 4",
		],
	]);
});
