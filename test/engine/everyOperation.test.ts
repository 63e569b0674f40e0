import { describe, expect, it } from 'vitest';
import { askingOperations, workingFields } from '../helpers/exampleFields.ts';
import { continues, retries, useEmulator } from './emulator.ts';

/** What holds for many operations, and is said once. */
const service = useEmulator({ importMs: 0 });
const { run } = service;

const number = '61491570006';
const recipient = '61491570156';
const listId = '4100002';
const nobody = '5eeded00-0000-4000-8000-000000000999';
const email = 'sam@example.com';
const forwarded = { keyword: 'JOIN', number };

const lostAnswers = [
	'resetAfterAcceptance',
	'status500AfterAcceptance',
	'html200AfterAcceptance',
] as const;

/** Requests that do no harm when they are repeated. Any other costs money, or is refused because it was done. */
const repeatable =
	/^GET|^PUT|^DELETE \/v2\/webhook\/|^POST \/(?:(?:get|edit|format|optout)-|add-(?:to-list|field-to-list|contacts-bulk-progress)\.|v2\/rcs\/capabilities)/;

/** A question is asked again with another webhook, and a cancellation is repeated: they have tests of their own. */
const confirmable = Object.entries(askingOperations)
	.filter(([, { asks, once }]) => !asks && once !== 'untilConfirmed')
	.map(([name]) => name);

const requestsSince = async (earlier: number) =>
	(await service.control.requests()).slice(earlier).map(({ method, path }) => `${method} ${path}`);

/** Operations that change nothing, so one fault stands for all. */
const onlyReads = /\/(?:get|check|format|waitFor)/;

describe.each(confirmable)('%s', (name) => {
	it.each(onlyReads.test(name) ? lostAnswers.slice(0, 1) : lostAnswers)(
		'is not repeated after %s, also with Retry On Fail, unless that does no harm',
		async (fault) => {
			const fields = await workingFields(name, async (...args) => (await run(...args)).json);
			const earlier = (await service.control.requests()).length;
			await service.fault(fault);
			const { error } = await run(name, fields, { settings: retries });

			const once = (await requestsSince(earlier)).filter((request) => !repeatable.test(request));
			expect(once).toEqual(onlyReads.test(name) ? [] : [...new Set(once)]);
			// SMS → Send finds its message.
			const isUnknown = once.length > 0 && name !== 'sms/send';
			if (isUnknown) expect(error?.code).toBe('outcome_unknown');
			else if (fault !== 'html200AfterAcceptance') expect(error).toBeUndefined();
		},
	);
});

it.each<[string, object]>([
	['sms/get', { messageId: nobody }],
	['mms/get', { messageId: nobody }],
	['rcs/get', { messageId: nobody }],
	['rcs/waitForStatus', { messageId: nobody }],
	['whatsapp/get', { messageId: nobody }],
	['webhook/get', { webhookId: nobody }],
	['webhook/update', { webhookId: nobody, name: 'New name' }],
	['webhook/delete', { webhookId: nobody }],
	['sender/delete', { phoneNumber: recipient }],
	['sender/requestVerification', { registrationId: nobody, originatingSender: 'Acme' }],
	['emailSender/delete', { email }],
	['keyword/update', { ...forwarded, options: { status: 'Closed' } }],
	['list/get', { listId: '9999999' }],
	['list/getImport', { listId }],
	['contact/get', { contact: number, listId }],
	['contact/upsert', { contact: number, listId: '9999999' }],
	['contact/optOut', { contact: number, from: 'all' }],
	['contact/delete', { contact: number, from: 'all' }],
	...['get', 'getStats', 'getDelivery', 'getRecipients', 'getReplies', 'cancel'].map(
		(operation): [string, object] => [
			`bulkSms/${operation}`,
			{ messageId: '399999999', recipient: number },
		],
	),
])('%s says that the service does not know the record', async (name, fields) => {
	const { error } = await run(name, fields);

	expect(error).toMatchObject({
		message: 'Kudosity could not find this record',
		code: 'not_found',
	});
	const asked = await requestsSince(0);
	expect(new Set(asked).size).toBe(asked.length);
	expect(asked.filter((request) => request.startsWith('PUT'))).toEqual([]);
});

describe.each([true, false])('for an account without records (list left out: %s)', (omit) => {
	const wide = { startDate: '2020-01-01T00:00Z', endDate: '2099-01-01T00:00Z' };

	it.each<[string, object?]>([
		['number/getAll'],
		['list/getAll'],
		['rcs/getAll'],
		['sms/getAll'],
		['webhook/getAll'],
		['report/getReplies', { contact: number }],
		['report/getContactHistory', { contact: number }],
		['report/getMessages'],
		['report/getSent', wide],
	])('%s has no items', async (name, fields) => {
		const none = { numbersOwned: 0, lists: 0, rcsMessages: 0 };
		await service.control.settings({ ...none, omitEmptyArrays: omit });
		const { items, error } = await run(name, { ...fields, returnAll: true });

		expect([items, error]).toEqual([[], undefined]);
	});
});

it.each<[string, object]>([
	['number/get', { number }],
	['rcs/checkCapability', { sender: 'PlaygroundAgent', phoneNumbers: number }],
	['bulkSms/get', {}],
	['bulkSms/getStats', {}],
	['bulkSms/getDelivery', { recipient: number }],
	['bulkSms/getRecipients', {}],
	['bulkSms/getReplies', {}],
])(
	'%s looks again after a fault of the service, since it changes nothing',
	async (name, fields) => {
		const sent = await service.bulk([{ to: number }]);
		await service.fault('status500', { count: 2 });
		const messageId = sent.json[0]?.message_id;
		const { error } = await run(name, { messageId, ...fields }, { settings: continues });

		expect(error).toBeUndefined();
		expect(await service.control.requests()).toHaveLength(1 + 3);
	},
);
