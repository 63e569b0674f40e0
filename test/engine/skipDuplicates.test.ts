import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../playground/emulator/control/client.ts';
import {
	continues,
	phones,
	retries,
	toPhone,
	useDeduplicationStore,
	useEmulator,
} from './emulator.ts';
import '../helpers/fastCheckSeed.ts';

const service = useEmulator();
const store = useDeduplicationStore();

const [ana, ben, cleo] = ['61491570006', '61491570156', '61491570157'];
const spellings = [ana, '+61 491 570 006', '0061491570006', '+61 (0)491-570-006'];

const on = { skipDuplicates: true, onOutcomeUnknown: 'fail', requestsPerSecond: 500 };
const run = async (items: object[], options: object = {}, settings: object = continues) =>
	await service.sms(items, { ...on, ...options }, { settings });
const runBulk = async (items: object[], options: object = {}, settings: object = continues) =>
	await service.bulk(items, { ...on, onOutcomeUnknown: undefined, ...options }, { settings });

const skipped = { skipped: true, reason: expect.stringContaining('this number') };

describe('Skip Duplicate Numbers', () => {
	it('sends one message to a number, in whatever spelling, and keeps the fields of the others', async () => {
		const items = spellings.map((phone, row) => ({ phone, row }));
		const { json, error } = await run([...items, { phone: ben }], {}, {});

		expect(error).toBeUndefined();
		expect(json).toMatchObject([
			{ recipient: ana },
			...items.slice(1).map((item) => ({ ...item, ...skipped })),
			{ recipient: ben },
		]);
		expect(await service.recipients()).toEqual([ana, ben]);
	});

	it('does nothing while it is off', async () => {
		await run([{ phone: ana }, { phone: ana }], { skipDuplicates: false });

		expect(await service.recipients()).toEqual([ana, ana]);
	});

	it('goes over the rounds of a loop, and begins anew with the next execution', async () => {
		const rounds = { items: [{ phone: ana }], laterRounds: [[{ phone: ana }, { phone: ben }]] };
		const { json } = await service.run('sms/send', { ...toPhone, options: on }, rounds);

		expect(json).toMatchObject([skipped, { recipient: ben }]);
		expect(await service.recipients()).toEqual([ana, ben]);
		await run([{ phone: ana }]);
		expect(await service.recipients()).toEqual([ana, ben, ana]);
	});

	it('leaves the number to the next item when a message was refused', async () => {
		await service.fault('status403', { bodyIncludes: 'first' });
		const { json } = await run([
			{ phone: ana, text: 'first' },
			{ phone: ana, text: 'second' },
			{ phone: ana, text: 'third' },
		]);

		expect(json).toMatchObject([
			{ details: { code: 'not_allowed' } },
			{ message: 'second' },
			skipped,
		]);
		expect(await service.recipients()).toEqual([ana]);
	});

	it('sends nothing more to a number that may have had a message', async () => {
		await service.fault('status500AfterAcceptance', { bodyIncludes: ana });
		const { json } = await run([{ phone: ana }, { phone: ana }]);

		expect(json).toMatchObject([{ details: { code: 'outcome_unknown' } }, skipped]);
		expect(await service.recipients()).toEqual([ana]);
	});

	it('lets only items to the same number wait', async () => {
		const others = phones(49).map((phone) => ({ phone }));
		const match = { path: '/v2/sms', method: 'POST' };
		await service.fault('slow', { ...match, bodyIncludes: ana }, { delayMs: 2_000 });
		const { json } = await run([{ phone: ana }, { phone: ana }, ...others.slice(1)]);

		expect(json[1]).toMatchObject(skipped);
		// Accepted last, though it was requested first.
		const recipients = await service.recipients();
		expect(recipients).toHaveLength(49);
		expect(recipients.at(-1)).toBe(ana);
	});

	it('sends to nobody who still waits when the user stops the run', async () => {
		const match = { path: '/v2/sms', method: 'POST' };
		await service.fault('slow', { ...match, bodyIncludes: 'first' }, { delayMs: 300 });
		const items = [
			{ phone: ana, text: 'first' },
			{ phone: ana, text: 'second' },
		];
		const stopWhen = async () => await service.control.waitForRequests(match, { count: 1 });
		const { run: stopped } = await service.sms(items, on, { settings: continues, stopWhen });

		expect(stopped.status).toBe('canceled');
		await service.control.waitForMessages({}, { count: 1 });
		expect(await service.control.requests(match)).toHaveLength(1);
	});

	it('does not let an item that is skipped use up its Deduplication Key, nor one with a used key its number', async () => {
		const items = [
			{ phone: ana, key: 'J' },
			{ phone: ana, key: 'K' },
			{ phone: ben, key: 'J' },
			{ phone: ben, key: 'L' },
		];
		const { json } = await run(items, { deduplicationKey: '={{ $json.key }}' });

		expect(json).toMatchObject([
			{ recipient: ana },
			skipped,
			{ skipped: true, reason: expect.stringContaining('Deduplication Key') },
			{ recipient: ben },
		]);
		expect([...store.entries].sort()).toEqual(['kudosity:send:J', 'kudosity:send:L']);
	});

	it('takes a message as sent, whatever else the service says of it', async () => {
		const sent = { id: 'm1', recipient: ana, sender: 'Acme', message: 'Hello', skipped: true };
		await service.answer(sent, { path: '/v2/sms', method: 'POST' }, 201);
		const { json } = await run([{ phone: ana }, { phone: ana }]);

		expect(json).toMatchObject([{ id: 'm1' }, skipped]);
	});

	it('takes no room in the limits for what it skips', async () => {
		const items = [...spellings.map((phone) => ({ phone })), { phone: ben }];
		const { error } = await run(items, { maxPerExecution: 2, maxPerRecipientPerDay: 1 }, {});

		expect(error).toBeUndefined();
		expect(await service.recipients()).toEqual([ana, ben]);
	});

	it('is refused where an expression delivers nothing', async () => {
		const { error } = await run([{ phone: ana }], { skipDuplicates: '={{ $json.nothing }}' }, {});

		expect(error?.message).toContain("'Options > Skip Duplicate Numbers' is empty");
		expect(await service.recipients()).toEqual([]);
	});

	it('holds for an agent that asks several times at once', async () => {
		const call = await service.tool('sms/send', { ...toPhone, options: on });
		const told = await Promise.all(spellings.map(async (phone) => String(await call({ phone }))));

		expect(told.filter((each) => each.includes('skipped'))).toHaveLength(3);
		expect(await service.recipients()).toEqual([ana]);
	});

	it('shows in a dry run what would be skipped', async () => {
		const items = [...spellings.map((phone) => ({ phone })), { phone: ben }];
		const { json, hints } = await run(items, { dryRun: 'always', maxPerExecution: 2 }, retries);

		expect(json).toMatchObject([
			{ dryRun: true, recipient: ana },
			...Array<object>(3).fill({ dryRun: true, ...skipped }),
			{ dryRun: true, recipient: ben },
		]);
		expect(hints).toEqual([
			'Dry run (nothing sent): 2 ready to send, 3 skipped (duplicate number)',
		]);
		expect(await service.control.requests()).toEqual([]);
	});
});

describe('Skip Duplicate Numbers with Retry On Fail', () => {
	const stops = { ...retries, onError: 'stopWorkflow' };

	it('takes a repeated try of an item for no duplicate', async () => {
		const count = 7;
		await service.fault('status429', { bodyIncludes: ben, count }, { retryAfter: 0 });
		const { json, error } = await run([{ phone: ana }, { phone: ben }, { phone: ana }], {}, stops);

		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ recipient: ana }, { recipient: ben }, skipped]);
		expect(await service.recipients()).toEqual([ana, ben]);
	});

	it('sends again to a number of unknown outcome only for its own item, and only if told to', async () => {
		const items = [
			{ phone: ana, text: 'first' },
			{ phone: ana, text: 'second' },
		];
		await service.fault('status500', { bodyIncludes: 'first' });
		const { json } = await run(items, { onOutcomeUnknown: 'repeat' }, stops);

		expect(json).toMatchObject([{ message: 'first' }, skipped]);
		expect(await service.recipients()).toEqual([ana]);
	});

	it('keeps the number when the repeated try of a message in doubt is refused', async () => {
		const items = [
			{ phone: ana, text: 'first' },
			{ phone: ana, text: 'second' },
		];
		await service.fault('status500AfterAcceptance', { bodyIncludes: 'first' });
		await service.fault('status403', { bodyIncludes: 'first', count: 5 });
		// Nor can it be looked up.
		await service.fault('status500', { method: 'GET', path: '/v2/sms', count: 1_000 });
		const { json } = await run(items, { onOutcomeUnknown: 'repeat' }, { ...retries, ...continues });

		expect(json).toMatchObject([{ details: { code: 'outcome_unknown' } }, skipped]);
		expect(await service.recipients()).toEqual([ana]);
	});
});

describe('Skip Duplicate Numbers in a bulk message', () => {
	const sentTo = async () =>
		(await service.control.requests({ path: '/send-sms.json' })).map(
			({ body }) => (body as { to: string }).to,
		);

	it('leaves a number out of later recipients, and skips an item that has none left', async () => {
		const { json } = await runBulk([
			{ to: `${ana}, ${ben}`, text: 'one' },
			{ to: `${ben}, ${cleo}`, text: 'two' },
			{ to: `${spellings[1]}`, text: 'three' },
		]);

		expect(await sentTo()).toEqual([`${ana},${ben}`, cleo]);
		expect(json).toMatchObject([
			{ recipients: 2 },
			{ recipients: 1, duplicate: true },
			{ text: 'three', ...skipped },
		]);
	});

	it('skips one that has the same message, too', async () => {
		const { json } = await runBulk([{ to: ana }, { to: ana }]);

		expect(json).toMatchObject([{ recipients: 1 }, skipped]);
		expect(await sentTo()).toEqual([ana]);
	});

	it('sends to a number that the service had refused in another message', async () => {
		await service.control.inbound({ from: ben, to: '61491570159', text: 'STOP' });
		await service.fault('status403', { path: '/send-sms.json', bodyIncludes: 'one' });
		const { json } = await runBulk([
			{ to: ana, text: 'one' },
			{ to: `${ana}, ${ben}`, text: 'two' },
			{ to: `${ana}, ${ben}`, text: 'three' },
		]);

		expect(json).toMatchObject([
			{ details: { code: 'not_allowed' } },
			{ recipients: 1 },
			{ details: { code: 'opted_out' } },
		]);
		expect(await sentTo()).toEqual([ana, `${ana},${ben}`, ben]);
	});

	it('plans the limits with what is left of each item', async () => {
		const items = [
			{ to: `${ana}, ${ben}`, text: 'one' },
			{ to: `${ben}, ${cleo}`, text: 'two' },
		];
		const { error } = await runBulk(items, { maxPerExecution: 3, maxPerRecipientPerDay: 1 }, {});

		expect(error).toBeUndefined();
		expect(await sentTo()).toEqual([`${ana},${ben}`, cleo]);
	});

	it('is refused for a contact list, whose people nobody knows', async () => {
		const to = { sendTo: "={{ 'list' }}", listId: '4100001', recipients: ana };
		const fields = { ...to, message: 'Hello', sender: 'Acme', options: { skipDuplicates: true } };
		const { error } = await service.run('bulkSms/send', fields);

		expect(error?.message).toContain("'Skip Duplicate Numbers' can't be used");
		expect(await service.control.requests()).toEqual([]);
	});
});

type Outcome = 'accepted' | 'refused' | 'lost' | 'unanswered';
const rules: Record<Exclude<Outcome, 'accepted'>, FaultRule['fault']> = {
	refused: 'status403',
	lost: 'status500',
	unanswered: 'status500AfterAcceptance',
};
const outcome = fc.constantFrom<Outcome>('accepted', 'refused', 'lost', 'unanswered');
const number = fc.nat(2).map((index) => [ana, ben, cleo][index]!);
type Plan = { to: string[]; outcome: Outcome };

/** What a person expects, item after item: what each was sent to, and what becomes of it. */
const expectedOf = (plans: Plan[]) => {
	const taken = new Set<string>();
	return plans.map(({ to, outcome }) => {
		const left = to.filter((each) => !taken.has(each));
		if (left.length === 0) return { left, report: 'skipped' };
		if (outcome !== 'refused') left.forEach((each) => taken.add(each));
		const codes = { accepted: 'sent', refused: 'not_allowed' } as Partial<Record<Outcome, string>>;
		return { left, report: codes[outcome] ?? 'outcome_unknown' };
	});
};

const reportOf = ({ skipped: isSkipped, details }: Record<string, unknown>) =>
	isSkipped ? 'skipped' : ((details as { code: string } | undefined)?.code ?? 'sent');

const runPlans = async (plans: Plan[], send: (items: object[]) => Promise<{ json: object[] }>) => {
	await service.reset();
	const items = plans.map(({ to }, index) => ({
		phone: to[0],
		to: to.join(','),
		text: `text-${index}-`,
	}));
	for (const [index, { outcome }] of plans.entries()) {
		if (outcome === 'accepted') continue;
		await service.fault(rules[outcome], { bodyIncludes: `text-${index}-`, count: 'forever' });
	}
	const { json } = await send(items);
	const messages = (await service.control.accepted()).map(({ recipient, text }) => [
		recipient,
		text,
	]);
	return { reports: json.map((each) => reportOf(each as Record<string, unknown>)), messages };
};

const acceptedOf = (plans: Plan[]) =>
	expectedOf(plans).flatMap(({ left }, index) =>
		['accepted', 'unanswered'].includes(plans[index]!.outcome)
			? left.map((each) => [each, `text-${index}-`])
			: [],
	);

describe('whatever becomes of each message, no number gets two', () => {
	const params = { numRuns: 20 };

	it('of messages to one person each', async () => {
		const plan = fc.record({ to: number.map((each) => [each]), outcome });
		await fc.assert(
			fc.asyncProperty(fc.array(plan, { maxLength: 9, minLength: 1 }), async (plans) => {
				const { reports, messages } = await runPlans(plans, run);
				expect(reports).toEqual(expectedOf(plans).map(({ report }) => report));
				expect(messages.sort()).toEqual(acceptedOf(plans).sort());
			}),
			params,
		);
	});

	it('of bulk messages', async () => {
		const to = fc.uniqueArray(number, { minLength: 1, maxLength: 3 });
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.record({ to, outcome }), { maxLength: 7, minLength: 1 }),
				async (plans) => {
					const { reports, messages } = await runPlans(plans, runBulk);
					expect(reports).toEqual(expectedOf(plans).map(({ report }) => report));
					expect(messages.sort()).toEqual(acceptedOf(plans).sort());
				},
			),
			params,
		);
	});
});
