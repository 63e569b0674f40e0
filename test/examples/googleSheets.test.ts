import { describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { sevenOptOuts, sixtyRows, theirSpellings } from '../fixtures/sixtyRows.ts';
import { optOutsTable, sending } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const file = 'google-sheets.json';

/** In place of Google, puts out what would be written. */
const written = (node: WorkflowNode): WorkflowNode => {
	if (node.name !== 'Write the result') return node;
	const { documentId, sheetName, columns } = node.parameters as Record<string, { value: object }>;
	const values = { ...columns!.value, document: documentId!.value, sheet: sheetName!.value };
	const assignments = Object.entries(values).map(([name, value]) => ({
		...{ id: name, name, value },
		type: 'string',
	}));
	return {
		...node,
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { assignments: { assignments }, options: { ignoreConversionErrors: true } },
	};
};

const address =
	'https://docs.google.com/spreadsheets/d/1a2b3c4d5e6f7g8h9i0j1a2b3c4d5e6f7g8h9i0jabcd/edit';

/** What a person enters. */
const set = (node: WorkflowNode): WorkflowNode => {
	if (node.name !== 'Get rows') return written(node);
	const documentId = { __rl: true, mode: 'url', value: address };
	return { ...node, parameters: { ...node.parameters, documentId } };
};

const row = (row_number: number, phone: unknown, message: unknown, more: object = {}) => ({
	...{ row_number, phone, message, outcome: '', reason: '', can_retry: '', message_id: '' },
	...more,
});

const rows = [
	row(2, '0491 570 156', 'Hi Sam'),
	row(3, 61491570157, 'Hi Kim'),
	row(4, '+61 491 570 156', 'Hi Sam '),
	row(5, '61491570159', 'Had it', { outcome: 'sent', can_retry: false }),
	row(6, '61491570158', 'Opted out'),
	row(7, '+44 7700 900123', 'Abroad'),
	row(8, '61491570110', '#N/A'),
	row(9, '61491570110', 'Later', { outcome: 'notSent', can_retry: 'TRUE' }),
	row(10, '61491570110', 'Later, too', { outcome: 'notSent', can_retry: true }),
	row(11, '61491570110', ''),
];

type Executed = Awaited<ReturnType<ReturnType<typeof useExample>['run']>>;

const results = ({ nodes }: Executed) =>
	nodes['Write the result']!.allItems.map(({ json }) => json);

describe('google-sheets.json', () => {
	const example = useExample({ file, publish: false, pin: { 'Get rows': rows }, change: set });
	const filled = { [optOutsTable]: [{ phone: '61491570158' }, { phone: '61491570313' }] };

	it('sends each new row once, and says what became of it', async () => {
		await example.withTables(filled);
		await example.run();
		expect(await example.control.messages()).toEqual([]);

		await example.edit(sending());
		const execution = await example.run();
		expect(execution.error).toBeUndefined();
		const sent = (await example.control.messages()).map(({ recipient, text }) => [recipient, text]);
		expect(sent).toEqual([
			['61491570156', 'Hi Sam'],
			['61491570157', 'Hi Kim'],
			['61491570110', 'Later'],
			['61491570110', 'Later, too'],
		]);
		const place = { document: address, sheet: 'Sheet1' };
		expect(results(execution)).toMatchObject([
			{ row_number: '2', outcome: 'sent', ...place },
			{ row_number: '3', outcome: 'sent' },
			{ row_number: '4', outcome: 'alreadySent' },
			{ row_number: '6', outcome: 'skipped', reason: expect.stringContaining('Blocked') },
			{ row_number: '7', outcome: 'notSent', reason: expect.stringContaining('Allowed') },
			{ row_number: '8', outcome: 'notSent', reason: expect.stringContaining('#N/A') },
			{ row_number: '9', outcome: 'sent' },
			{ row_number: '10', outcome: 'sent' },
			{ row_number: '11', outcome: 'notSent', reason: expect.stringContaining('Message') },
		]);

		await example.run();
		expect(await example.control.messages()).toHaveLength(4);
	});
});

describe('google-sheets.json, with the sixty rows of a spreadsheet', () => {
	const sheet = sixtyRows.map(({ phone, name }, index) =>
		row(index + 2, phone, `Hi ${name || 'there'}`),
	);
	const example = useExample({ file, publish: false, pin: { 'Get rows': sheet }, change: set });

	it.each([
		[31, []],
		[24, theirSpellings],
	])('sends %d people one message', async (count, blocked) => {
		await example.withTables({ [optOutsTable]: blocked.map((phone) => ({ phone })) });
		const allowEmptyList = blocked.length === 0;
		await example.edit(
			sending({ allowEmptyList, allowedRecipients: 'AU, GB, NZ, US', campaignName: 'autumn' }),
		);
		const execution = await example.run();

		expect(execution.error).toBeUndefined();
		const sent = (await example.control.accepted()).map(({ recipient }) => recipient);
		expect(sent).toHaveLength(count);
		expect(new Set(sent).size).toBe(count);
		if (blocked.length > 0) for (const each of sevenOptOuts) expect(sent).not.toContain(each);
		for (const { outcome, reason } of results(execution))
			if (outcome !== 'sent') expect(reason).toMatch(/\w+ \w+/);
	});
});
