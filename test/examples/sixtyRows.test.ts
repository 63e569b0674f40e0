import { describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { sixtyRows } from '../fixtures/sixtyRows.ts';
import {
	campaignTable,
	importRan,
	isClock,
	named,
	sendingNow,
	withOptions,
} from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const examples = [
	{ file: 'campaign.json', table: campaignTable },
	{ file: 'campaign-bulk.json', table: 'Kudosity bulk campaign' },
	{ file: 'send-to-contacts.json', table: 'Kudosity contacts' },
	{ file: 'ask-thousands.json', table: 'Kudosity answers' },
];

/** Why a row gets no message; undefined where it gets one. */
const reasons = sixtyRows.map(({ phone, type, isDuplicate, reason }) => {
	// A column of text has no tick box.
	if (reason !== null) return typeof phone === 'boolean' ? 'is not a phone number' : reason;
	if (isDuplicate) return 'Duplicate';
	return type === 'landline' ? 'Landline' : undefined;
});
const people = sixtyRows
	.filter((_, index) => reasons[index] === undefined)
	.map(({ number }) => number)
	.sort();

const sending = (node: WorkflowNode): WorkflowNode => {
	if (node.name === 'Send bulk SMS') return withOptions(node, { dryRun: 'never' });
	const isTimed = isClock(node) || 'dryRun' in Object(node.parameters.options);
	return isTimed ? sendingNow(node) : named(node);
};

it('is about 31 people, 2 landlines and 4 duplicates', () => {
	const count = (reason: string) => reasons.filter((each) => each === reason).length;
	expect([people.length, count('Landline'), count('Duplicate')]).toEqual([31, 2, 4]);
});

describe.each(examples)('$file, with a table from a spreadsheet', ({ file, table }) => {
	const example = useExample({ file, publish: false, change: sending });

	it('sends each person one message, and says of each other row why not', async () => {
		const zone = table === campaignTable && { time_zone: 'UTC' };
		const contacts = sixtyRows.map(({ phone }) => ({
			phone: phone === null ? null : String(phone),
			...zone,
		}));
		await example.withTables({ [table]: contacts, 'Kudosity opt-outs': [importRan] });
		const { status, error } = await example.run("When clicking 'Execute workflow'");

		expect([status, error]).toEqual(['success', undefined]);
		const sent = (await example.control.accepted()).map(({ recipient }) => recipient);
		expect(sent.sort()).toEqual(people);
		const told = (await example.rows(table)).map(({ reason }) => reason);
		expect(told).toEqual(
			reasons.map((reason) => (reason === undefined ? null : expect.stringContaining(reason))),
		);
	});
});
