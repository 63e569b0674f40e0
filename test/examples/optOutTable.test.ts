import { describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import {
	campaignTable,
	importRan,
	isClock,
	named,
	sendingNow,
	withOptions,
} from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const optOuts = 'Kudosity opt-outs';
const byHand = "When clicking 'Execute workflow'";

/** What sends to many: its people stand in a table, or in the node Offer. */
const examples = [
	{ file: 'campaign.json', table: campaignTable, send: 'Send SMS' },
	{ file: 'campaign-bulk.json', table: 'Kudosity bulk campaign', send: 'Send bulk SMS' },
	{ file: 'click-follow-up.json', table: undefined, send: 'Send SMS' },
	{ file: 'ask-thousands.json', table: 'Kudosity answers', send: 'Ask' },
];

const person = (index: number) => String(61491570000 + index);

/** As a number gets into a table, and can be read without knowing the country. */
const readable = [
	(phone: string) => `${phone}\r`,
	(phone: string) => `\u202a+${phone}\u202c`,
	(phone: string) => `+${phone.slice(0, 2)} ${phone.slice(2)}`,
	(phone: string) => `${phone}\n`,
	(phone: string) => `\ufeff${phone}`,
	(phone: string) => `6\u200b${phone.slice(1)}`,
	(phone: string) => `+61\u2013${phone.slice(2)}`,
	(phone: string) => `+61\u2009${phone.slice(2)}`,
	(phone: string) => `61\u00b7${phone.slice(2, 6)}\u00b7${phone.slice(6)}`,
	(phone: string) => phone.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
	(phone: string) => phone.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit))),
	(phone: string) => `${phone}.0`,
	(phone: string) => `'${phone}`,
];

const unreadable = [
	null,
	'\u200b61491570\u00ad156;\r',
	'',
	'61491570156;',
	'61491570_156',
	'61491|570156',
	'M: 61491570156',
	'0491570156',
	'491570156',
	'61,491,570,156',
	'n/a',
	'none',
];

describe.each(examples)('$file', ({ file, table, send }) => {
	const isWhole = file === 'campaign.json';
	const spellings = isWhole ? readable : readable.slice(0, 2);
	/** The last one has not opted out. */
	const people = [...spellings.keys(), 100].map(person);
	const change = (node: WorkflowNode): WorkflowNode => {
		// So that nobody of the first ones gets a message.
		if (node.type.endsWith('.splitInBatches'))
			return { ...node, parameters: { ...node.parameters, batchSize: 2 } };
		if (node.name === send && 'dryRun' in ((node.parameters.options ?? {}) as object))
			return withOptions(node, { dryRun: 'never' });
		if (node.name !== 'Offer') return named(isClock(node) ? sendingNow(node) : node);
		const text = JSON.stringify(node.parameters).replace(
			JSON.stringify('["61491578888"]'),
			JSON.stringify(JSON.stringify(people)),
		);
		return { ...node, parameters: JSON.parse(text) as WorkflowNode['parameters'] };
	};
	const example = useExample({ file, publish: false, change });
	// Only campaigns have time zones: in UTC it is always a good hour.
	const rows = people.map((phone) => ({ phone, ...(isWhole && { time_zone: 'UTC' }) }));
	const contacts = table === undefined ? {} : { [table]: rows };

	/** Nothing is sent, and no row taken. */
	const expectStop = async (...reasons: string[]) => {
		const before = table && (await example.rows(table));
		const { status, error, nodes } = await example.run(byHand);

		expect(await example.control.messages()).toEqual([]);
		expect(status).toBe('error');
		for (const reason of reasons) expect(error?.message).toContain(reason);
		expect(nodes[send]).toBeUndefined();
		expect(table && (await example.rows(table))).toEqual(before);
	};

	it('sends nothing while no opt-out is known, and says why', async () => {
		await example.withTables(contacts);
		await expectStop('has no opt-outs', 'same project', 'Keep opt-outs in a Data Table');
		await example.insert(optOuts, [{ phone: person(101), source: 'SAMPLE' }]);
		await expectStop('has no opt-outs');
	});

	it('sends nothing while the import of opt-outs is under way, or was interrupted', async () => {
		const imported = [{ phone: person(102), source: 'LIST_OPTOUT' }, importRan];
		const second = [{ phone: null, source: 'IMPORT_STARTED' }];
		await example.withTables({ ...contacts, [optOuts]: [...imported, ...second] });
		await expectStop('did not finish', 'run it again', 'IMPORT_RAN');
	});

	it('sends nothing while an opt-out is blank or cannot be read, and names the rows', async () => {
		const [first, second, ...others] = unreadable;
		await example.withTables({ ...contacts, [optOuts]: [{ phone: first }] });
		await expectStop('1 of the rows', 'row 1 ""');
		const more = isWhole ? [second, ...others] : [second];
		await example.insert(optOuts, [importRan, ...more.map((phone) => ({ phone }))]);
		const shown = 'row 3 "⟨U+200B⟩61491570⟨U+00AD⟩156;⟨U+000D⟩"';
		await expectStop(`${more.length + 1} of the rows`, shown);
		if (isWhole) await expectStop('row 4 ""', 'row 11 "61,491,570,156" and others');
	});

	it('leaves out whoever opted out, however it is written, and puts the table right', async () => {
		const optedOut = spellings.map((spell, index) => ({ phone: spell(person(index)) }));
		await example.withTables({ ...contacts, [optOuts]: [...optedOut, importRan] });
		const { status, error } = await example.run(byHand);

		expect([status, error]).toEqual(['success', undefined]);
		const sent = (await example.control.accepted()).map(({ recipient }) => recipient);
		expect(sent).toEqual(people.slice(-1));
		const kept = (await example.rows(optOuts)).map(({ phone, source }) => phone ?? source);
		expect(kept).toEqual([...people.slice(0, -1), 'IMPORT_RAN', 'CHECKED']);
	});
});
