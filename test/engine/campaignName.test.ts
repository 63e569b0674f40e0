import { describe, expect, it, vi } from 'vitest';
import { phones, toPhone, toSeveral, useDeduplicationStore, useEmulator } from './emulator.ts';
import { createLoneTool } from './harness.ts';

const service = useEmulator();
const store = useDeduplicationStore();

const [ana, ben] = ['61491570006', '61491570156'] as const;
const campaign = { campaignName: 'birthday-2027', requestsPerSecond: 500 };

const send = async (items: object[], options: object = campaign, settings: object = {}) =>
	(
		await service.run(
			'sms/send',
			{ ...toPhone, output: 'itemResult', options },
			{ items, settings },
		)
	).json.map(({ result }) => result as Record<string, unknown>);

const sent = async () => (await service.control.accepted()).length;

describe('Campaign Name', () => {
	it('turns the run red, even of one item, while nobody has filled it in', async () => {
		const fields = { ...toPhone, output: 'itemResult', options: { campaignName: '' } };
		const { error } = await service.run('sms/send', fields, { items: [{ phone: ana }] });
		expect(error?.message).toContain("'Options > Campaign Name' is empty");
		// Without the option, a second run would send everything again.
		expect(error?.description).not.toMatch(/remove/i);
		expect(await service.control.requests()).toEqual([]);

		// An expression that returns nothing may be a fault of one item.
		const read = { ...fields, options: { campaignName: '={{ $json.campaign }}' } };
		const { json } = await service.run('sms/send', read, { items: [{ phone: ana }] });
		expect(json).toMatchObject([{ result: { outcome: 'notSent' } }]);
	});

	it('sends one message to a person, however the number is written, and says which it was', async () => {
		const options = { ...campaign, defaultCountry: 'AU' };
		const [first] = await send([{ phone: ana }], options);
		const later = await send(
			[{ phone: '+61 491 570 006' }, { phone: '0491 570 006' }, { phone: ben }],
			options,
		);
		expect(later).toMatchObject([
			{
				outcome: 'alreadySent',
				code: 'already_messaged',
				canRetry: false,
				messageId: first?.messageId,
				contact: ana,
			},
			{ outcome: 'alreadySent', messageId: first?.messageId },
			{ outcome: 'sent' },
		]);
		expect(await sent()).toBe(2);
	});

	it('takes an Argentine with and without the 9 for one person', async () => {
		const [first, second] = await send([{ phone: '5491123456789' }, { phone: '541123456789' }]);
		expect([first?.outcome, second?.outcome].toSorted()).toEqual(['alreadySent', 'sent']);
	});

	it('holds for all nodes and channels of the workflow', async () => {
		await send([{ phone: ana }]);
		const fields = { output: 'simplified', options: campaign };
		const mms = {
			sender: '61491570006',
			recipient: ana,
			contentUrl: 'https://example.com/a.jpg',
			message: 'Hi',
		};
		const others = [
			await service.run('mms/send', { ...mms, ...fields }, { nodeName: 'Later' } as never),
			await service.run('bulkSms/send', { ...toSeveral, ...fields }, { items: [{ to: ana }] }),
		];
		for (const { json } of others) expect(json).toMatchObject([{ outcome: 'alreadySent' }]);
		expect(await sent()).toBe(1);
	});

	it('is the same campaign in other letters and spaces, and another by another name', async () => {
		await send([{ phone: ana }], { ...campaign, campaignName: 'Spring  Sale' });
		const again = await send([{ phone: ana }], { ...campaign, campaignName: ' spring sale ' });
		expect(again).toMatchObject([{ outcome: 'alreadySent' }]);
		const other = await send([{ phone: ana }], { ...campaign, campaignName: 'Spring Sale 2' });
		expect(other).toMatchObject([{ outcome: 'sent' }]);
	});

	it('sends to nobody again whose message was not confirmed, and says that it may have been sent', async () => {
		await service.fault('status500AfterAcceptance', { path: '/v2/sms', count: 1 });
		const options = { ...campaign, campaignName: 'lost', onOutcomeUnknown: 'fail' };
		expect(await send([{ phone: ana }], options)).toMatchObject([
			{ outcome: 'notConfirmed', canRetry: false },
		]);
		const [later] = await send([{ phone: ana }], options);
		expect(later).toMatchObject({
			outcome: 'alreadySent',
			messageId: null,
			reason: expect.stringContaining('may have been: Kudosity did not confirm it'),
		});
		expect(await sent()).toBe(1);
	});

	it('sends to somebody again who was refused', async () => {
		await service.fault('status403', { path: '/v2/sms', count: 1 });
		expect(await send([{ phone: ana }])).toMatchObject([
			{ outcome: 'notSent', code: 'not_allowed' },
		]);
		expect(await send([{ phone: ana }])).toMatchObject([{ outcome: 'sent' }]);
	});

	it('shares requests in bulk, and sends nothing in a second run', async () => {
		const items = phones(31).map((to) => ({ to }));
		const run = async () =>
			(
				await service.run(
					'bulkSms/send',
					{ ...toSeveral, output: 'simplified', options: campaign },
					{ items },
				)
			).json;
		const first = await run();
		expect(first.every(({ outcome }) => outcome === 'sent')).toBe(true);
		const second = await run();
		expect(second).toHaveLength(31);
		for (const [index, record] of second.entries()) {
			expect(record).toMatchObject({ outcome: 'alreadySent', messageId: first[index]?.messageId });
		}
		expect(await service.control.requests({ method: 'POST' })).toHaveLength(1);
	});

	it('sends as many in bulk as fit on the day, and leaves the rest to the next', async () => {
		const { json, error } = await service.run(
			'bulkSms/send',
			{ ...toSeveral, output: 'simplified', options: { ...campaign, maxPerDay: 20 } },
			{ items: phones(31).map((to) => ({ to })) },
		);
		expect(error).toBeUndefined();
		expect(json.map(({ outcome }) => outcome)).toEqual(
			phones(31).map((_, row) => (row < 20 ? 'sent' : 'notSent')),
		);
		expect(await sent()).toBe(20);
	});

	it('is named where n8n cannot keep it', async () => {
		vi.spyOn(store.entries, 'add').mockImplementation(() => {
			throw new Error('The database is locked');
		});
		const [result] = await send([{ phone: ana }]);
		vi.restoreAllMocks();
		expect(result).toMatchObject({
			outcome: 'notSent',
			reason: expect.stringMatching(
				/^'Campaign Name' could not be checked, so this message was not sent\. .*its database: check whether the disk is full/,
			),
			code: 'unexpected',
			canRetry: true,
		});
		expect(await sent()).toBe(0);
	});

	it('is not used up by a dry run, which says what it is', async () => {
		const [one, other] = await send([{ phone: ana }, { phone: ana }], {
			...campaign,
			dryRun: 'always',
		});
		expect(one).toMatchObject({ outcome: 'dryRun', canRetry: true });
		expect(other).toMatchObject({ outcome: 'dryRun', canRetry: true, code: 'already_messaged' });
		expect(store.entries.size).toBe(0);
		expect(await send([{ phone: ana }])).toMatchObject([{ outcome: 'sent' }]);
	});

	it('does not ask a question twice', async () => {
		await send([{ phone: ana }]);
		const question = {
			sender: '61491570156',
			recipient: ana,
			message: 'Yes?',
			responseType: 'freeText',
		};
		const { json } = await service.run('sms/sendAndWait', {
			...question,
			options: { campaignName: 'birthday-2027' },
		});
		expect(json).toMatchObject([
			{ replied: false, code: 'already_messaged', reason: expect.any(String) },
		]);
		expect(await sent()).toBe(1);
	});
});

describe('Campaign Name is refused', () => {
	const refusal = async (name: string, fields: object, items?: object[]) =>
		(await service.run(name, fields, { items })).error;

	it.each([
		[
			'together with a Deduplication Key',
			{ ...campaign, deduplicationKey: 'x' },
			/Deduplication Key/,
		],
		[
			'where an expression returns nothing',
			{ campaignName: '={{ $json.no }}' },
			/'Options > Campaign Name' is empty/,
		],
		['with a value that is missing', { campaignName: '={{ "sale-" + $json.no }}' }, /“undefined”/],
		['as fixed text with braces', { campaignName: 'sale {{ $json.x }}' }, /fixed text/],
		['if it is too long', { campaignName: 'x'.repeat(101) }, /100 characters/],
	])('%s', async (_, options, message) => {
		const error = await refusal('sms/send', { ...toPhone, options }, [{ phone: ana }]);
		expect(error?.message).toMatch(message);
		expect(await sent()).toBe(0);
	});

	it('with a contact list, and with several numbers in an item', async () => {
		const list = {
			message: 'Hi',
			sender: 'Acme',
			sendTo: 'list',
			listId: '4100002',
			options: campaign,
		};
		expect((await refusal('bulkSms/send', list))?.message).toContain(
			"can't be used with a contact list",
		);
		const several = await refusal('bulkSms/send', { ...toSeveral, options: campaign }, [
			{ to: [ana, ben] },
		]);
		expect(several?.message).toContain('needs one recipient per item');
		expect(await sent()).toBe(0);
	});

	it('where n8n keeps nothing', async () => {
		const call = await createLoneTool({
			parameters: {
				resource: 'sms',
				operation: 'send',
				...toPhone,
				recipient: ana,
				message: 'Hi',
				options: campaign,
			},
			credentials: service.credentials,
		} as never);
		const told = await call().catch((error: unknown) => error);
		expect(JSON.stringify(told) + String(told)).toContain(
			"'Campaign Name' doesn't work in n8n's Agents",
		);
		expect(await sent()).toBe(0);
	});
});
