import { describe, expect, it } from 'vitest';
import {
	addContact,
	checkRcsCapability,
	sendSms,
	deleteWebhook,
	getWebhook,
	createService,
	withoutWriting,
} from '../../../seams.ts';
import { answering, json } from '../../../helpers/fakeTransport.ts';

const unchecked = async () => {};

describe('the service of a dry run', () => {
	it.each([
		['a GET', getWebhook, { id: 'w-1' }, { id: 'w-1' }],
		[
			'a POST',
			checkRcsCapability,
			{ sender: 'DemoSender', phone_numbers: ['61491570006'] },
			{ data: { results: [] } },
		],
	])('is asked by %s that only looks', async (_method, endpoint, values, answer) => {
		const { transport, requests } = answering(json(answer));
		await withoutWriting(createService(transport), unchecked).call<unknown>(endpoint, values);
		expect(requests).toHaveLength(1);
	});

	it.each([
		['a send', sendSms],
		['a change', addContact],
		['a removal', deleteWebhook],
	])('is not asked for %s, which answers with its values', async (_kind, endpoint) => {
		const { call } = withoutWriting(createService(answering().transport), unchecked);
		const values = { id: '1', msisdn: '61491570006', first_name: undefined };
		expect(await call<unknown>(endpoint, values)).toEqual({ id: '1', msisdn: '61491570006' });
	});
});
