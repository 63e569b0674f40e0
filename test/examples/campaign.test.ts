import { describe, expect, it } from 'vitest';
import { until } from '../../playground/n8n/until.ts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { firstOf } from '../helpers/runsAll.ts';
import {
	campaignTable,
	heldBack,
	holdingTakeAt,
	importRan,
	isClock,
	named,
	otherSpellings,
	sendingNow,
	whomTheyMean,
	withOptions,
} from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const optOuts = 'Kudosity opt-outs';
const file = 'campaign.json';

const sam = { phone: '+61 491 573 087', first_name: 'Sam', time_zone: 'UTC' };
const kim = { phone: '61491574118', first_name: 'Kim', time_zone: 'UTC' };
const far = { phone: '61491574632', time_zone: 'Etc/GMT+12' };
const local = { phone: '0491 575 254', time_zone: 'UTC' };
const wrong = { phone: 'n/a', time_zone: 'UTC' };
/** The table of opt-outs while nobody has opted out. */
const nobody = { [optOuts]: [importRan] };

describe('campaign.json, as it comes', () => {
	const example = useExample({ file, publish: false, change: hoursOnly });

	it('sends nothing in the editor, shows what would be sent, and leaves the rows free', async () => {
		await example.run();
		await example.withTables({
			[campaignTable]: [sam, far, local, wrong],
			[optOuts]: [{ phone: kim.phone }],
		});
		const { status, nodes } = await example.run();

		expect(status).toBe('success');
		expect(await example.control.messages()).toEqual([]);
		expect(nodes['Send SMS']?.items.map(({ json }) => json)).toMatchObject([
			{ dryRun: true, recipient: '61491573087', message: expect.stringMatching(/^Hi Sam, 20%/) },
			{ dryRun: true, recipient: '61491575254' },
		]);
		const rows = await example.rows(campaignTable);
		expect(rows.map(({ state, reason }) => [state, reason])).toEqual([
			[null, null],
			[null, null],
			[null, null],
			['failed', expect.stringContaining('not a phone number')],
		]);
	});

	it('leaves a row alone whose message may wait for its turn: seven tries, a minute apart, at the lowest rate', async () => {
		const taken_at = new Date(Date.now() - 75 * 60_000).toISOString();
		const taken = { ...sam, state: 'sending', ref: 'autumn-offer-1', taken_at };
		await example.withTables({ [campaignTable]: [taken], ...nobody });
		const { status } = await example.run();

		expect(status).toBe('success');
		expect(await example.rows(campaignTable)).toMatchObject([{ state: 'sending' }]);
		expect(await example.control.requests()).toEqual([]);
	});
});

describe('campaign.json', () => {
	const example = useExample({ file, publish: false, change: sendingNow });

	it('sends to those who are at work now and have not opted out, and says what became of each', async () => {
		await example.withTables({
			[campaignTable]: [sam, kim, far, wrong],
			[optOuts]: [{ phone: kim.phone }],
		});
		const { status } = await example.run();

		expect(status).toBe('success');
		const messages = await example.control.messages();
		const rows = await example.rows(campaignTable);
		expect(messages).toMatchObject([
			{ recipient: '61491573087', message_ref: `autumn-offer-${String(rows[0]?.id)}` },
		]);
		expect(rows).toMatchObject([
			{ state: 'sent', code: null, message_id: messages[0]?.id },
			{ state: null },
			{ state: null },
			{ state: 'failed', reason: expect.stringContaining('not a phone number') },
		]);
	});

	it('forgets what became of the former message of a row that is sent again', async () => {
		const former = { status: 'FAILED', reason: 'Off', clicked_at: new Date().toISOString() };
		await example.withTables({ [campaignTable]: [{ ...sam, ...former }], ...nobody });
		await example.run();

		expect(await example.rows(campaignTable)).toMatchObject([
			{ state: 'sent', status: null, reason: null, clicked_at: null },
		]);
	});

	it('tries again by itself what was not sent for lack of credit', async () => {
		await example.withTables({ [campaignTable]: [sam], ...nobody });
		await example.control.settings({ balance: 0 });
		await example.run();
		expect(await example.rows(campaignTable)).toMatchObject([{ state: null, code: 'no_balance' }]);

		await example.control.settings({ balance: 100 });
		await example.run();
		expect(await example.rows(campaignTable)).toMatchObject([{ state: 'sent', code: null }]);
	});

	it('sends each row once, also when two executions begin at once, and each text of its own', async () => {
		const rows = Array.from({ length: 60 }, (_, index) => ({
			phone: String(61491000000 + index),
			text: `Text ${index}`,
			time_zone: 'UTC',
		}));
		await example.withTables({ [campaignTable]: rows, ...nobody });
		const ids = await Promise.all([example.start(), example.start()]);
		for (const id of ids) await example.rest.waitForExecution(id, { timeoutMs: 110_000 });
		await example.run();

		const sent = (await example.control.messages()).map(({ recipient, text }) => [recipient, text]);
		expect(sent.sort()).toEqual(rows.map(({ phone, text }) => [phone, text]));
	});
});

describe('campaign.json, when somebody opts out while it runs', () => {
	const example = useExample({ file, publish: false, change: sendingNow });
	const rows = Array.from({ length: 60 }, (_, index) => ({
		phone: `+${61491000000 + index}`,
		time_zone: 'UTC',
	}));

	/** Does it while the first fifty are under way; resolves to how the campaign ended, and who got it. */
	const meanwhile = async (change: () => Promise<void>) => {
		await example.withTables({ [campaignTable]: rows, [optOuts]: [{ phone: '61491579990' }] });
		await example.control.settings({ latencyMs: 500 });
		const id = await example.start();
		await example.control.waitForMessages({}, { count: 1, timeoutMs: 60_000 });
		await change();
		const { status, error } = await example.rest.waitForExecution(id, { timeoutMs: 110_000 });
		const sent = (await example.control.messages()).map(({ recipient }) => recipient).sort();
		return { status, error, sent };
	};

	it('leaves out whoever is in none of the fifty, whether the row is new or was changed', async () => {
		const { status, sent } = await meanwhile(async () => {
			// Not the row that says how far the check got.
			await example.updateRows(optOuts, { phone: '+61 491 000 058' }, 1);
			await example.insert(optOuts, [{ phone: '61491000059\r' }]);
		});

		expect(status).toBe('success');
		expect(sent).toEqual(rows.slice(0, -2).map(({ phone }) => phone.slice(1)));
		expect((await example.rows(campaignTable)).slice(-2)).toMatchObject([
			{ state: null },
			{ state: null },
		]);
		const kept = (await example.rows(optOuts)).flatMap(({ phone }) => phone ?? []);
		expect(kept).toEqual(['61491000058', '61491000059']);
	});

	it('leaves a row for the next execution whose number was corrected meanwhile', async () => {
		const { status, sent } = await meanwhile(
			async () => await example.updateRows(campaignTable, { phone: '61491570006' }),
		);

		expect(status).toBe('success');
		expect(sent).toEqual(rows.slice(0, 50).map(({ phone }) => phone.slice(1)));
		expect((await example.rows(campaignTable)).slice(50)).toEqual(
			rows.slice(50).map(() => expect.objectContaining({ phone: '61491570006', state: null })),
		);
	});

	it('sends no more when an opt-out comes that cannot be read', async () => {
		const { status, error, sent } = await meanwhile(
			async () => await example.insert(optOuts, [{ phone: '61491000059;' }]),
		);

		expect(status).toBe('error');
		expect(error?.message).toContain('Nothing is sent from here on');
		expect(error?.message).toContain('row 3 "61491000059;"');
		expect(sent).toEqual(rows.slice(0, 50).map(({ phone }) => phone.slice(1)));
	});
});

describe('campaign.json, when the business hours end while it sends', () => {
	const change = (node: WorkflowNode): WorkflowNode => {
		if (node.name === 'Fifty at a time')
			return { ...node, parameters: { batchSize: 1, options: {} } };
		if (node.name !== 'Still business hours?') return sendingNow(node);
		const hours = /"={{ \/.*? }}"/;
		const text = JSON.stringify(node.parameters).replace(hours, '"={{ !$runIndex }}"');
		return { ...node, parameters: JSON.parse(text) as WorkflowNode['parameters'] };
	};
	const example = useExample({ file, publish: false, change });

	it('leaves the others to the next working day', async () => {
		await example.withTables({ [campaignTable]: [sam, kim], ...nobody });
		const { status } = await example.run();

		expect(status).toBe('success');
		expect(await example.control.messages()).toHaveLength(1);
		const states = (await example.rows(campaignTable)).map(({ state }) => state);
		expect(states).toEqual(['sent', null]);
	});
});

describe('campaign.json, with rows that have a text of their own', () => {
	const example = useExample({ file, publish: false, change: sendingNow });

	it('sends none with a placeholder that nothing is put in for', async () => {
		const texts = ['Hi {first_name}, bye', 'Hi {Name}, bye'];
		const rows = texts.map((text, index) => ({ ...[sam, kim][index], text }));
		await example.withTables({ [campaignTable]: rows, ...nobody });
		await example.run();

		const sent = (await example.control.messages()).map(({ text }) => text);
		expect(sent).toEqual(['Hi Sam, bye']);
		expect((await example.rows(campaignTable))[1]).toMatchObject({
			state: 'failed',
			reason: expect.stringContaining('{first_name}'),
		});
	});

	it('sends none whose formula failed, and no name that is none', async () => {
		const rows = [
			{ ...sam, text: '#N/A' },
			{ ...kim, first_name: '#REF!', text: 'Hi {first_name}, bye' },
		];
		await example.withTables({ [campaignTable]: rows, ...nobody });
		await example.run();

		const sent = (await example.control.messages()).map(({ text }) => text);
		expect(sent).toEqual(['Hi there, bye']);
		expect((await example.rows(campaignTable))[0]).toMatchObject({
			state: 'failed',
			reason: expect.stringContaining('formula'),
		});
	});
});

describe('campaign.json, when a table could not be written in the middle of fifty rows', () => {
	const change = (node: WorkflowNode) => holdingTakeAt(kim.phone)(sendingNow(node));
	const example = useExample({ file, publish: false, change });

	it('sends to each of them once, those that were taken before with the next execution', async () => {
		await example.withTables({ [campaignTable]: [sam, kim], ...nobody });
		const id = await example.start();
		await until(
			{ what: 'the first row to be taken', timeoutMs: 60_000 },
			async () =>
				(await example.rows(campaignTable)).some(({ state }) => state === 'sending') || undefined,
		);
		await example.addColumn(campaignTable, heldBack);
		await example.rest.waitForExecution(id, { timeoutMs: 110_000 });
		const { status } = await example.run();

		expect(status).toBe('success');
		const sent = (await example.control.messages()).map(({ recipient }) => recipient);
		expect(sent.sort()).toEqual(['61491573087', kim.phone]);
		const states = (await example.rows(campaignTable)).map(({ state }) => state);
		expect(states).toEqual(['sent', 'sent']);
	});
});

describe('campaign.json, with numbers as people write them', () => {
	// Where a foreign number could be a local one.
	const change = (node: WorkflowNode): WorkflowNode =>
		sendingNow(node.name === 'Send SMS' ? withOptions(node, { defaultCountry: 'US' }) : node);
	const example = useExample({ file, publish: false, change });

	it('leaves out whoever opted out, and sends to the number that it looked for', async () => {
		const others = otherSpellings.map((phone) => ({ phone, time_zone: 'UTC' }));
		const foreign = { phone: '+47 922 34 567', time_zone: 'UTC' };
		await example.withTables({
			[campaignTable]: [...others, sam, foreign],
			[optOuts]: whomTheyMean,
		});
		const { status } = await example.run();

		expect(status).toBe('success');
		const sent = (await example.control.messages()).map(({ recipient }) => recipient);
		expect(sent.sort()).toEqual(['4792234567', '61491573087']);
	});

	it('sends to the others where a number is in no numbering plan, unless its owner opted out', async () => {
		const phones = ['+1 555 555 0123', '+1 555 555 0156', '+65 9223 4567', '0491 573 087'];
		await example.withTables({
			[campaignTable]: phones.map((phone) => ({ phone, time_zone: 'UTC' })),
			[optOuts]: [
				{ phone: '15555550156', source: 'ELSEWHERE shop\nform 2' },
				{ phone: '+65 9223 4567', source: 'own list' },
			],
		});
		const ends = [await example.run(), await example.run()].map(({ error }) => error);

		expect(ends).toEqual([undefined, undefined]);
		const tried = (await example.rows(campaignTable)).map(({ state }) => state !== null);
		expect(tried).toEqual([true, false, false, true]);
	});
});

describe('campaign.json, with foreign numbers and a country where their digits are somebody else', () => {
	const example = useExample({
		file,
		publish: false,
		change: (node) => {
			const parameters = JSON.stringify(node.parameters).replace('"value":"AU"', '"value":"US"');
			return sendingNow({ ...node, parameters: JSON.parse(parameters) as Record<string, unknown> });
		},
	});

	it('sends to nobody else when it tries again', async () => {
		const phones = ['+47 922 34 567', '+65 9223 4567'];
		const rows = phones.map((phone) => ({ phone, time_zone: 'UTC' }));
		await example.withTables({ [campaignTable]: rows, ...nobody });
		await example.control.settings({ balance: 0 });
		await example.run();
		await example.control.settings({ balance: 100 });
		await example.run();

		const sent = (await example.control.accepted()).map(({ recipient }) => recipient);
		expect(sent.sort()).toEqual(['4792234567', '6592234567']);
	});
});

describe('campaign.json, with time zones as tables have them', () => {
	const example = useExample({ file, publish: false, change: sendingNow });

	it('says of a row that its time zone does not exist, and leaves none lying', async () => {
		const zones = [' UTC\u00a0', 'Sydney'];
		await example.withTables({
			[campaignTable]: [sam, kim].map((row, index) => ({ ...row, time_zone: zones[index] })),
			...nobody,
		});
		await example.run();

		const rows = await example.rows(campaignTable);
		expect(rows.map(({ state, reason }) => [state, reason])).toEqual([
			['sent', null],
			['failed', expect.stringContaining('time_zone does not exist')],
		]);
	});
});

const inCampaign =
	(from: string, to: string) =>
	(node: WorkflowNode): WorkflowNode => {
		const changed = sendingNow(node);
		if (node.name !== 'Campaign') return changed;
		const parameters = JSON.stringify(changed.parameters).replace(from, () => to);
		return { ...changed, parameters: JSON.parse(parameters) as WorkflowNode['parameters'] };
	};

describe.each(
	firstOf(2, [
		['"autumn-offer"', '" "', 'error', /enter a name as campaign/],
		['Australia/Sydney', 'UTC ', 'success', undefined],
		['Australia/Sydney', 'Australia/Sidney', 'error', /time_zone is "Australia\/Sidney"/],
		['Australia/Sydney', '', 'error', /time_zone is ""/],
	] as const),
)('campaign.json, with %s changed to “%s” in Campaign', (from, to, expected, reason) => {
	const change = inCampaign(from, to);
	const example = useExample({ file, publish: false, change });

	it(`ends as ${expected}`, async () => {
		await example.withTables({ [campaignTable]: [{ phone: kim.phone }], ...nobody });
		const { status, error } = await example.run();

		expect(status).toBe(expected);
		if (reason) expect(error?.message).toMatch(reason);
		expect(await example.control.messages()).toHaveLength(expected === 'error' ? 0 : 1);
	});
});

describe('campaign.json, with a row that is sent again', () => {
	const change = inCampaign('$now.toISO()', '$now.plus({ hours: 3 }).toISO()');
	const example = useExample({ file, publish: false, change });

	it('does not take its earlier message for the one that is in doubt', async () => {
		const ref = 'autumn-offer-1';
		await example.sendSms(kim.phone, { message_ref: ref });
		const taken_at = new Date(Date.now() + 2 * 3_600_000).toISOString();
		const row = { ...sam, phone: kim.phone, state: 'sending', ref, taken_at };
		await example.withTables({ [campaignTable]: [row], ...nobody });
		await example.run();

		expect(await example.control.messages()).toHaveLength(2);
	});
});

describe('campaign.json, with its nodes moved on the canvas, which is how n8n orders branches', () => {
	const upward: Record<string, number> = { 'Who is left': -2000, 'The others were not': -3000 };
	const moved = (node: WorkflowNode): WorkflowNode => {
		const [x, y] = node.position;
		return sendingNow({ ...node, position: [x, upward[node.name] ?? y] });
	};
	const example = useExample({ file, publish: false, change: moved });

	it('sends nothing again that Kudosity has of a row in doubt', async () => {
		const ref = 'autumn-offer-1';
		await example.sendSms(kim.phone, { message_ref: ref });
		const taken_at = new Date(Date.now() - 3 * 3_600_000).toISOString();
		const row = { ...sam, phone: kim.phone, state: 'sending', ref, taken_at };
		await example.withTables({ [campaignTable]: [row], ...nobody });
		await example.run();

		expect(await example.control.messages()).toHaveLength(1);
		expect(await example.rows(campaignTable)).toMatchObject([{ state: 'sent' }]);
	});
});

describe('campaign.json, with a sender that is none of the account', () => {
	const change = inCampaign('61491570006', '61491579990');
	const example = useExample({ file, publish: false, change });

	it('sends nothing, and leaves all rows to a later execution', async () => {
		await example.withTables({ [campaignTable]: [sam], ...nobody });
		await example.run();

		expect(await example.control.messages()).toEqual([]);
		expect(await example.rows(campaignTable)).toMatchObject([
			{ state: null, code: 'invalid_sender' },
		]);
	});
});

describe('campaign.json, when the node fails as a whole', () => {
	const failing = (node: WorkflowNode): WorkflowNode =>
		node.name === 'Send SMS'
			? { ...node, parameters: { ...node.parameters, operation: 'none' } }
			: sendingNow(node);
	const example = useExample({ file, publish: false, change: failing });

	it('takes nothing for sent, and leaves it in doubt', async () => {
		await example.withTables({ [campaignTable]: [sam], ...nobody });
		await example.run();
		expect(await example.rows(campaignTable)).toMatchObject([
			{ state: 'sending', message_id: null },
		]);
	});
});

/** Hours that suit the test, and a name; all else stays. */
function hoursOnly(node: WorkflowNode): WorkflowNode {
	return isClock(node) ? sendingNow(node) : named(node);
}
