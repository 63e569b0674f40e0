import { describe, expect, it } from 'vitest';
import { sendV1, useEmulator } from './emulatorUnderTest.ts';

interface Refused {
	error: { code: string; description: unknown };
}

describe('send-sms.json', () => {
	const emulator = useEmulator();

	it('accepts a message and answers in the success envelope', async () => {
		const { status, body } = await sendV1<{ message_id: number }>(emulator);
		expect(status).toBe(200);
		expect(body).toEqual({
			message_id: expect.any(Number),
			send_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
			recipients: 1,
			cost: 0.079,
			sms: 1,
			delivery_stats: { delivered: 0, pending: 0, bounced: 0, responses: 0, optouts: 0 },
			error: { code: 'SUCCESS', description: 'OK' },
		});
		const [message] = await emulator.control().messages();
		expect(message).toMatchObject({ api: 'v1', id: String(body.message_id), text: 'Hello' });
	});

	it('takes its parameters from the query as well', async () => {
		const query = new URLSearchParams({ message: 'Hi', to: '61491578888' });
		const { status } = await emulator.call(`/send-sms.json?${query}`);
		expect(status).toBe(200);
		expect(await emulator.control().messages({ text: 'Hi' })).toHaveLength(1);
	});

	it('takes a multipart form', async () => {
		const form = new FormData();
		form.set('message', 'In parts');
		form.set('to', '61491578888');
		const authorization = `Basic ${btoa('playground-key:playground-secret')}`;
		const response = await fetch(`${emulator.url()}/send-sms.json`, {
			method: 'POST',
			body: form,
			headers: { authorization },
		});
		expect(response.status).toBe(200);
		expect(await emulator.control().messages({ text: 'In parts' })).toHaveLength(1);
	});

	it('charges every part of a long text for every recipient', async () => {
		const before = await emulator.call<{ balance: number }>('/get-balance.json');
		const { body } = await sendV1(emulator, {
			message: 'a'.repeat(161),
			to: '61491578888,61491573087',
		});
		expect(body).toMatchObject({ recipients: 2, sms: 4, cost: 0.316 });
		const after = await emulator.call<{ balance: number }>('/get-balance.json');
		expect(after.body.balance).toBeCloseTo(before.body.balance - 0.316, 3);
	});

	it('sends to the members of a list', async () => {
		const { body } = await sendV1(emulator, { to: '', list_id: '4100001' });
		expect(body).toMatchObject({ recipients: 3, list: { id: 4100001, name: 'Customers' } });
	});

	it('reports invalid numbers among valid ones without failing', async () => {
		const { status, body } = await sendV1(emulator, { to: '61491578888,12,nobody' });
		expect(status).toBe(200);
		expect(body).toMatchObject({ recipients: 1, fails: [12, 'nobody'] });
	});

	it('refuses when no valid recipient is left, and says why for each', async () => {
		const { body: sent } = await sendV1<{ message_id: number }>(emulator);
		await emulator.control().optOut(String(sent.message_id));
		const { status, body } = await sendV1<Refused>(emulator, { to: '61491578888,nobody' });
		expect(status).toBe(400);
		expect(body.error).toEqual({
			code: 'RECIPIENTS_ERROR',
			description: { fails: ['nobody'], optouts: [61491578888] },
		});
	});

	it.each([
		['FIELD_EMPTY', 'no text', { message: '' }],
		['FIELD_INVALID', 'neither to nor list_id', { to: '' }],
		['FIELD_INVALID', 'a malformed send_at', { send_at: 'tomorrow' }],
		['FIELD_INVALID', 'a text over 612 characters', { message: 'a'.repeat(613) }],
		['FIELD_INVALID', 'more than 500 recipients', { to: Array(501).fill('61491578888').join() }],
		['BAD_CALLER_ID', 'a number of somebody else', { from: '61491578888' }],
		['BAD_CALLER_ID', 'an inactive number', { from: '61491572665' }],
		['BAD_CALLER_ID', 'a name over 11 characters', { from: 'TwelveLetter' }],
		['LIST_EMPTY', 'a list without active members', { to: '', list_id: '4100003' }],
	])('answers %s to %s', async (code, _label, fields) => {
		const { status, body } = await sendV1<Refused>(emulator, fields);
		expect(status).toBe(400);
		expect(body.error.code).toBe(code);
		expect(await emulator.control().messages()).toEqual([]);
	});

	it('answers LEDGER_ERROR when the money is gone', async () => {
		await emulator.control().settings({ balance: 0.05 });
		const { body } = await sendV1<Refused>(emulator);
		expect(body.error.code).toBe('LEDGER_ERROR');
	});

	it('answers NOT_IMPLEMENTED to an unknown operation', async () => {
		const { status, body } = await emulator.call<Refused>('/get-templates.json');
		expect(status).toBe(404);
		expect(body.error.code).toBe('NOT_IMPLEMENTED');
	});
});
