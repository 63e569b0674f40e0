import { describe, expect, it } from 'vitest';
import { exampleFiles } from '../helpers/exampleFiles.ts';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { firstOf } from '../helpers/runsAll.ts';
import { campaignTable, sendingNow } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const optOuts = 'Kudosity opt-outs';

/** What sends to many. Its people stand in the table, or in the workflow. */
const examples = [
	{ file: 'campaign.json', table: campaignTable, send: 'Send SMS' },
	{ file: 'campaign-bulk.json', table: 'Kudosity bulk campaign', send: 'Send bulk SMS' },
	{ file: 'send-to-contacts.json', table: 'Kudosity contacts', send: 'Send SMS' },
	// n8n 1 makes no tables.
	...(isCurrent ? [{ file: 'ask-thousands.json', table: undefined, send: 'Ask' }] : []),
];

/** Not as digits with country code, as people type or import them. */
const spellings = [
	'+61 491 573 087',
	'61491573087.0',
	'0491573087',
	'61-491573087',
	'61\u00a0491\u00a0573\u00a0087',
	"'61491573087",
	'61,491,573,087',
];

it('looks for odd spellings with the same node in all of them', () => {
	const nodes = examples.map(({ file }) =>
		exampleFiles[file]!.nodes.find(({ name }) => name === 'Opt-out in another spelling'),
	);
	expect(nodes.map((node) => node?.parameters)).toEqual(nodes.map(() => nodes[0]?.parameters));
	expect(nodes[0]?.parameters).toHaveProperty('filters');
});

const named = examples.map((example) => [example.file, example] as const);

describe.each(named)('%s', (file, { table, send }) => {
	const example = useExample({
		file,
		publish: false,
		change: (node) => (node.name === 'Business hours?' ? sendingNow(node) : node),
	});
	const trigger = table === undefined ? "When clicking 'Execute workflow'" : undefined;
	// Only campaigns have time zones: in UTC it is always a good hour.
	const person = { phone: '61491570156', ...(table === campaignTable && { time_zone: 'UTC' }) };
	const people = table === undefined ? {} : { [table]: [person] };

	/** Nothing is sent, and no row taken. */
	const expectStop = async (reason: RegExp | string) => {
		const before = table && (await example.rows(table));
		const { status, error, nodes } = await example.run(trigger);

		expect(status).toBe('error');
		// A text is to be in it.
		expect(error?.message).toMatch(reason);
		expect(nodes[send]).toBeUndefined();
		expect(await example.control.messages()).toEqual([]);
		expect(table && (await example.rows(table))).toEqual(before);
	};

	it('stops while nobody has opted out, as in the project of somebody else, and says why', async () => {
		await example.withTables(people);
		await expectStop(/"Kudosity opt-outs .*" is empty.*same project.*"Keep opt-outs/);
	});

	const tried = file === 'campaign.json' ? spellings : firstOf(1, spellings);

	it('stops while an opt-out is written in an odd way, and names it', async () => {
		const [first = '', ...others] = tried;
		const naming = (phone: string) => `the phone "${phone}" is not written as digits`;
		await example.withTables({
			...people,
			[optOuts]: [{ phone: '61491570158' }, { phone: first }],
		});
		await expectStop(naming(first));
		for (const phone of others) {
			await example.updateRows(optOuts, { phone });
			await expectStop(naming(phone));
		}
	});
});
