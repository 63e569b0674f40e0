import { describe, expect, it } from 'vitest';
import { RCS_AGENT } from '../../playground/emulator/catalogue.ts';
import { firstOf } from '../helpers/runsAll.ts';
import { useExample } from './useExample.ts';

const contact = '61491573770';
const number = '61491570006';
const example = useExample({ file: 'answer-first-contact.json' });

const write = async (inbound: object = {}) =>
	await example.control.inbound({ from: contact, to: number, text: 'Hello', ...inbound });

describe('answer-first-contact.json', () => {
	it.each([
		['SMS', 'SMS', number],
		['MMS', 'SMS', number],
		['RCS', 'RCS', RCS_AGENT],
		['WHATSAPP', 'WHATSAPP', number],
	] as const)('answers %s by %s, from what was written to', async (channel, by, to) => {
		await write({ channel, to });
		const [execution] = await example.executions(1);

		expect([execution?.status, execution?.error]).toEqual(['success', undefined]);
		expect(await example.accepted()).toEqual([[by, to, contact]]);
	});

	it('answers each person once, on whichever channel, also when events are delivered twice', async () => {
		await example.control.settings({ duplicateEvents: true });
		await write();
		await example.executions(2);
		await write({ channel: 'WHATSAPP', text: 'Anybody there?' });
		await write({ from: '61491571266' });
		const executions = await example.executions(6);

		expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['success']));
		expect(await example.accepted()).toEqual([
			['SMS', number, contact],
			['SMS', number, '61491571266'],
		]);
	});

	it.each(firstOf(2, ['Please stop texting me', 'STOP', 'Unsubscribe', 'Cancel']))(
		'gives no answer to %s',
		async (text) => {
			await write({ text });
			const [execution] = await example.executions(1);

			expect(execution?.status).toBe('success');
			expect(await example.accepted()).toEqual([]);
		},
	);

	it('gives no answer to what is older than an hour', async () => {
		const timestamp = new Date(Date.now() - 61 * 60_000).toISOString();
		const mo = { sender: contact, recipient: number };
		await example.control.emit({ event_type: 'SMS_INBOUND', overrides: { timestamp, mo } });
		await example.executions(1);

		expect(await example.accepted()).toEqual([]);
	});

	it('sends nothing in the editor', async () => {
		const { status, nodes } = await example.run();

		expect(status).toBe('success');
		expect(nodes['Answer by SMS']?.items).toMatchObject([{ json: { outcome: 'dryRun' } }]);
		expect(await example.accepted()).toEqual([]);
	});
});
