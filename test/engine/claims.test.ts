import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../playground/emulator/control/client.ts';
import { continues, retries, useDeduplicationStore, useEmulator } from './emulator.ts';

const service = useEmulator();
const store = useDeduplicationStore();

const [ana, ben] = ['61491570006', '61491570156'];
const path = '/v2/sms';
const fast = { requestsPerSecond: 500, onOutcomeUnknown: 'fail' };

const send = async (options: object, settings: object = {}, phone = ana) => {
	const run = { settings: { ...continues, ...settings } };
	const { json } = await service.sms([{ phone }], { ...fast, ...options }, run);
	const { outcome, messageId, id, details } = json[0] ?? {};
	const code = (details as { code?: string } | undefined)?.code;
	return outcome ? `${String(outcome)}${messageId ? ', with the ID' : ''}` : id ? 'sent' : code;
};

type Outcome = 'accepted' | 'unknown' | 'refused';

/** The next message ends so. */
const faults: Record<Outcome, FaultRule['fault'] | undefined> = {
	accepted: undefined,
	unknown: 'status500AfterAcceptance',
	refused: 'status403',
};
const prepare = async (outcome: Outcome) => {
	const fault = faults[outcome];
	if (fault) await service.fault(fault, { path, count: 1 });
};

/** What each guard lets the next message do: the next try of Retry On Fail, or a later execution. */
const policy: Array<[Outcome, { retry: unknown; key: unknown; perDay: unknown }]> = [
	['accepted', { retry: 'sent', key: 'alreadySent, with the ID', perDay: 'limit_reached' }],
	['unknown', { retry: 'outcome_unknown', key: 'alreadySent', perDay: 'limit_reached' }],
	['refused', { retry: 'sent', key: 'sent', perDay: 'sent' }],
];

describe.each(policy)('after a message that was %s', (outcome, next) => {
	const isSpent = outcome !== 'refused';
	const requests = async () => (await service.control.requests({ path })).length;

	it(`Retry On Fail ends with ${String(next.retry)}`, async () => {
		await prepare(outcome);
		expect(await send({}, retries)).toBe(next.retry);
		expect(await requests()).toBe(isSpent ? 1 : 2);
	});

	it(`the same Deduplication Key is ${String(next.key)}`, async () => {
		await prepare(outcome);
		const key = { deduplicationKey: outcome };
		await send(key);
		expect(await send(key)).toBe(next.key);
		expect(await requests()).toBe(isSpent ? 1 : 2);
	});

	it(`Max per Recipient per Day says ${String(next.perDay)}`, async () => {
		await prepare(outcome);
		await send({ maxPerRecipientPerDay: 1 });
		expect(await send({ maxPerRecipientPerDay: 1 })).toBe(next.perDay);
		expect(await requests()).toBe(isSpent ? 1 : 2);
	});

	it(`Max per Execution has ${isSpent ? 'no room' : 'room'} for the next call of an agent`, async () => {
		await prepare(outcome);
		const options = { ...fast, maxPerExecution: 1 };
		const fields = { message: 'Hello', sender: 'Acme', recipient: '={{ $json.phone }}', options };
		const call = await service.tool('sms/send', fields);
		await call({ phone: ana });
		const answer = String(await call({ phone: ben }));
		expect(answer.includes('Max per Execution')).toBe(isSpent);
		expect(await requests()).toBe(isSpent ? 1 : 2);
	});
});

describe('a message that a later guard stops', () => {
	it('leaves its key to a later execution where a limit refuses it', async () => {
		await send({ maxPerRecipientPerDay: 1 });
		const both = { deduplicationKey: 'K', maxPerRecipientPerDay: 1 };
		expect(await send(both)).toBe('limit_reached');
		expect([...store.entries].filter((entry) => String(entry).endsWith(':K'))).toEqual([]);
		expect(await send(both, {}, ben)).toBe('sent');
	});

	it('uses up no limit where its key skips it', async () => {
		await send({ deduplicationKey: 'K' });
		const both = { deduplicationKey: 'K', maxPerRecipientPerDay: 1 };
		expect(await send(both, {}, ben)).toBe('alreadySent, with the ID');
		expect(await send({ maxPerRecipientPerDay: 1 }, {}, ben)).toBe('sent');
	});
});
