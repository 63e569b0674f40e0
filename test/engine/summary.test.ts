import { describe, expect, it, vi } from 'vitest';
import { listenToLog } from '../security/engineLog.ts';
import {
	continues,
	phones,
	retries,
	toPhone,
	useDeduplicationStore,
	useEmulator,
} from './emulator.ts';

const service = useEmulator();
const store = useDeduplicationStore();
const [ana, ben] = ['61491570006', '61491570156'];
const fast = { requestsPerSecond: 500, onOutcomeUnknown: 'fail' };
const path = '/v2/sms';

const sms = async (items: object[], options: object = {}, run: object = {}) =>
	await service.sms(items, { ...fast, ...options }, { settings: continues, ...run });

const refuse = async (error: string, match: object) =>
	await service.answer({ error }, { path, ...match }, 400);

describe('what a send says of its run', () => {
	it('counts every item, refusals by their kinds', async () => {
		const [optedOut, lost] = [phones(3)[1]!, phones(3)[2]!];
		await refuse('The recipient has opted out', { bodyIncludes: optedOut });
		await service.fault('status500', { path, bodyIncludes: lost });
		const items = [
			...[ana, ben, '', ' ', '6.149E+10', optedOut, lost, 'Sam'].map((phone) => ({ phone })),
			{ phone: '61491570157', key: 'K' },
			{ phone: '61491570158', key: 'K' },
			{ phone: '61491570159', text: `${'a'.repeat(80)} 🎉` },
		].map((item, index) => ({ key: `key ${index}`, ...item }));
		const { hints, json } = await sms(items, { deduplicationKey: '={{ $json.key }}' });

		expect(json).toHaveLength(11);
		expect(hints).toEqual([
			"1 not confirmed (may have been sent, so don't resend), 4 accepted (5 SMS parts), 1 skipped (key already used), 5 refused (2 empty, 1 rounded by a spreadsheet, 1 opted out, 1 for other reasons), 1 took several SMS parts because of emoji or special characters",
		]);
	});

	it('is silent about one item that was sent, and speaks of one that was not', async () => {
		expect((await sms([{ phone: ana }])).hints).toEqual([]);
		expect((await sms([{ phone: 'Sam' }])).hints).toEqual(['1 refused (1 not a valid number)']);
		const key = { deduplicationKey: 'K' };
		expect((await sms([{ phone: ana }], key)).hints).toEqual([]);
		expect((await sms([{ phone: ana }], key)).hints).toEqual(['1 skipped (key already used)']);
		expect((await sms([{ phone: ana }, { phone: ben }])).hints).toEqual(['2 accepted']);
	});

	it('names the kinds of refusals, the most frequent first', async () => {
		const wrong = ['Sam', '', '6.149E+10', '', '-1', '6.149E+10', ''];
		expect((await sms(wrong.map((phone) => ({ phone })))).hints).toEqual([
			'7 refused (3 empty, 2 rounded by a spreadsheet, 1 not a valid number, 1 for other reasons)',
		]);
	});

	it('is in the log of n8n, too, when the run is stopped, as n8n keeps no output then', async () => {
		const log = listenToLog();
		const stops = () => log.filter((line) => line.includes('Kudosity node was stopped'));
		await service.fault('slow', { count: 'forever' }, { delayMs: 100 });
		const stopWhen = async () => await service.control.waitForMessages({}, { count: 3 });
		const items = phones(60).map((phone) => ({ phone }));
		const settings = continues;
		const { run } = await sms(items, { requestsPerSecond: 20 }, { settings, stopWhen });

		expect(run.status).toBe('canceled');
		await vi.waitFor(() => expect(stops()).toHaveLength(1));
		const [, accepted] = /(\d+) of 60 items accepted/.exec(stops()[0]!) ?? [];
		expect(Number(accepted)).toBeGreaterThanOrEqual(2);
		expect(stops()[0]).toMatch(/workflowId: .*executionId: 'engine-\d+'/s);
	});

	it('stays short with a thousand items, and its figures add up', async () => {
		const wrong = [
			'',
			'6.149E+10',
			'-1',
			'12.34',
			'0491 570 156',
			'Sam',
			'61491570006 ext 7',
			'1/2/3',
		];
		const items = Array.from({ length: 1_000 }, (_, index) => ({
			phone: index % 2 ? ana : wrong[(index / 2) % wrong.length],
			text: index % 10 === 3 ? '' : `${'a'.repeat(index % 3 ? 10 : 100)} 🎉`,
		}));
		const { hints } = await sms(items, { dryRun: 'always' });

		const [hint = '', ofRepeats] = hints;
		expect(hints).toHaveLength(2);
		expect(ofRepeats).toMatch(/^\d+ messages were the same as another one to the same recipient/);
		expect(hint.length).toBeLessThan(300);
		const [, sent, refused] = /(\d+) ready to send.* (\d+) refused/.exec(hint) ?? [];
		expect(Number(sent) + Number(refused)).toBe(1_000);
		const kinds = /refused \(([^;)]*)/.exec(hint)?.[1] ?? '';
		const total = [...kinds.matchAll(/\d+/g)].reduce((sum, [count]) => sum + Number(count), 0);
		expect(total).toBe(Number(refused));
	});

	it('says it of the last try, when Retry On Fail runs the node again', async () => {
		await refuse('Something else', { bodyIncludes: ana, count: 1 });
		const settings = { ...continues, ...retries };
		const { hints } = await sms([{ phone: ana }, { phone: ben }], {}, { settings });

		expect(hints).toEqual(['2 accepted']);
		expect(await service.recipients()).toHaveLength(2);
	});

	it('counts items of a bulk message, whose output says which numbers were left out', async () => {
		await service.control.inbound({ from: ben, to: '61491570006', text: 'STOP' });
		const items = [{ to: ana }, { to: ana }, { to: '' }, { to: [ana, ben] }, { to: ben }];
		const { hints } = await service.bulk(items, {}, { settings: continues });
		expect(hints).toEqual(['3 accepted, 2 refused (1 empty, 1 opted out)']);
	});

	it('counts dry items apart from those that are sent', async () => {
		const items = [
			{ phone: ana, mode: 'always' },
			{ phone: 'Sam', mode: 'always' },
			{ phone: ben, mode: 'never' },
		];
		const { hints } = await sms(items, { dryRun: '={{ $json.mode }}' });
		expect(hints).toEqual([
			'1 accepted. Dry run of 2 of 3 items: 1 ready to send, 1 refused (1 not a valid number)',
		]);
	});

	it('says nothing to an agent', async () => {
		const settings = { ...continues, rewireOutputLogTo: 'ai_tool' };
		const { hints } = await sms([{ phone: 'Sam' }], {}, { settings });
		expect(hints).toEqual([]);
	});
});

describe('a refusal that concerns the account', () => {
	const forty = phones(40).map((phone) => ({ phone }));
	const onOutput = { settings: { onError: 'continueErrorOutput' } };

	it.each([
		['credential', 'Unauthorized', 401],
		['no_balance', 'insufficient funds', 400],
	])('ends the requests: %s', async (code, error, status) => {
		await service.answer({ error }, { path, count: 'forever' }, status);
		const limits = {
			requestsPerSecond: 20,
			deduplicationKey: '={{ $json.phone }}',
			maxPerRecipientPerDay: 1,
		};
		const { outputs, hints } = await sms(forty, limits, onOutput);

		expect((await service.control.requests({ path })).length).toBeLessThan(10);
		const failed = (outputs[1] ?? []).map(({ json }) => json);
		expect(failed).toHaveLength(40);
		const tried = failed.filter(({ details }) => Object(details).tried !== false);
		expect(tried.length).toBeLessThan(10);
		expect(tried.length).toBeGreaterThanOrEqual(2);
		expect(failed.at(-1)).toMatchObject({
			phone: forty.at(-1)?.phone,
			error: expect.stringMatching(/^Not tried/),
			details: { code, tried: false },
		});
		expect(hints).toEqual([expect.stringContaining(`; ${40 - tried.length} not tried)`)]);

		// Neither key nor count was taken: all of them go out later.
		expect(store.entries.size).toBe(0);
		await service.control.clearFaults();
		const later = await sms(forty, { ...limits, requestsPerSecond: 500 });
		expect(later.hints).toEqual(['40 accepted']);
	});

	it('leaves what was not tried to Retry On Fail, which repeats nothing that was accepted', async () => {
		// The first three go out; then the balance is too low, until the next try.
		const match = { path, count: 2 };
		await service.fault('slow', { path, count: 'forever' }, { delayMs: 5 });
		await service.answer({ error: 'insufficient funds' }, match, 400);
		const settings = { ...retries, ...continues };
		const { json, hints } = await sms(forty, { requestsPerSecond: 100 }, { settings });

		expect(hints).toEqual(['40 accepted']);
		expect(json.map(({ recipient }) => recipient)).toEqual(forty.map(({ phone }) => phone));
		expect(new Set(await service.recipients()).size).toBe(40);
		expect(await service.recipients()).toHaveLength(40);
	});

	it('counts only two in a row', async () => {
		await refuse('insufficient funds', { bodyIncludes: forty[5]!.phone });
		await refuse('insufficient funds', { bodyIncludes: forty[20]!.phone });
		await refuse('insufficient funds', { bodyIncludes: forty[35]!.phone });
		expect((await sms(forty)).hints).toEqual([
			'37 accepted, 3 refused (3 because the balance is too low)',
		]);
	});

	it.each([
		['credential', 'AUTH_FAILED', 401],
		['account_expired', 'ACCOUNT_EXPIRED', 400],
	])('ends the requests of bulk messages, too: %s', async (code, error, status) => {
		const match = { path: '/send-sms.json', count: 'forever' } as const;
		await service.answer({ error: { code: error } }, match, status);
		// Twelve requests.
		const all = phones(6000);
		const items = Array.from({ length: 60 }, (_, item) => ({
			to: all.slice(item * 100, item * 100 + 100),
		}));
		const options = { requestsPerSecond: 2 };
		const { json } = await service.bulk(items, options, { settings: continues });

		expect((await service.control.requests()).length).toBeLessThan(10);
		expect(json).toHaveLength(60);
		expect(json.at(-1)).toMatchObject({ details: { code, tried: false } });
	});
});

describe('a wrong item that stops the node', () => {
	it('is named with its value and its company, and with the way to send the others', async () => {
		const items = ['', ana, '6.149E+10', '', ben].map((phone) => ({ phone }));
		const { error } = await service.sms([...items.slice(2), ...items.slice(0, 2)]);

		expect(error?.message).toBe("'Recipient' was rounded by a spreadsheet");
		expect(error?.description).toContain('The value ends in …E+10');
		expect(error?.description).toContain(
			"3 of 5 items can't be sent, so none were sent (2 empty, 1 rounded by a spreadsheet)",
		);
		expect(error?.description).toMatch(
			/'Output' to 'Result for Each Item'. The output then has each item's fields and says why an item can't be sent$/,
		);
		expect(await service.control.requests()).toEqual([]);
	});

	it('says nothing of others where there are none', async () => {
		const { error } = await service.sms([{ phone: '' }, { phone: '' }]);
		expect(error?.description).toContain("2 of 2 items can't be sent");
		expect(error?.description).not.toContain('On Error');
	});

	it('shows no whole number and no text', async () => {
		const secret = '+61 491 570 15612345';
		const { error } = await service.sms([{ phone: secret }, { phone: ana }]);
		expect(error?.description).toContain('…2345');
		expect(JSON.stringify(error)).not.toContain('15612345');
	});
});

describe('a refusal that lasts', () => {
	const settings = { ...retries, ...continues };
	const requests = async () => await service.control.requests({ path });

	it.each([
		'The recipient has opted out',
		'The sender is not registered',
		'The recipient is invalid',
	])('is not asked for again by Retry On Fail: %s', async (error) => {
		await service.answer({ error }, { path, bodyIncludes: ana, count: 'forever' }, 400);
		const { json } = await sms([{ phone: ana }, { phone: ben }], {}, { settings });

		expect(json).toMatchObject([{ error: expect.any(String) }, { recipient: ben }]);
		expect(await requests()).toHaveLength(2);
	});

	it('is asked for again with other values, and for a later item to the same number', async () => {
		await refuse('The recipient has opted out', { bodyIncludes: ana, count: 1 });
		const two = await sms([{ phone: ana }, { phone: ana }], { requestsPerSecond: 1 }, { settings });
		expect(two.json).toMatchObject([{ error: expect.any(String) }, { recipient: ana }]);

		await refuse('The recipient has opted out', { bodyIncludes: ana, count: 1 });
		const fields = { ...toPhone, message: '={{ "Hi " + $now.toMillis() + Math.random() }}' };
		const other = await service.run('sms/send', fields, { items: [{ phone: ana }], settings });
		expect(other.json).toMatchObject([{ recipient: ana }]);
	});

	it.each(['insufficient funds', 'Something else'])('is none: %s', async (error) => {
		await refuse(error, { bodyIncludes: ana, count: 2 });
		const { json } = await sms([{ phone: ana }], {}, { settings });
		expect(json).toMatchObject([{ recipient: ana }]);
	});
});
