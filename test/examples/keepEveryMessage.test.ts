import { describe, expect, it } from 'vitest';
import { RCS_AGENT } from '../../playground/emulator/catalogue.ts';
import { useExample } from './useExample.ts';

const contact = '61491573770';
const number = '61491570006';
const example = useExample({ file: 'keep-every-message.json' });

const kept = async () =>
	(await example.rows('Kudosity messages')).map(({ channel, sender, text }) => [
		channel,
		sender,
		text,
	]);

describe('keep-every-message.json', () => {
	it.each([
		['SMS', number],
		['MMS', number],
		['RCS', RCS_AGENT],
		['WHATSAPP', number],
	] as const)('keeps a message by %s once, although it is delivered twice', async (channel, to) => {
		await example.control.settings({ duplicateEvents: true });
		await example.control.inbound({ from: contact, to, channel, text: 'Hello' });
		const executions = await example.executions(2);

		expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
		expect(await kept()).toEqual([[channel, to, 'Hello']]);
		expect(await example.control.accepted()).toEqual([]);
	});

	it('has one row for each person, with what was used last', async () => {
		await example.control.inbound({ from: contact, to: number, text: 'Hello' });
		await example.executions(1);
		const whatsApp = { channel: 'WHATSAPP', text: 'Are you there?' } as const;
		await example.control.inbound({ from: contact, to: number, ...whatsApp });
		await example.executions(2);
		const stop = { from: '61491571266', to: number, text: 'STOP' };
		await example.control.inbound(stop);
		await example.executions(3);

		expect(await kept()).toHaveLength(3);
		expect(await example.rows('Kudosity conversations')).toMatchObject([
			{ contact, channel: 'WHATSAPP', sender: number },
			{ contact: stop.from, channel: 'SMS', sender: number },
		]);
	});

	it('runs in the editor on its pinned event', async () => {
		expect((await example.run()).status).toBe('success');
		expect(await kept()).toEqual([['SMS', number, 'Are you open on Sunday?']]);
	});
});
