/** A safe campaign of five nodes, as somebody builds it alone: opt-outs, contacts, the send, and a result in each row. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sevenOptOuts, sixtyRows, theirSpellings } from '../fixtures/sixtyRows.ts';
import { type Changes, makeFiveNodes } from './fiveNodes.ts';
import { startPlayground, type Playground } from './harness.ts';

const settings = { requestsPerSecond: 0, autoStatus: false, balance: 1_000_000 };

let playground: Playground;
let five: Awaited<ReturnType<typeof makeFiveNodes>>;

beforeAll(async () => {
	playground = await startPlayground({ settings });
});
beforeEach(async () => {
	await playground.control.reset(settings);
	five = await makeFiveNodes(playground);
});
afterAll(async () => {
	await five.removeTables();
	await playground.stop();
});

const people = sixtyRows.map(({ phone, name }) => ({
	phone: phone === null ? null : String(phone),
	name,
}));
const blocked = theirSpellings;

describe('the five nodes', () => {
	it('send to everybody once who has not opted out, and note a result in every row', async () => {
		await five.fill(people, blocked);
		const id = await five.save();
		const { status, error } = await five.run(id);
		expect(error?.message).toBeUndefined();
		expect(status).toBe('success');
		expect(await five.outcomes()).toEqual({ sent: 26, skipped: 10, alreadySent: 1, notSent: 23 });
		const messages = await playground.control.accepted();
		expect(messages).toHaveLength(26);
		const sentTo = new Set(messages.map(({ recipient }) => recipient));
		expect(sentTo.size).toBe(26);
		for (const number of sevenOptOuts) expect(sentTo).not.toContain(number);
		const first = await five.rows();
		for (const { outcome, reason, message_id: messageId } of first) {
			if (outcome === 'sent') expect(messageId).toEqual(expect.any(String));
			else expect(reason).toEqual(expect.any(String));
		}

		// A second run sends nothing, and no row loses its ID; two new rows get a message each.
		await five.run(id);
		expect(await playground.control.accepted()).toHaveLength(26);
		expect((await five.rows()).map(({ message_id: messageId }) => messageId)).toEqual(
			first.map(({ message_id: messageId, outcome }) =>
				outcome === 'alreadySent' ? expect.anything() : messageId,
			),
		);
		await five.fill(
			[
				{ phone: '61491579001', name: 'New' },
				{ phone: '61491579002', name: 'Newer' },
			],
			[],
		);
		await five.run(id);
		expect(await playground.control.accepted()).toHaveLength(28);
	});

	it('leave out landlines with Mobile Numbers Only', async () => {
		await five.fill(people, blocked);
		await five.run(await five.save({ limits: { mobileOnly: true } }));
		expect(await five.outcomes()).toEqual({ sent: 24, skipped: 12, alreadySent: 1, notSent: 23 });
	});

	it('send the same 26 in one request, in bulk', async () => {
		await five.fill(people, blocked);
		const bulk = {
			resource: 'bulkSms',
			recipients: '={{ $json.phone }}',
			message: 'We have moved',
		};
		const { error } = await five.run(await five.save({ operation: bulk }));
		expect(error?.message).toBeUndefined();
		expect(await playground.control.requests({ method: 'POST' })).toHaveLength(1);
		expect(await five.outcomes()).toEqual({ sent: 26, skipped: 10, alreadySent: 1, notSent: 23 });
	});

	it('send nothing while nobody was imported, and say what to do', async () => {
		await five.fill(people.slice(0, 3), []);
		const { status, error } = await five.run(await five.save());
		expect(status).toBe('error');
		expect(`${error?.message} ${error?.description}`).toContain('Allow Empty List');
		expect(await playground.control.accepted()).toHaveLength(0);
		await five.run(await five.save({ limits: { allowEmptyList: true } }));
		expect((await playground.control.accepted()).length).toBeGreaterThan(0);
	});

	it.each([
		[
			'a misspelled column',
			{
				limits: {
					blockedRecipients: "={{ $('Get opt-outs').all().map((row) => row.json.mobile) }}",
				},
			},
		],
		['Return All turned off', { optOuts: { returnAll: false, limit: 1 } }],
		[
			'a row dragged from the panel',
			{ limits: { blockedRecipients: "={{ $('Get opt-outs').item.json.phone }}" } },
		],
		[
			'a node that is not there',
			{ limits: { blockedRecipients: "={{ $('Opt-outs').all().map((row) => row.json.phone) }}" } },
		],
	] satisfies Array<[string, Changes]>)('send nothing after %s', async (_, changes) => {
		await five.fill(people, blocked);
		const { status, error } = await five.run(await five.save(changes));
		expect(status).toBe('error');
		expect(error?.message).toContain('Blocked Recipients');
		expect(await playground.control.accepted()).toHaveLength(0);
	});
});
