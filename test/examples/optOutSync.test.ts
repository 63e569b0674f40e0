import { describe, expect, it } from 'vitest';
import { RCS_AGENT } from '../../playground/emulator/catalogue.ts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { exampleFiles } from '../helpers/exampleFiles.ts';
import { firstOf } from '../helpers/runsAll.ts';
import { useExample } from './useExample.ts';

const table = 'Kudosity opt-outs';

/** An event that says so. */
const sentTo = (recipient: unknown) => ({ opt_out: { source_message: { recipient } } });

describe('opt-out-sync.json', () => {
	const example = useExample({ file: 'opt-out-sync.json' });

	it('notes an opt-out by link, and one by STOP', async () => {
		const messageId = await example.sendSms('61491573087', { message_ref: 'autumn-offer' });
		await example.control.optOut(messageId);
		await example.control.reply(await example.sendSms('61491574118'), 'STOP');
		// STOP also arrives as a message.
		const executions = await example.executions(3);

		expect(executions.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
		const rows = await example.rows(table);
		expect(rows).toHaveLength(2);
		expect(rows).toEqual(
			expect.arrayContaining([
				expect.objectContaining({
					phone: '61491573087',
					source: 'LINK_HIT',
					message_ref: 'autumn-offer',
				}),
				expect.objectContaining({ phone: '61491574118', source: 'SMS_INBOUND' }),
			]),
		);
		expect(Date.parse(String(rows[0]?.opted_out_at))).toBeGreaterThan(Date.now() - 60_000);
	});

	it.each(
		firstOf(4, [
			['SMS', 'UNSUBSCRIBE'],
			['MMS', 'Quit'],
			['RCS', 'Opt-out!'],
			['WHATSAPP', 'END'],
			['SMS', 'Stop.'],
			['SMS', 'Cancel'],
		] as const),
	)('notes an opt-out by %s that arrives only as the message %j', async (channel, text) => {
		const to = channel === 'RCS' ? RCS_AGENT : '61491570006';
		await example.control.inbound({ channel, from: '61491574118', to, text });
		const [execution] = await example.executions(1);

		expect([execution?.status, execution?.error]).toEqual(['success', undefined]);
		expect(await example.rows(table)).toMatchObject([
			{ phone: '61491574118', source: `${channel}_INBOUND` },
		]);
	});

	it.each(['6572234567', '15555550123'])(
		'notes an opt-out by %s, which is in no numbering plan',
		async (from) => {
			await example.control.inbound({ from, to: '61491570006', text: 'Unsubscribe' });
			const [execution] = await example.executions(1);

			expect([execution?.status, execution?.error]).toEqual(['success', undefined]);
			expect(await example.rows(table)).toMatchObject([{ phone: from, source: 'SMS_INBOUND' }]);
		},
	);

	it('names the message that an opt-out keyword answers', async () => {
		const sent = await example.sendSms('61491574118', { message_ref: 'autumn-offer' });
		await example.control.reply(sent, 'Unsubscribe');
		await example.executions(1);

		expect(await example.rows(table)).toMatchObject([
			{ phone: '61491574118', source: 'SMS_INBOUND', message_ref: 'autumn-offer' },
		]);
	});

	it.each(['STOP', 'Unsubscribe'])(
		'keeps one row of a %s, also when its events are delivered twice',
		async (text) => {
			await example.control.settings({ duplicateEvents: true });
			await example.control.reply(await example.sendSms('61491574118'), text);
			const executions = await example.executions(text === 'STOP' ? 4 : 2);

			expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['success']));
			expect(await example.rows(table)).toMatchObject([
				{ phone: '61491574118', source: 'SMS_INBOUND' },
			]);
		},
	);

	it.each(firstOf(1, ['When does it end?', 'Yes']))('makes no row of %j', async (text) => {
		await example.control.inbound({ from: '61491574118', to: '61491570006', text });
		const [execution] = await example.executions(1);

		expect(execution?.status).toBe('success');
		expect(await example.rows(table)).toEqual([]);
	});

	it('fails loudly for a message that cannot be read', async () => {
		await example.control.emit({ event_type: 'SMS_INBOUND', overrides: { mo: null } });
		const [execution] = await example.executions(1);

		expect(execution?.status).toBe('error');
		expect(execution?.error?.message).toMatch(/by hand/);
	});

	it('keeps one row for each number when every event is delivered twice', async () => {
		await example.control.settings({ duplicateEvents: true });
		await example.control.optOut(await example.sendSms('61491573087'));
		const executions = await example.executions(2);

		expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
		expect(await example.rows(table)).toMatchObject([{ phone: '61491573087' }]);
	});

	it.each(
		firstOf(3, [
			['without a number', sentTo(null)],
			['of another shape', { opt_out: null }],
			['from a short number, which no campaign can read', sentTo('62275')],
			['from a sender name', sentTo('PIZZA')],
			['with an empty number', sentTo('')],
			['with something else in place of a number', sentTo({ id: 7 })],
			['with a number that no campaign would find', sentTo('0491 570 156')],
		] as Array<[string, Record<string, unknown>]>),
	)('fails loudly for an event %s, and makes no row without one', async (_, overrides) => {
		await example.control.emit({ event_type: 'OPT_OUT', overrides });
		const [execution] = await example.executions(1);

		expect(execution?.status).toBe('error');
		expect(execution?.error?.message).toMatch(/by hand/);
		expect(await example.rows(table)).toEqual([]);
	});

	it('notes an opt-out whose time cannot be read', async () => {
		const overrides = { timestamp: 'yesterday', ...sentTo('61491574118') };
		await example.control.emit({ event_type: 'OPT_OUT', overrides });
		const [execution] = await example.executions(1);

		expect([execution?.status, execution?.error]).toEqual(['success', undefined]);
		expect(await example.rows(table)).toMatchObject([{ phone: '61491574118' }]);
	});

	it('runs in the editor on its pinned event', async () => {
		const { status } = await example.run('Opt-out');

		expect(status).toBe('success');
		expect(await example.rows(table)).toMatchObject([{ phone: '61491575254', source: 'SAMPLE' }]);
	});

	it('notes once that the import ran', async () => {
		await example.run('Import what is there');
		const { status } = await example.run('Import what is there');

		expect(status).toBe('success');
		const marks = (await example.rows(table)).filter(({ source }) => source === 'IMPORT_RAN');
		expect(marks).toMatchObject([{ phone: null }]);
	});

	it('notes that an import began, until it is done', async () => {
		await example.run('Import what is there');
		const fault = {
			fault: 'status403',
			match: { path: '/get-list.json', count: 'forever' },
		} as const;
		await example.control.addFault(fault);
		const { status } = await example.run('Import what is there');

		expect(status).toBe('error');
		const marks = (await example.rows(table)).flatMap(({ phone, source }) => (phone ? [] : source));
		expect(marks).toEqual(['IMPORT_RAN', 'IMPORT_STARTED']);
	});

	it('notes that the import ran also where it finds nobody', async () => {
		await example.control.settings({ lists: 0 });
		const { status } = await example.run('Import what is there');

		expect(status).toBe('success');
		expect(await example.rows(table)).toMatchObject([{ phone: null, source: 'IMPORT_RAN' }]);
	});

	it('takes over who opted out before, each once, and leaves rows alone that are there', async () => {
		await example.control.settings({ listMembers: 130 });
		await example.control.optOut(await example.sendSms('61491573087'));
		await example.executions(1);
		await example.inAllLists('optOut', '61491574118');
		await example.inAllLists('delete', '61491575254');
		const { status, error } = await example.run('Import what is there');

		expect([status, error]).toEqual(['success', undefined]);
		const rows = await example.rows(table);
		const phones = rows.map(({ phone }) => phone);
		expect(new Set(phones).size).toBe(phones.length);
		// Active in one list, and deleted from another.
		expect(phones).not.toContain('61491575789');
		expect(rows).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ phone: '61491573087', source: 'LINK_HIT' }),
				expect.objectContaining({ phone: '61491574118', source: 'LIST_OPTOUT' }),
				// Active in one list, and opted out of another.
				expect.objectContaining({ phone: '61491574632', source: 'LIST_OPTOUT' }),
				expect.objectContaining({ phone: '61491575254', source: 'LIST_INACTIVE' }),
			]),
		);
	});
});

describe('opt-out-sync.json, with a contact in a list whose number cannot be read', () => {
	const contacts = [
		{ msisdn: '62275', status: 'optout' },
		{ msisdn: '61491574118', status: 'optout' },
	];
	const change = (node: WorkflowNode): WorkflowNode =>
		node.name === 'Get their contacts'
			? {
					...node,
					type: 'n8n-nodes-base.code',
					typeVersion: 2,
					credentials: {},
					parameters: { jsCode: `return ${JSON.stringify(contacts.map((json) => ({ json })))}` },
				}
			: node;
	const example = useExample({ file: 'opt-out-sync.json', publish: false, change });

	it('notes all others, and then says that there is one', async () => {
		const { status, error } = await example.run('Import what is there');

		expect(status).toBe('error');
		expect(error?.message).toContain('1 of those who opted out in your lists');
		expect(await example.rows(table)).toMatchObject([
			{ phone: '61491574118', source: 'LIST_OPTOUT' },
			{ phone: null, source: 'IMPORT_RAN' },
		]);
	});
});

describe('opt-out-sync.json, where CANCEL is an answer', () => {
	/** As its note says. */
	const notes = exampleFiles['opt-out-sync.json']!.nodes.map(
		({ parameters }) => parameters.content,
	);
	const [, condition = ''] = /put `(.+?)` into/.exec(notes.join('')) ?? [];
	const change = (node: WorkflowNode): WorkflowNode => {
		if (node.name !== 'Opt-out or opt-out keyword') return node;
		const text = JSON.stringify(node.parameters).replace(
			'{{ $json.isOptOutKeyword !== false }}',
			condition,
		);
		return { ...node, parameters: JSON.parse(text) as WorkflowNode['parameters'] };
	};
	const example = useExample({ file: 'opt-out-sync.json', change });

	it('leaves CANCEL alone, and notes all others', async () => {
		const to = '61491570006';
		await example.control.inbound({ from: '61491573087', to, text: 'Cancel' });
		await example.control.inbound({ from: '61491574118', to, text: 'Quit' });
		await example.control.optOut(await example.sendSms('61491575254'));
		const executions = await example.executions(3);

		expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['success']));
		const phones = (await example.rows(table)).map(({ phone }) => phone);
		expect(phones.sort()).toEqual(['61491574118', '61491575254']);
	});
});
