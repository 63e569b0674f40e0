import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { importRan, withOptions } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const optOuts = 'Kudosity opt-outs';
const limits = 'Kudosity limits';
const own = '61491570006';
const owner = '61491570156';
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

const secret = { name: 'X-Token', value: 'made-up-for-this-test' };

/** With a credential for the webhook. `post` resolves to the status of the answer. */
const useWebhook = (file: string, way: string, change = live) => {
	let credentials: WorkflowNode['credentials'];
	const example = useExample({
		file,
		change: (node) => (node.name === way ? { ...node, credentials } : change(node)),
	});
	beforeAll(async () => {
		const type = 'httpHeaderAuth';
		const { id, name } = await example.rest.createCredential({ name: file, type, data: secret });
		credentials = { [type]: { id, name } };
	});
	const post = async (body: object, token = secret.value) => {
		const response = await fetch(`${example.url}/webhook/${example.webhookId(way)}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', [secret.name]: token },
			body: JSON.stringify(body),
		});
		return response.status;
	};
	beforeEach(async () => await example.withTables({ [optOuts]: [importRan, { phone: stopped }] }));
	return { example, post };
};

describe('missed-call.json', () => {
	const { example, post } = useWebhook('missed-call.json', 'Missed call', (node) =>
		node.name === 'Settings'
			? replaced(
					replaced(node, '"per_hour","value":20', '"per_hour","value":3'),
					'[\\"61491570006\\"]',
					'[\\"61491570006\\", \\"0491 570 157\\", \\"\\", \\"Shop66\\"]',
				)
			: live(node),
	);
	const recipients = async () =>
		(await example.control.messages()).map(({ recipient }) => recipient);

	it('texts a caller back once a day, and nobody without the header', async () => {
		expect(await post({ from: '0491 571 266', to: own }, 'wrong')).toBe(403);
		expect(await post({ from: '0491 571 266', to: own })).toBe(200);
		await example.executions(1);
		await post({ From: '+61491571266' });
		const [, second] = await example.executions(2);

		expect(second?.status).toBe('success');
		expect(await example.control.messages()).toMatchObject([
			{ sender: own, recipient: kim, text: expect.stringContaining('Sorry we missed your call') },
		]);
	});

	it('texts no landline, no number abroad, none of its own, and nobody who opted out', async () => {
		const abroad = '+44 7700 900123';
		const callers = ['02 5550 1234', abroad, own, '61491570157', 'anonymous', undefined, stopped];
		for (const from of callers) await post({ from });
		await post({ from: kim, to: `+${kim}` });
		await post({ from: kim, to: '0491 571 266' });
		const executions = await example.executions(callers.length + 2);

		expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['success']));
		expect(await recipients()).toEqual([]);
		expect(await example.rows(limits)).toEqual([]);
	});

	it('stops at the limit of the hour, also when all call at once, and tells the owner once', async () => {
		const callers = Array.from({ length: 6 }, (_, index) => String(61491000000 + index));
		await Promise.all(callers.map(async (from) => await post({ from })));
		const executions = await example.executions(callers.length);

		expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['success']));
		const texted = await recipients();
		expect(texted.filter((to) => callers.includes(to))).toHaveLength(3);
		expect(texted.filter((to) => to === owner)).toHaveLength(1);
		expect((await example.rows(limits)).find(({ total }) => total !== null)).toMatchObject({
			name: 'missed calls',
			hour_count: 6,
			day_count: 3,
			total: 6,
		});
	});

	it('stops at the limit of the day', async () => {
		await post({ from: sam });
		await example.executions(1);
		await example.updateRows(limits, { day_count: 200 });
		await post({ from: kim });
		await example.executions(2);

		expect(await recipients()).toEqual([sam, owner]);
	});
});

describe('missed-call.json, in a country that does not tell mobiles from landlines', () => {
	const { example, post } = useWebhook('missed-call.json', 'Missed call', (node) =>
		node.name === 'Settings'
			? replaced(node, '"country","value":"AU"', '"country","value":"us "')
			: live(node),
	);

	it('texts callers back who are in it', async () => {
		for (const from of ['(202) 555-0143', '+1 416 555 0123', kim]) await post({ from });
		await example.executions(3);

		const sent = (await example.control.messages()).map(({ recipient }) => recipient);
		expect(sent).toEqual(['12025550143']);
	});
});

/** As on schedule. */
const scheduled = (node: WorkflowNode) =>
	live(
		replaced(
			replaced(node, "$execution.mode === 'test' ||", ''),
			"$execution.mode === 'test' ? 'test' :",
			'',
		),
	);

describe('hubspot-form-leads.json', () => {
	const lead = (mobilephone: string | null, minutesAgo: number, more: object = {}) => ({
		properties: {
			mobilephone,
			phone: null,
			sms_consent: 'true',
			recent_conversion_date: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
			...more,
		},
	});
	const file = 'hubspot-form-leads.json';
	const leads = [
		lead('0491 570 110', 1, { sms_consent: 'false' }),
		lead('0491 570 156', 1, { sms_opt_out: 'true' }),
		lead(stopped, 1),
		lead('02 5550 1234', 1),
		lead(own, 1),
		lead('+44 7700 900123', 1),
		lead('0491 570 157', 1, { recent_conversion_date: null }),
		lead('0491 573 770', 2),
		lead(null, 3, { phone: `+${kim}` }),
		lead('0491 570 159', 61),
	];
	const pin = { 'Latest form leads': leads };
	const opened = { [optOuts]: [importRan, { phone: stopped }] };
	const example = useExample({ file, publish: false, pin, change: scheduled });

	it('answers one lead a minute, each once a day, the latest first, with nothing from the form', async () => {
		await example.withTables(opened);
		const texted = async () => {
			expect((await example.run()).status).toBe('success');
			return (await example.control.messages()).map(({ recipient }) => recipient);
		};

		expect(await texted()).toEqual([sam]);
		expect(await texted()).toEqual([sam, kim]);
		expect(await texted()).toEqual([sam, kim]);
		const [message] = await example.control.messages();
		expect(message?.text).toMatch(/^This is Acme\. Thank you for your question!/);
	});

	it('stops at the limit of the hour, and tells the owner once', async () => {
		await example.withTables(opened);
		await example.run();
		await example.updateRows(limits, { hour_count: 20 });
		await example.run();
		await example.run();

		const messages = await example.control.messages();
		expect(messages.map(({ recipient }) => recipient)).toEqual([sam, owner]);
	});

	const asItComes = useExample({ file, publish: false });

	it('runs a sample through in the editor, sends nothing, and notes nobody for today', async () => {
		await asItComes.withTables(opened);
		const { status, nodes } = await asItComes.run();

		expect(status).toBe('success');
		expect(nodes['Send SMS']?.items[0]?.json).toMatchObject({ dryRun: true, recipient: kim });
		expect(await asItComes.control.messages()).toEqual([]);
		const days = (await asItComes.rows(limits)).map(({ day, total }) => [day, total === null]);
		expect(days).toContainEqual(['test', true]);
	});
});

describe('hubspot-form-leads.json, after midnight', () => {
	const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
	const properties = {
		mobilephone: sam,
		sms_consent: 'true',
		recent_conversion_date: `${day}T16:00:00.000Z`,
	};
	const example = useExample({
		file: 'hubspot-form-leads.json',
		publish: false,
		pin: { 'Latest form leads': [{ properties }] },
		change: (node) => scheduled(replaced(node, 'hours: 1', 'hours: 48')),
	});

	it('does not answer the leads of the last hour again', async () => {
		const answered = [{ name: `HubSpot lead ${sam}`, day }];
		await example.withTables({ [optOuts]: [importRan], [limits]: answered });
		expect((await example.run()).status).toBe('success');
		expect(await example.control.messages()).toEqual([]);

		await example.updateRows(limits, { day: '2026-01-31' });
		for (let run = 0; run < 2; run++) await example.run();
		expect(await example.control.messages()).toHaveLength(1);
	});

	const today = { ...properties, recent_conversion_date: new Date().toISOString() };
	const twice = useExample({
		file: 'hubspot-form-leads.json',
		publish: false,
		pin: { 'Latest form leads': [{ properties: today }, { properties }] },
		change: (node) => scheduled(replaced(node, 'hours: 1', 'hours: 48')),
	});

	it('counts two contacts with the same number as one, so that others get their turn', async () => {
		await twice.withTables({ [optOuts]: [importRan] });
		for (let run = 0; run < 3; run++) expect((await twice.run()).status).toBe('success');
		expect(await twice.control.messages()).toHaveLength(1);
		expect((await twice.rows(limits)).map(({ total }) => total)).toContain(1);
	});
});

describe('shopify-order-shipped.json', () => {
	const parcel = { id: 1, order_id: 2, name: '#1001.1', tracking_url: 'https://example.com/t' };
	const to = (phone: string | null, id: number) => ({
		...parcel,
		id,
		destination: { country_code: 'AU', phone },
	});
	const example = useExample({
		file: 'shopify-order-shipped.json',
		publish: false,
		pin: { 'Order shipped': [to('0491 571 266', 1), to(null, 2), to('02 5550 1234', 3)] },
		change: live,
	});

	it('texts the tracking link once for each parcel, and says who gets none', async () => {
		const { status, nodes } = await example.run();
		await example.run();

		expect(status).toBe('success');
		expect(await example.control.messages()).toMatchObject([
			{
				recipient: kim,
				message_ref: 'order-2',
				text: 'Your Acme order #1001 is on its way. Track it: https://example.com/t',
			},
		]);
		expect(nodes['No text']?.items.map(({ json }) => json.reason)).toEqual([
			expect.stringContaining('empty'),
			'Landline: it gets no SMS',
		]);
	});
});

describe('review-request.json', () => {
	const { example, post } = useWebhook('review-request.json', 'Order delivered', (node) =>
		node.name === 'Three days later'
			? { ...node, parameters: { ...node.parameters, dateTime: '={{ $now.toISO() }}' } }
			: live(node),
	);

	it('asks each customer once, however often they order, and nobody who opted out', async () => {
		expect(await post({ phone: kim }, 'wrong')).toBe(403);
		for (const phone of [kim, `+${kim}`, sam, stopped, 'none']) {
			expect(await post({ phone })).toBe(200);
		}
		const executions = await example.executions(5);

		expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['success']));
		const messages = await example.control.messages();
		expect(messages.map(({ recipient }) => recipient).sort()).toEqual([kim, sam]);
	});

	const asItComes = useWebhook('review-request.json', 'Order delivered');

	it('waits until the third day, but not in the editor', async () => {
		const { rest, control } = asItComes.example;
		const { status, workflowId } = await asItComes.example.run();
		expect(status).toBe('success');
		expect(await control.messages()).toHaveLength(1);

		await asItComes.post({ phone: sam });
		const waiting = async () => {
			const all = await rest.listExecutions({ workflowId });
			return all.find((execution) => execution.status === 'waiting')?.waitTill;
		};
		await expect.poll(waiting, { timeout: 30_000 }).toBeTruthy();
		const days = (Date.parse(String(await waiting())) - Date.now()) / 86_400_000;
		expect(days).toBeGreaterThan(2.3);
		expect(days).toBeLessThan(3.7);
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

/** The last whole minute of it. */
const endOfToday = () => {
	const format = new Intl.DateTimeFormat('en-US', { timeZone });
	const minutes = Array.from(
		{ length: 26 * 60 },
		(_, each) => new Date(Date.now() + each * 60_000),
	);
	return minutes.findLast((each) => format.format(each) === format.format(new Date()))!;
};

describe('calendar-reminders.json', () => {
	const start = { dateTime: new Date(Date.now() + 86_400_000).toISOString() };
	const event = (id: string, description: string | undefined, more: object = { start }) => ({
		id,
		summary: `Haircut ${id}`,
		description,
		...more,
	});
	const file = 'calendar-reminders.json';
	const events = [
		event('a', 'Phone (Kim):&nbsp;\u202a0491&nbsp;573\u00a0770\u202c'),
		event('b', '<b>Mobile:</b> <a href="tel:+61491571266">+61 491 571 266</a><br>Room 12'),
		event('c', 'No phone. Order 0491 570 159'),
		event('d', 'Phone: 0491 570 159', { start: { date: '2099-01-01' } }),
		event('e', undefined),
		// Until after midnight.
		event('f', 'Phone: 0491 570 159', { start: { dateTime: endOfToday().toISOString() } }),
	];
	const pin = { "Tomorrow's appointments": events };
	const example = useExample({
		file,
		publish: false,
		pin,
		change: writing('Note the answer', (node) =>
			node.name === 'Question'
				? replaced(node, "$execution.mode === 'test' ? 'always' : 'never'", "'never'")
				: node,
		),
	});

	it('asks each person about tomorrow, and notes the answer of each', async () => {
		expect((await example.run()).status).toBe('success');
		await example.control.waitForMessages({}, { count: 2, timeoutMs: 60_000 });
		const texts = (await example.control.messages()).map(({ recipient, text }) => [
			recipient,
			text,
		]);
		expect(texts.sort()).toEqual(
			[kim, sam].map((to) => [
				to,
				expect.stringMatching(/ You have an appointment tomorrow at \d+:\d\d [AP]M\./),
			]),
		);
		await example.control.inbound({ from: kim, to: own, text: 'No thanks' });
		await example.control.inbound({ from: sam, to: own, text: 'Yes!' });
		const executions = await example.executions(3);

		const noted = executions.flatMap(({ nodes }) => nodes['Note the answer']?.items ?? []);
		expect(noted.map(({ json }) => [json.eventId, json.summary]).sort()).toEqual([
			['a', 'Confirmed: Haircut a'],
			['b', 'Declined: Haircut b'],
		]);
	});

	const asItComes = useExample({
		file,
		publish: false,
		pin,
		change: writing('Note the answer', (node) => node),
	});

	it('asks nobody in the editor', async () => {
		await asItComes.run();
		const executions = await asItComes.executions(3);

		expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['success']));
		expect(executions.flatMap(({ nodes }) => nodes['Note the answer']?.items ?? [])).toEqual([]);
		expect(await asItComes.control.messages()).toEqual([]);
	});
});
