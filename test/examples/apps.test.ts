import { describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { importRan, withOptions } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const optOuts = 'Kudosity opt-outs';
const own = '61491570006';
/** What the examples come with. n8n's own is another. */
const timeZone = 'Australia/Sydney';
const [sam, kim, stopped] = ['61491573770', '61491571266', '61491570158'] as const;

/** Sends in the editor, too. */
const live = (node: WorkflowNode): WorkflowNode =>
	node.parameters.resource === 'sms' ? withOptions(node, { dryRun: 'never' }) : node;

const replaced = (node: WorkflowNode, from: string, to: string): WorkflowNode => {
	const text = JSON.stringify(node.parameters);
	if (!text.includes(from)) return node;
	return { ...node, parameters: JSON.parse(text.replace(from, to)) as WorkflowNode['parameters'] };
};

/** Outputs what the app's node would write. */
const standIn = (node: WorkflowNode): WorkflowNode => {
	const { columns, eventId, updateFields } = node.parameters as {
		columns?: { value: object };
		eventId?: string;
		updateFields?: object;
	};
	const written = columns?.value ?? { eventId, ...updateFields };
	const assignments = Object.entries(written).map(([name, value]) => ({
		id: name,
		name,
		value: String(value),
		type: 'string',
	}));
	return {
		...node,
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { assignments: { assignments }, options: {} },
	};
};

const writing =
	(name: string, change = live) =>
	(node: WorkflowNode): WorkflowNode =>
		node.name === name ? standIn(node) : change(node);

const row = (row_number: number, phone: unknown, message: unknown, status = '') => ({
	row_number,
	phone,
	message,
	status,
	reason: '',
});

const rows = [
	row(2, '0491 573 770', 'Hi Sam'),
	row(3, 61491571266, 'Hi Kim'),
	row(4, '+61 491 573 770', 'Hi Sam\u00a0\r\n'),
	row(5, '61491570159', 'Had it', 'sent'),
	row(6, stopped, 'Opted out'),
	row(7, '12', 'No number'),
	row(8, '02 5550 1234', 'Landline'),
	row(9, '+44 7700 900123', 'Abroad'),
	row(10, '61491570159', '#N/A'),
	row(11, '61491570159', '#¿NOMBRE?'),
	row(12, '61491570159', '#VALEUR\u00a0!'),
	// An IF without the text for its other case.
	row(13, '61491570159', false),
	// A formula that imports from elsewhere.
	row(14, '61491570159', 'Loading...'),
];

describe('google-sheets.json', () => {
	const file = 'google-sheets.json';
	const opened = { [optOuts]: [importRan, { phone: stopped }] };
	const resultsOf = (nodes: Awaited<ReturnType<typeof example.run>>['nodes']) =>
		nodes['Write the result']!.allItems.map(({ json }) => json).sort(
			(a, b) => Number(a.row_number) - Number(b.row_number),
		);
	const example = useExample({
		file,
		publish: false,
		pin: { 'Get rows': rows },
		change: writing('Write the result'),
	});

	it('sends each row once, and says what happened to each', async () => {
		await example.withTables(opened);
		const { status, nodes } = await example.run();

		expect(status).toBe('success');
		const messages = await example.control.messages();
		expect(messages.map(({ sender, recipient, text }) => [sender, recipient, text])).toEqual([
			[own, sam, 'Hi Sam'],
			[own, kim, 'Hi Kim'],
		]);
		expect(resultsOf(nodes)).toMatchObject([
			{ row_number: '2', status: 'sent', reason: '' },
			{ row_number: '3', status: 'sent', reason: '' },
			{ row_number: '4', status: 'skipped', reason: expect.stringContaining('Deduplication Key') },
			{ row_number: '6', status: 'not sent', reason: 'Has opted out' },
			{
				row_number: '7',
				status: 'not sent',
				reason: expect.stringContaining('not a valid number'),
			},
			{ row_number: '8', status: 'not sent', reason: 'Landline: it gets no SMS' },
			{ row_number: '9', status: 'not sent', reason: expect.stringContaining('Allowed') },
			...['10', '11', '12', '13', '14'].map((row_number) => ({
				row_number,
				status: 'not sent',
				reason: expect.stringContaining('formula'),
			})),
		]);

		const again = await example.run();
		expect(await example.control.messages()).toHaveLength(2);
		expect(resultsOf(again.nodes)[0]).toMatchObject({ row_number: '2', status: 'skipped' });
	});

	const asItComes = useExample({
		file,
		publish: false,
		pin: { 'Get rows': rows },
		change: writing('Write the result', (node) => node),
	});

	it('sends nothing in the editor, and leaves the status of what it would send empty', async () => {
		await asItComes.withTables(opened);
		const { status, nodes } = await asItComes.run();

		expect(status).toBe('success');
		expect(await asItComes.control.messages()).toEqual([]);
		const results = resultsOf(nodes).map(({ status, reason }) => [status, reason]);
		expect(results.slice(0, 4)).toEqual([
			['', 'Dry run: would be sent'],
			['', 'Dry run: would be sent'],
			['', expect.stringMatching(/^Dry run: .*Deduplication Key/)],
			['not sent', 'Has opted out'],
		]);
	});
});

describe.each(['Status', 'Texted?'])('google-sheets.json, whose status is named %s', (name) => {
	const renamed = rows.map(({ status, ...each }) => ({ ...each, [name]: status || 'sent' }));
	const example = useExample({
		file: 'google-sheets.json',
		publish: false,
		// With a range of its own, n8n leaves out what is empty at the end of a row.
		pin: { 'Get rows': [{ row_number: 1, phone: sam, message: 'Hi Sam' }, ...renamed] },
		change: writing('Write the result'),
	});

	it('sends nothing, since what was sent can be neither read nor written, and says so', async () => {
		await example.withTables({ [optOuts]: [importRan] });
		const { error } = await example.run();

		expect(error?.message).toContain('a column with the exact name status');
		expect(await example.control.messages()).toEqual([]);
	});
});

describe('birthdays.json', () => {
	const table = 'Kudosity birthdays';
	const example = useExample({ file: 'birthdays.json', publish: false, change: live });
	const dayIn = (days: number) => {
		const at = new Date(Date.now() + days * 86_400_000);
		const [month, day] = new Intl.DateTimeFormat('en-US', {
			timeZone,
			month: 'numeric',
			day: 'numeric',
		})
			.format(at)
			.split('/');
		return { day: Number(day), month: Number(month) };
	};

	it('greets those whose birthday it is, once a year', async () => {
		await example.withTables({
			[optOuts]: [importRan, { phone: stopped }],
			[table]: [
				{ phone: '0491 571 266', first_name: 'Kim ', ...dayIn(0) },
				{ phone: sam, first_name: ' #N/A', ...dayIn(0) },
				{ phone: stopped, ...dayIn(0) },
				{ phone: '61491570159', ...dayIn(1) },
				{ phone: '61491570157', ...dayIn(-1) },
			],
		});
		const { status } = await example.run();
		await example.run();

		expect(status).toBe('success');
		const messages = await example.control.messages();
		expect(messages.map(({ recipient, text }) => [recipient, text])).toEqual([
			[kim, expect.stringMatching(/^Happy birthday, Kim! /)],
			[sam, expect.stringMatching(/^Happy birthday! /)],
		]);
	});

	it.each([
		['cannot be read', '0491 570 15', /^1 of today's greetings .* not a valid number/],
		['is a landline', '02 7010 1111', /^1 of today's greetings .* landline/],
	])('greets the others, and then says that a number %s', async (_, phone, message) => {
		await example.withTables({
			[optOuts]: [importRan],
			[table]: [phone, sam].map((phone) => ({ phone, ...dayIn(0) })),
		});
		const { status, error } = await example.run();

		expect([status, error?.message]).toEqual(['error', expect.stringMatching(message)]);
		expect((await example.control.messages()).map(({ recipient }) => recipient)).toEqual([sam]);
	});

	it('counts all who were not greeted, for whatever reason', async () => {
		await example.withTables({
			[optOuts]: [importRan],
			[table]: ['n/a', '02 7010 1111', '+44 7700 900123', sam].map((phone) => ({
				phone,
				...dayIn(0),
			})),
		});
		const { error } = await example.run();

		expect(error?.message).toMatch(/^3 of today's greetings .*Allowed Recipients/);
	});

	it('fails where somebody was not greeted who has not opted out', async () => {
		await example.withTables({ [optOuts]: [importRan], [table]: [{ phone: sam, ...dayIn(0) }] });
		await example.control.inbound({ from: sam, to: own, text: 'STOP' });
		expect((await example.run()).status).toBe('success');

		await example.insert(table, [{ phone: kim, ...dayIn(0) }]);
		await example.control.settings({ balance: 0 });
		const { status, error } = await example.run();
		expect([status, error?.message]).toEqual(['error', expect.stringContaining('balance')]);
	});
});

/** As a published workflow is started: without what the editor may do at any hour. */
const started = (hoursOff: number, zone = timeZone) => {
	const inEditor = "$execution.mode === 'test'";
	return (node: WorkflowNode): WorkflowNode => {
		if (node.name === 'Settings') return replaced(node, timeZone, zone);
		if (node.name !== 'At 10') return live(node);
		const hour = `={{ $now.setZone('${timeZone}').plus({ hours: ${hoursOff} }).hour }}`;
		const now = replaced(node, '"rightValue":10', `"rightValue":"${hour}"`);
		return replaced(now, inEditor, 'false');
	};
};

describe.each([
	['at its hour in its time zone', started(0), true, undefined],
	['at no other hour', started(12), false, undefined],
	[
		'nor in a time zone that does not exist, and says so',
		started(0, 'Sydney'),
		false,
		expect.stringContaining('write it like Australia/Sydney'),
	],
])('birthdays.json greets people %s', (_, change, goesOn, failure) => {
	const example = useExample({ file: 'birthdays.json', publish: false, change });

	it('as a published workflow is started', async () => {
		await example.withTables({ [optOuts]: [importRan] });
		const { nodes, error } = await example.run();
		expect(['Birthdays table' in nodes, error?.message]).toEqual([goesOn, failure]);
	});
});
