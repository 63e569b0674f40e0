import { describe, expect, it } from 'vitest';
import { contactsFileUrl } from '../helpers/contactsFile.ts';
import { continues, retries, useEmulator } from './emulator.ts';

/** What holds for many operations, and is said once. */
const service = useEmulator({ importMs: 0 });
const { run } = service;

const number = '61491570006';
const recipient = '61491570156';
const listId = '4100002';
const nobody = '5eeded00-0000-4000-8000-000000000999';
const webhook = { name: 'Hook', url: 'https://example.com/events', eventTypes: ['OPT_OUT'] };
const email = 'sam@example.com';
const mms = { sender: number, recipient, contentUrl: 'https://example.com/a.jpg', message: 'Hi' };
const whatsapp = { recipient, contentType: 'text', message: 'Hi' };
const forwarded = { keyword: 'JOIN', number };

/** What it takes that an operation can be tried. */
const before: Record<string, () => Promise<unknown>> = {
	'emailSender/delete': async () => await run('emailSender/create', { email }),
	'sender/delete': async () =>
		await run('sender/register', { phoneNumber: recipient, country: 'AU' }),
};

const faults = [
	...(['reset', 'status500', 'resetAfterAcceptance'] as const),
	...(['status500AfterAcceptance', 'malformedJson'] as const),
];

const requestsSince = async (earlier: number) =>
	(await service.control.requests()).slice(earlier).map(({ method, path }) => `${method} ${path}`);

describe.each<[string, string, object]>([
	['mms/send', 'POST /v2/mms', mms],
	['rcs/send', 'POST /v2/rcs/messages', { ...mms, sender: 'PlaygroundAgent' }],
	['whatsapp/send', 'POST /v2/whatsapp/messages', whatsapp],
	['webhook/create', 'POST /v2/webhook', webhook],
	['number/lease', 'POST /lease-number.json', {}],
	['keyword/create', 'POST /add-keyword.json', forwarded],
	['emailSender/create', 'POST /add-email.json', { email }],
	['emailSender/delete', 'POST /delete-email.json', { email }],
	['sender/register', 'POST /v2/senders/registrations', { phoneNumber: recipient, country: 'AU' }],
	['sender/delete', `DELETE /v2/senders/phone-numbers/${recipient}`, { phoneNumber: recipient }],
	['list/create', 'POST /add-list.json', { name: 'Guests' }],
	['list/delete', 'POST /remove-list.json', { listId }],
	['list/importContacts', 'POST /add-contacts-bulk.json', { listId }],
])('%s', (name, request, fields) => {
	// An unverified number, as this one is, cannot be deleted: what the service says then is a no.
	it.each(faults.filter((fault) => name !== 'sender/delete' || fault !== 'malformedJson'))(
		'is not repeated after %s, also with Retry On Fail: nobody knows whether it was done',
		async (fault) => {
			await before[name]?.();
			const earlier = (await service.control.requests()).length;
			await service.fault(fault, { count: 'forever' });
			const fileUrl = await contactsFileUrl();
			const { error } = await run(name, { fileUrl, ...fields }, { settings: retries });

			expect(error).toMatchObject({
				code: 'outcome_unknown',
				message: expect.stringMatching(/^Kudosity did not confirm the request/),
			});
			expect(await requestsSince(earlier)).toEqual([request]);
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
