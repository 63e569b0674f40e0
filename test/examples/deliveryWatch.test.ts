import { beforeEach, describe, expect, it } from 'vitest';
import { importRan } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const failures = 'Kudosity failures';
const optOuts = 'Kudosity opt-outs';
const example = useExample({ file: 'delivery-watch.json' });

describe('delivery-watch.json', () => {
	beforeEach(async () => await example.withTables({ [optOuts]: [importRan] }));

	it('notes final failures of SMS only', async () => {
		const failed = await example.sendSms('61491577426', { message_ref: 'order-7' });
		const delivered = await example.sendSms('61491573087');
		await example.control.setStatus(failed, 'SENT');
		await example.control.setStatus(failed, 'HARD_BOUNCE', 'Number is not in use');
		await example.control.setStatus(delivered, 'DELIVERED');
		const executions = await example.executions(2);

		expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
		expect(await example.rows(failures)).toMatchObject([
			{
				message_id: failed,
				channel: 'SMS',
				contact: '61491577426',
				status: 'HARD_BOUNCE',
				reason: 'Number is not in use',
				message_ref: 'order-7',
			},
		]);
		expect(await example.control.messages({ channel: 'SMS' })).toHaveLength(2);
	});

	it('sends the text of a failed RCS message once as SMS', async () => {
		const rcs = { recipient: '61491578957', text: 'Your table is booked for 7 pm' };
		const messageId = await example.sendRcs(rcs);
		await example.control.setStatus(messageId, 'REJECTED');
		await example.control.setStatus(messageId, 'FAILED');
		const executions = await example.executions(2);

		expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
		expect(await example.control.messages({ channel: 'SMS' })).toMatchObject([
			{ sender: '61491570006', ...rcs },
		]);
		expect(await example.rows(failures)).toMatchObject([{ message_id: messageId, channel: 'RCS' }]);
	});

	it('sends no SMS to whoever is in the table of opt-outs', async () => {
		const rcs = { recipient: '61491578957', text: 'Your table is booked for 7 pm' };
		const first = await example.sendRcs({ ...rcs, recipient: '61491574118' });
		await example.control.setStatus(first, 'FAILED');
		await example.executions(1);
		await example.insert(optOuts, [{ phone: `${rcs.recipient}\r` }]);
		const messageId = await example.sendRcs(rcs);
		await example.control.setStatus(messageId, 'FAILED');
		const [, second] = await example.executions(2);

		expect(second?.status).toBe('success');
		const sent = await example.control.messages({ channel: 'SMS' });
		expect(sent.map(({ recipient }) => recipient)).toEqual(['61491574118']);
		expect(await example.rows(failures)).toMatchObject([
			{ message_id: first },
			{ message_id: messageId },
		]);
	});

	it.each([
		['no opt-out is known', [{ phone: '61491575254', source: 'SAMPLE' }], 'has no opt-outs'],
		['one cannot be read', [importRan, { phone: '61491570156;' }], 'row 3 "61491570156;"'],
	])('notes the failure, and sends no SMS, while %s', async (_, rows, reason) => {
		await example.updateRows(optOuts, { source: 'SAMPLE', phone: '61491575254' });
		await example.insert(optOuts, rows);
		const rcs = { recipient: '61491578957', text: 'Your table is booked for 7 pm' };
		await example.control.setStatus(await example.sendRcs(rcs), 'FAILED');
		const [execution] = await example.executions(1);

		expect(execution?.error?.message).toContain(reason);
		expect(await example.control.messages({ channel: 'SMS' })).toEqual([]);
		expect(await example.rows(failures)).toHaveLength(1);
	});

	it('sends no second SMS where Kudosity sends the SMS Fallback Message', async () => {
		const rcs = { recipient: '61491578957', text: 'Your table is booked for 7 pm' };
		const messageId = await example.sendRcs({ ...rcs, fallback: 'Your table is booked' });
		await example.control.setStatus(messageId, 'REJECTED');
		const [execution] = await example.executions(1);

		expect(execution?.status).toBe('success');
		expect(await example.control.messages({ channel: 'SMS' })).toMatchObject([
			{ text: 'Your table is booked' },
		]);
	});

	it('sends one digest of the new failures, and none when there are no new ones', async () => {
		for (const recipient of ['61491577426', '61491574118']) {
			await example.control.setStatus(await example.sendSms(recipient), 'FAILED');
		}
		await example.executions(2);
		const { status } = await example.run('Every hour');

		expect(status).toBe('success');
		const toStaff = { recipient: '61491573087' };
		expect(await example.control.messages(toStaff)).toMatchObject([
			{
				text: expect.stringMatching(
					/^2 messages were not delivered: .*61491577426 \(SMS, FAILED\)/,
				),
			},
		]);
		expect((await example.rows(failures)).map(({ reported }) => reported)).toEqual([true, true]);

		await example.run('Every hour');
		expect(await example.control.messages(toStaff)).toHaveLength(1);
	});

	it('notes and reports each recipient of one bulk message, whose id they share', async () => {
		let count = 0;
		/** One after the other: whose row comes first depends on it. */
		const failsFor = async (recipient: string, status = 'FAILED') => {
			await example.control.emit({
				event_type: 'SMS_STATUS',
				overrides: { status: { id: 'bulk-1', recipient, status } },
			});
			await example.executions(++count);
		};
		const reported = async () =>
			(await example.rows(failures)).map((row) => [row.message_id, row.contact, row.reported]);
		await failsFor('61491577426');
		await failsFor('61491574118');
		await failsFor('61491574118', 'HARD_BOUNCE');
		expect(await reported()).toEqual([
			['bulk-1', '61491577426', null],
			['bulk-1', '61491574118', null],
		]);

		await example.run('Every hour');
		count += 1;
		await failsFor('61491574632');
		expect(await reported()).toEqual([
			['bulk-1', '61491577426', true],
			['bulk-1', '61491574118', true],
			['bulk-1', '61491574632', null],
		]);

		await example.run('Every hour');
		const digests = await example.control.messages({ recipient: '61491573087' });
		expect(digests.map(({ text }) => text)).toEqual([
			expect.stringMatching(/^2 messages were not delivered: /),
			'1 messages were not delivered: 61491574632 (SMS, FAILED)',
		]);
	});

	it('leaves rows unreported when the digest could not be sent', async () => {
		await example.control.setStatus(await example.sendSms('61491577426'), 'FAILED');
		await example.executions(1);
		await example.control.settings({ balance: 0 });
		const { status } = await example.run('Every hour');

		expect(status).toBe('error');
		expect((await example.rows(failures)).map(({ reported }) => reported)).toEqual([null]);
	});
});
