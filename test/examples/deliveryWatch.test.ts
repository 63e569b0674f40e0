import { describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { zoneAt } from '../helpers/zoneAt.ts';
import { useExample } from './useExample.ts';

const failures = 'Kudosity failures';
const owner = '61491573087';
const zone = 'Australia/Sydney';

const replaced = (node: WorkflowNode, ...pairs: Array<[string, string]>): WorkflowNode => {
	const text = pairs.reduce(
		(all, [from, to]) => all.replaceAll(from, to),
		JSON.stringify(node.parameters),
	);
	return { ...node, parameters: JSON.parse(text) as WorkflowNode['parameters'] };
};

/** In a day: the rows that were noted today, as if it were yesterday. */
const tomorrow =
	(hour = 12) =>
	(node: WorkflowNode): WorkflowNode =>
		node.name === "Yesterday's failures"
			? replaced(
					node,
					[zone, zoneAt(hour)],
					['.minus({ days: 1 })', ''],
					['"condition":"lt"', '"condition":"gt"'],
				)
			: replaced(node, [zone, zoneAt(hour)]);

describe('delivery-watch.json', () => {
	const example = useExample({ file: 'delivery-watch.json', change: tomorrow() });
	const digests = async () =>
		(await example.control.messages({ recipient: owner })).map(({ text }) => text);
	const fail = async (recipient: string, status = 'FAILED', reason?: string) => {
		const id = await example.sendSms(recipient, { message_ref: 'order-7' });
		await example.control.setStatus(id, status as 'FAILED', reason);
		return id;
	};

	it('notes failures only', async () => {
		const failed = await example.sendSms('61491577426', { message_ref: 'order-7' });
		const delivered = await example.sendSms('61491573087');
		await example.control.setStatus(failed, 'SENT');
		await example.control.setStatus(failed, 'HARD_BOUNCE', 'Number is not in use');
		await example.control.setStatus(delivered, 'DELIVERED');
		const rcs = await example.sendRcs({ recipient: '61491578957', text: 'Booked' });
		await example.control.setStatus(rcs, 'REJECTED');
		const executions = await example.executions(2);

		expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
		// The two executions end in any order.
		const rows = await example.rows(failures);
		const ofSms = rows.filter(({ channel }) => channel === 'SMS');
		const others = rows.filter(({ channel }) => channel !== 'SMS');
		expect([...ofSms, ...others]).toMatchObject([
			{
				message_id: failed,
				channel: 'SMS',
				contact: '61491577426',
				status: 'HARD_BOUNCE',
				reason: 'Number is not in use',
				message_ref: 'order-7',
			},
			{ message_id: rcs, channel: 'RCS', contact: '61491578957', status: 'REJECTED' },
		]);
	});

	it('has one row for each recipient of a bulk message, whose ID they share', async () => {
		const events = [
			['61491577426', 'FAILED'],
			['61491574118', 'FAILED'],
			['61491574118', 'HARD_BOUNCE'],
		];
		for (const [index, [recipient, status]] of events.entries()) {
			await example.control.emit({
				event_type: 'SMS_STATUS',
				overrides: { status: { id: 'bulk-1', recipient, status } },
			});
			await example.executions(index + 1);
		}

		expect((await example.rows(failures)).map(({ contact, status }) => [contact, status])).toEqual([
			['61491577426', 'FAILED'],
			['61491574118', 'HARD_BOUNCE'],
		]);
	});

	it('tells the owner once a day, and only if there are failures', async () => {
		expect((await example.run('Every hour')).status).toBe('success');
		for (const recipient of ['61491577426', '61491574118']) await fail(recipient);
		await example.executions(3);
		for (let hour = 0; hour < 2; hour++)
			expect((await example.run('Every hour')).status).toBe('success');

		expect(await digests()).toEqual([
			expect.stringMatching(/^Not delivered yesterday: 2 \(6149157\d+, 6149157\d+\)\. See/),
		]);
	});

	it('tries again in the next hour when it could not be sent', async () => {
		await fail('61491577426');
		await example.executions(1);
		await example.control.settings({ balance: 0 });
		await example.run('Every hour');
		expect(await digests()).toEqual([]);
		await example.control.settings({ balance: 100 });
		await example.run('Every hour');

		expect(await digests()).toHaveLength(1);
	});
});

describe('delivery-watch.json, at night', () => {
	const example = useExample({ file: 'delivery-watch.json', change: tomorrow(3) });

	it('tells nobody, and the execution does not fail', async () => {
		await example.control.setStatus(await example.sendSms('61491577426'), 'FAILED');
		await example.executions(1);
		const { status, nodes } = await example.run('Every hour');

		expect(status).toBe('success');
		expect(nodes['Tell the owner']?.items).toMatchObject([
			{ json: { result: { outcome: 'notSent', code: 'outside_hours' } } },
		]);
		expect(await example.control.messages({ recipient: owner })).toEqual([]);
	});
});

describe('delivery-watch.json, today', () => {
	const example = useExample({ file: 'delivery-watch.json' });

	it('says nothing of the failures of today', async () => {
		await example.control.setStatus(await example.sendSms('61491577426'), 'FAILED');
		await example.executions(1);
		const { status, nodes } = await example.run('Every hour');

		expect([status, nodes['Tell the owner']?.runs]).toEqual(['success', undefined]);
	});
});
