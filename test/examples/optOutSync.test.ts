import { describe, expect, it } from 'vitest';
import { RCS_AGENT } from '../../playground/emulator/catalogue.ts';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { firstOf } from '../helpers/runsAll.ts';
import { useExample } from './useExample.ts';

const table = 'Kudosity opt-outs';
const own = '61491570006';
/** In lists of the emulator. */
const listed = '61491573087';
const unlisted = '61491570157';

describe('opt-out-sync.json', () => {
	const example = useExample({ file: 'opt-out-sync.json' });
	const executions = async (count: number) => await example.executions(count);
	const rows = async () => await example.rows(table);
	const write = async (from: string, text: string, message: object = {}) =>
		await example.control.inbound({ from, to: own, text, ...message });
	/** Whom Kudosity was asked to opt out. */
	const optedOut = async () =>
		(await example.control.requests({ path: '/optout-list-member.json' })).map(
			({ body }) => (body as { msisdn: string }).msisdn,
		);

	it('keeps an opt-out by link, and opts the person out of all lists', async () => {
		const messageId = await example.sendSms(listed, { message_ref: 'autumn-offer' });
		await example.control.optOut(messageId);
		const [execution] = await executions(1);

		expect([execution?.status, execution?.error]).toEqual(['success', undefined]);
		const [row, ...others] = await rows();
		expect(others).toEqual([]);
		expect(row).toMatchObject({ phone: listed, source: 'link', message_ref: 'autumn-offer' });
		expect(Date.parse(String(row?.opted_out_at))).toBeGreaterThan(Date.now() - 60_000);
		expect(execution?.nodes['Opt out in Kudosity']?.items).toMatchObject([
			{ json: { msisdn: listed, list_ids: ['4100001', '4100002'] } },
		]);
	});

	it('keeps one row of a STOP, which Kudosity reports twice', async () => {
		await example.control.reply(await example.sendSms(unlisted, { message_ref: 'offer' }), 'STOP');
		const both = await executions(2);

		expect(both.map(({ status }) => status)).toEqual(['success', 'success']);
		expect(await rows()).toMatchObject([{ phone: unlisted, source: 'stop', message_ref: 'offer' }]);
	});

	it.each(
		firstOf(3, [
			['SMS', 'UNSUBSCRIBE', 'keyword'],
			['MMS', 'Quit', 'keyword'],
			['RCS', 'Please stop', 'words'],
			['WHATSAPP', 'END', 'keyword'],
		] as const),
	)('keeps an opt-out by %s with the words %j', async (channel, text, how) => {
		await write(unlisted, text, { channel, ...(channel === 'RCS' && { to: RCS_AGENT }) });
		const [execution] = await executions(1);

		expect([execution?.status, execution?.error]).toEqual(['success', undefined]);
		expect(await rows()).toMatchObject([{ phone: unlisted, source: how }]);
	});

	it('keeps whom Kudosity refuses to opt out', async () => {
		await example.control.addFault({ fault: 'status403', match: { count: 'forever' } });
		await write(listed, 'Unsubscribe');
		const [execution] = await executions(1);

		expect(execution?.status).toBe('success');
		expect(execution?.nodes['Opt out in Kudosity']?.items).toMatchObject([
			{ json: { error: expect.any(String) } },
		]);
		expect(await rows()).toMatchObject([{ phone: listed, source: 'keyword' }]);
	});

	it.each(['6572234567', '62275'])('keeps %s, which Kudosity cannot opt out', async (from) => {
		await write(from, 'Unsubscribe');
		const [execution] = await executions(1);

		expect([execution?.status, execution?.error]).toEqual(['success', undefined]);
		expect(await rows()).toMatchObject([{ phone: from }]);
	});

	it('makes its table again, and without one fails, but opts the person out', async () => {
		await example.deleteTable(table);
		await write(listed, 'Unsubscribe');
		const [execution] = await executions(1);

		expect(execution?.status).toBe(isCurrent ? 'success' : 'error');
		expect(execution?.lastNode).toBe('Save opt-out');
		expect(await rows()).toMatchObject(isCurrent ? [{ phone: listed }] : []);
		expect(await optedOut()).toEqual([listed]);
	});

	it('makes no row of a STOP from a sender name, and fails loudly', async () => {
		await write('MyShop', 'STOP');
		const both = await executions(2);

		for (const { status, lastNode } of both)
			expect([status, lastNode]).toEqual(['error', 'Error: no number']);
		expect(await rows()).toEqual([]);
		expect(await optedOut()).toEqual([]);
	});

	it('fails loudly for a message that cannot be read', async () => {
		await example.control.emit({ event_type: 'SMS_INBOUND', overrides: { mo: null } });
		const [execution] = await executions(1);

		expect([execution?.status, execution?.lastNode]).toEqual(['error', 'Error: no number']);
		expect(await rows()).toEqual([]);
	});

	it('keeps an opt-out whose time cannot be read', async () => {
		const overrides = { timestamp: 'yesterday' };
		await example.control.emit({ event_type: 'OPT_OUT', overrides });
		const [execution] = await executions(1);

		expect([execution?.status, execution?.error]).toEqual(['success', undefined]);
		const [row] = await rows();
		expect(Date.parse(String(row?.opted_out_at))).toBeGreaterThan(Date.now() - 60_000);
	});

	it('runs in the editor on its pinned event', async () => {
		const { status } = await example.run();

		expect(status).toBe('success');
		expect(await rows()).toMatchObject([{ phone: '61491570156', source: 'link' }]);
	});
});
