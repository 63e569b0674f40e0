import { describe, expect, it } from 'vitest';
import { withOptions } from './campaignNodes.ts';
import { firstOf } from '../helpers/runsAll.ts';
import { useExample } from './useExample.ts';

const inbox = 'Kudosity inbox';
const optOuts = 'Kudosity opt-outs';
const example = useExample({
	file: 'reply-routing.json',
	beside: ['opt-out-sync.json'],
});

const texted = '61491571266';
const contact = '61491576398';

const text = async (words: string) =>
	await example.control.inbound({ from: contact, to: texted, text: words });

describe('reply-routing.json', () => {
	it.each([
		['Yes', 'Thank you, you are confirmed'],
		['“Yes”! 👍🏽', 'Thank you, you are confirmed'],
		[' no. ', 'Your appointment is canceled'],
	])('answers %j from the number that was texted', async (words, answer) => {
		await text(words);
		const [execution] = await example.executions(1);

		expect(execution?.status).toBe('success');
		expect(await example.control.messages()).toMatchObject([
			{ sender: texted, recipient: contact, text: expect.stringContaining(answer) },
		]);
		expect(await example.rows(inbox)).toEqual([]);
	});

	it.each(firstOf(2, ['Stop', 'Stop.', 'Opt-out!']))(
		'gives no answer to %j, which the workflow beside it notes as an opt-out',
		async (words) => {
			await text(words);
			const [execution] = await example.executions(1);
			await example.executions(words === 'Stop' ? 2 : 1, 'opt-out-sync.json');

			expect([execution?.status, execution?.nodes['Which answer?']?.runs]).toEqual(['success', 1]);
			expect(await example.control.messages()).toEqual([]);
			expect(await example.rows(inbox)).toEqual([]);
			expect(await example.rows(optOuts)).toMatchObject([
				{ phone: contact, source: words.startsWith('Stop') ? 'stop' : 'keyword' },
			]);
		},
	);

	it.each([
		['No worries, yes! Can I bring a friend?'],
		['When does it end?'],
		['Yes?'],
		['Yes？'],
		['Yes 👎'],
		['Yes ❌'],
		['Yes/No'],
		// An opt-out keyword, but also the answer to a message about an appointment.
		['Cancel'],
	])('hands %j over to people', async (words) => {
		await text(words);
		const [execution] = await example.executions(1);

		expect(execution?.status).toBe('success');
		expect(await example.control.messages()).toEqual([]);
		expect(await example.rows(inbox)).toMatchObject([
			{ contact, sender: texted, text: words, answered: null },
		]);
	});

	it('answers YES by MMS, and hands a picture over', async () => {
		const mms = { from: contact, to: texted, channel: 'MMS' } as const;
		await example.control.inbound({ ...mms, text: 'Yes' });
		await example.control.inbound({ ...mms, text: '' });
		await example.executions(2);

		expect(await example.control.messages()).toMatchObject([
			{ sender: texted, recipient: contact },
		]);
		expect(await example.rows(inbox)).toMatchObject([{ contact, sender: texted, text: '' }]);
	});

	it('answers once, and keeps one row, when events are delivered twice', async () => {
		await example.control.settings({ duplicateEvents: true });
		await text('yes');
		await text('Who is this?');
		const executions = await example.executions(4);

		expect(executions.map(({ status }) => status)).not.toContain('error');
		expect(await example.control.messages()).toHaveLength(1);
		expect(await example.rows(inbox)).toHaveLength(1);
	});

	it('keeps the mark of an answered message when its event comes again', async () => {
		const emission = {
			event_type: 'SMS_INBOUND' as const,
			overrides: { mo: { id: 'inbound-1', message: 'Who is this?' } },
		};
		await example.control.emit(emission);
		await example.executions(1);
		await example.updateRows(inbox, { answered: true });
		await example.control.emit(emission);
		await example.executions(2);

		expect(await example.rows(inbox)).toMatchObject([{ message_id: 'inbound-1', answered: true }]);
	});

	it('answers nothing that is older than an hour, and keeps it for a person', async () => {
		for (const minutes of [59, 61])
			await example.control.emit({
				event_type: 'SMS_INBOUND',
				overrides: {
					timestamp: new Date(Date.now() - minutes * 60_000).toISOString(),
					mo: { id: `inbound-${minutes}`, message: 'Yes' },
				},
			});
		await example.executions(2);

		expect(await example.control.messages()).toHaveLength(1);
		expect(await example.rows(inbox)).toMatchObject([{ message_id: 'inbound-61', text: 'Yes' }]);
	});

	it('answers the pinned event in the editor', async () => {
		const { status, nodes } = await example.run();

		expect(status).toBe('success');
		expect(nodes['Answer YES']?.items).toMatchObject([{ json: { contact, parts: 1 } }]);
	});
});

describe('reply-routing.json, with a Default Country where the digits of the contact are somebody else', () => {
	const abroad = useExample({
		file: 'reply-routing.json',
		change: (node) =>
			node.parameters.operation === 'send' ? withOptions(node, { defaultCountry: 'US' }) : node,
	});

	it('answers the contact', async () => {
		for (const from of ['4792234567', '6592234567'])
			await abroad.control.inbound({ from, to: texted, text: 'Yes' });
		await abroad.executions(2);

		const sent = (await abroad.control.messages()).map(({ recipient }) => recipient);
		expect(sent.sort()).toEqual(['4792234567', '6592234567']);
	});
});
