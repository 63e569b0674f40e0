import { describe, expect, it } from 'vitest';
import { sendBulkSms, sendSms, outcomeOf, createService } from '../../../../seams.ts';
import { fakeTransport, json } from '../../../../helpers/fakeTransport.ts';

const send = async (body: unknown) =>
	await createService(fakeTransport(() => json(body)).transport).call(sendSms, {
		message: 'Hello',
		sender: 'Acme',
		recipient: '61491570006',
	});

const sendBulk = async (body: unknown) =>
	await createService(fakeTransport(() => json(body)).transport).call(sendBulkSms, {
		message: 'Hello',
		from: 'Acme',
		to: ['61491570006'],
	});

const success = { message_id: 7, error: { code: 'SUCCESS', description: 'OK' } };

describe('an accepted message', () => {
	it.each([
		['an empty list', { ...success, list: [] }, { message_id: '7', list: [] }],
		['no list', { ...success, list: null }, { message_id: '7', list: null }],
		['no fails', { ...success, fails: null }, { message_id: '7', fails: null }],
		['a count in words', { ...success, sms: 'one' }, { message_id: '7', sms: 'one' }],
		['an empty error', { message_id: 7, error: '' }, { message_id: '7' }],
		['no error', { message_id: 7, error: null }, { message_id: '7' }],
	])('of v1 stays accepted with %s', async (_, body, expected) => {
		expect(await sendBulk(body)).toEqual(expected);
	});

	it('of v2 stays accepted with a count that is no number', async () => {
		expect(await send({ id: 'a', sms_count: 'many' })).toEqual({ id: 'a', sms_count: 'many' });
	});
});

describe('an answer that is no clear yes', () => {
	it.each([
		['success without an id', { error: { code: 'SUCCESS', description: 'OK' } }],
		['an id together with a code of refusal', { ...success, error: { code: 'FAILED' } }],
	])('%s leaves the outcome unknown', async (_, body) => {
		const error: unknown = await sendBulk(body).catch((reason: unknown) => reason);

		expect(outcomeOf(error)).toBe('unknown');
	});
});
