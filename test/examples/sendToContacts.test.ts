import { describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { campaignTable, importRan, named, withOptions } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const contacts = 'Kudosity contacts';
const optOuts = 'Kudosity opt-outs';

const filled = {
	[contacts]: [
		{ phone: '+61 491 573 087', first_name: 'Sam' },
		{ phone: '61491574118', first_name: 'Kim' },
		{ phone: '0491 574 632', first_name: 'Alex' },
		{ phone: '61491575254', first_name: ' ' },
		{ phone: null, first_name: 'Nobody' },
	],
	[optOuts]: [{ phone: '61491574118' }],
};

describe('send-to-contacts.json', () => {
	const example = useExample({ file: 'send-to-contacts.json', publish: false, change: named });

	it('makes its table at the first run, and sends nothing', async () => {
		const { status } = await example.run();

		expect(status).toBe('success');
		expect(await example.control.messages()).toEqual([]);
		await example.insert(contacts, filled[contacts]);
		expect(await example.rows(contacts)).toMatchObject(filled[contacts]);
	});

	it('sends to the contacts who have not opted out, whatever way their number is written, each campaign once', async () => {
		await example.withTables(filled);
		const { status } = await example.run();

		expect(status).toBe('success');
		const messages = await example.control.messages();
		expect(messages.map(({ recipient, message_ref }) => [recipient, message_ref])).toEqual([
			['61491573087', 'autumn-offer'],
			['61491574632', 'autumn-offer'],
			['61491575254', 'autumn-offer'],
		]);
		expect(messages.map(({ text }) => text)).toEqual([
			expect.stringMatching(/^Hi Sam, /),
			expect.stringMatching(/^Hi Alex, /),
			expect.stringMatching(/^Hi there, /),
		]);
		const empty = expect.stringContaining('empty');
		const reasons = (await example.rows(contacts)).map(({ reason }) => reason);
		expect(reasons).toEqual([null, null, null, null, empty]);

		const { nodes } = await example.run();
		expect(await example.control.messages()).toHaveLength(3);
		expect(nodes['Send SMS']?.items.map(({ json }) => json.code)).toEqual(
			Array(3).fill('already_messaged'),
		);
	});

	it('leaves a row to the next run whose number was corrected since this one began', async () => {
		const many = Array.from({ length: 60 }, (_, index) => ({ phone: String(61491000000 + index) }));
		await example.withTables({ [contacts]: many, [optOuts]: [importRan] });
		await example.control.settings({ latencyMs: 500 });
		const id = await example.start();
		await example.control.waitForMessages({}, { count: 1, timeoutMs: 60_000 });
		await example.updateRows(contacts, { phone: '61491570006' });
		const { status } = await example.rest.waitForExecution(id, { timeoutMs: 110_000 });

		expect(status).toBe('success');
		const sent = (await example.control.messages()).map(({ recipient }) => recipient).sort();
		expect(sent).toEqual(many.slice(0, 50).map(({ phone }) => phone));
	});

	it('says in the table why a message was not sent, and forgets it when it was', async () => {
		await example.withTables({ ...filled, [optOuts]: [importRan] });
		await example.control.settings({ balance: 0 });
		const { status } = await example.run();
		const reasons = async () => (await example.rows(contacts)).map(({ reason }) => reason);

		expect(status).toBe('success');
		expect((await reasons()).slice(0, 4)).toEqual(
			Array(4).fill(expect.stringContaining('balance')),
		);
		await example.control.settings({ balance: 100 });
		await example.run();
		expect((await reasons()).slice(0, 4)).toEqual([null, null, null, null]);
	});
});

describe.each([
	['send-to-contacts.json', contacts, 'Send SMS'],
	['ask-thousands.json', 'Kudosity answers', 'Ask'],
])('%s, with a table %s, where Kudosity gave no answer', (file, table, sends) => {
	const change = (node: WorkflowNode): WorkflowNode =>
		node.name === sends ? withOptions(node, { onOutcomeUnknown: 'fail' }) : named(node);
	const example = useExample({ file, publish: false, change });

	it('still says so after another run, which does not send it again', async () => {
		const rows = [{ phone: '61491573087' }, { phone: '61491574118' }];
		await example.withTables({ [table]: rows, [optOuts]: [importRan] });
		const path = '/v2/sms';
		await example.control.addFault({ match: { path, nth: 1 }, fault: 'custom', status: 500 });
		for (let run = 0; run < 2; run++) await example.run("When clicking 'Execute workflow'");

		expect(await example.control.messages()).toHaveLength(1);
		const reasons = (await example.rows(table)).map(({ reason }) => reason);
		expect(new Set(reasons)).toEqual(new Set([expect.stringContaining('did not confirm'), null]));
	});
});

const withTexts: Array<[file: string, table: string, settings: string]> = [
	['send-to-contacts.json', contacts, 'Campaign'],
	['campaign.json', campaignTable, 'Campaign'],
	['campaign-bulk.json', 'Kudosity bulk campaign', 'Campaign'],
	['ask-thousands.json', 'Kudosity answers', 'Settings'],
];

/** None, and one with a placeholder that nothing is put in for. */
const wrongTexts: Array<[text: string, reason: string]> = [
	[' ', 'as text'],
	['Hi {Vorname}, 20% off', 'placeholder'],
];

describe.each(
	withTexts.flatMap((example) => wrongTexts.map((wrong) => [...example, ...wrong] as const)),
)('%s, with a table %s, and in %s the text “%s”', (file, table, settings, wrong, reason) => {
	const change = (node: WorkflowNode): WorkflowNode => {
		if (node.name !== settings) return node;
		const text = JSON.stringify(named(node).parameters).replace(
			/("name":"text","value":)"[^"]+"/,
			`$1"${wrong}"`,
		);
		return { ...node, parameters: JSON.parse(text) as WorkflowNode['parameters'] };
	};
	const example = useExample({ file, publish: false, change });

	it('says what is wrong, and leaves the rows as they are', async () => {
		await example.withTables({ [table]: [{ phone: '61491573087' }], [optOuts]: [importRan] });
		const before = await example.rows(table);
		const { status, error } = await example.run("When clicking 'Execute workflow'");

		expect([status, error?.message]).toEqual(['error', expect.stringContaining(reason)]);
		expect(await example.rows(table)).toEqual(before);
	});
});

describe('send-to-contacts.json, as it comes', () => {
	const example = useExample({ file: 'send-to-contacts.json', publish: false });

	it('sends nothing before the campaign has a name', async () => {
		await example.withTables({ [contacts]: [{ phone: '61491573087' }], [optOuts]: [importRan] });
		const { status, error } = await example.run();

		expect(status).toBe('error');
		expect(error?.message).toContain('enter a name as campaign');
		expect(await example.control.messages()).toEqual([]);
	});
});
