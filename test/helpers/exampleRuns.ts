import type { Control } from '../../playground/emulator/control/client.ts';
import { contactsFileUrl } from './contactsFile.ts';
import { workingFields, type RunOperation as Run } from './exampleFields.ts';

type Fields = Record<string, unknown>;

/** One SMS, but two without Smart Encoding. */
export const smartText = `It\u2019s ready. ${'x'.repeat(100)}`;

const message = { message: 'Hi', recipient: '61491570006', sender: 'Acme' };
const bulk = { message: 'Hi', recipients: '61491570006, 61491570156', sender: 'Acme' };
const webhook = {
	name: 'Order events',
	url: 'https://example.com/events',
	eventTypes: ['SMS_STATUS'],
	filters: { sender: ['Acme'], messageRef: ['a'], status: ['SENT'], campaignId: ['b'] },
};
const delivered = { messageId: '5eeded00-0000-4000-8000-000000000001' };
const failed = { messageId: '5eeded00-0000-4000-8000-000000000002' };

const replyToBulk = async (run: Run, control: Control) => {
	const [owned] = await run('number/getAll', { limit: 1 });
	const [sent] = await run('bulkSms/send', { ...bulk, sender: owned?.number });
	const messageId = String(sent?.message_id);
	await control.reply(messageId, 'Yes', '61491570006');
	return [{ messageId, filters: { includeOriginal: true } }];
};

const mms = {
	...message,
	contentUrl: 'https://example.com/picture.jpg',
	subject: 'Your order',
	options: { messageRef: 'a', trackLinks: true },
};
const fallback = {
	messageRef: 'a',
	smsFallbackMessage: smartText,
	smsFallbackSender: 'Acme',
	smartEncoding: true,
};
const chat = { message: 'Hi', recipient: '61491570006', options: fallback };
const template = {
	...chat,
	contentType: 'template',
	templateName: 'order_confirmation',
	templateParameters: ['Sam'],
	templateLocale: 'en',
};

const createWebhook = async (run: Run) => {
	const [created] = await run('webhook/create', webhook);
	return { webhookId: String(created?.id) };
};

/** Its list exists in the emulator and has the custom fields Suburb and Postcode. */
const contact = {
	contact: '61491570006',
	listId: '4100002',
	firstName: 'Sam',
	lastName: 'Lee',
	customFields: { values: [{ name: 'Suburb', value: 'Carlton' }] },
};

const upsertContact = async (run: Run) => {
	await run('contact/upsert', contact);
	return [contact];
};

/** Runs for operations whose panel examples do not cover every possible output. */
const runs: Record<string, (run: Run, control: Control) => Promise<Fields[]> | Fields[]> = {
	'sms/send': () => [
		{ ...message, options: { messageRef: 'a', trackLinks: true } },
		{ ...message, message: smartText, options: { smartEncoding: true } },
	],
	'sms/getAll': async (run, control) => {
		await run('sms/send', { ...message, options: { messageRef: 'a' } });
		await control.inbound({ from: message.recipient, to: '61491570156', text: 'Yes' });
		return [{ returnAll: true }];
	},
	'mms/send': () => [mms],
	'mms/get': async (run) => [{ messageId: String((await run('mms/send', mms))[0]?.id) }],
	'whatsapp/send': () => [
		chat,
		template,
		{ ...chat, contentType: 'custom', content: '{"type":"image"}' },
	],
	'whatsapp/getAll': async (run) => {
		await run('whatsapp/send', chat);
		await run('whatsapp/send', template);
		return [{}];
	},
	'rcs/send': () => [{ ...chat, sender: 'PlaygroundAgent' }],
	'bulkSms/send': () => [
		bulk,
		{ ...bulk, message: smartText, options: { smartEncoding: true } },
		{ ...bulk, recipients: '61491570006, 61000000' },
		{ ...bulk, sendTo: 'list', listId: '4100002' },
	],
	'bulkSms/getReplies': replyToBulk,
	'contact/upsert': () => [contact],
	'contact/get': upsertContact,
	'list/get': () => [{ listId: '4100001' }, { listId: '4100002' }],
	'list/create': () => [
		{ name: 'Autumn Campaign' },
		{ name: 'Winter Campaign', fields: 'Email, Postcode' },
	],
	'list/getContacts': async (run) => [...(await upsertContact(run)), { listId: '4100001' }],
	'list/importContacts': async () => {
		const file = { listId: '4100001', fileUrl: await contactsFileUrl() };
		return [file, { ...file, options: { waitForCompletion: true } }];
	},
	'number/getAll': () => [{ returnAll: true }, { filter: 'available' }],
	'number/format': () => [
		{ phoneNumber: '0491 570 006', country: 'AU' },
		{ phoneNumber: '1', country: 'AU' },
	],
	'phoneNumber/clean': () => [
		{ phoneNumber: '0491 570 006', defaultCountry: 'AU' },
		{ phoneNumber: 'n/a', defaultCountry: 'AU' },
	],
	'number/update': () => [
		{ number: '61491570006', options: { forwardUrl: 'https://example.com/replies' } },
	],
	'report/getSent': async (run) => {
		await run('sms/send', message);
		return [{ startDate: '2020-01-01', endDate: '2099-01-01' }];
	},
	'report/getMessages': async (run) => {
		await run('sms/send', message);
		return [{}];
	},
	'report/getContactHistory': async (run) => {
		await run('sms/send', message);
		return [{ contact: message.recipient }];
	},
	'report/getReplies': async (_run, control) => {
		const [from, to] = [message.recipient, '61491570156'];
		await control.inbound({ from, to, text: 'Yes' });
		return [{ contact: from }];
	},
	'rcs/get': () => [delivered, failed],
	'rcs/getAll': () => [{ returnAll: true }],
	'rcs/waitForStatus': () => [delivered, failed],
	'webhook/create': () => [webhook],
	'webhook/get': async (run) => [await createWebhook(run)],
	'webhook/getAll': async (run) => {
		await createWebhook(run);
		return [{}];
	},
	'webhook/update': async (run) => [{ ...(await createWebhook(run)), name: 'Other name' }],
	'webhook/delete': async (run) => [await createWebhook(run)],
};

/** Fields for runs that together cover an operation's output. Creates the records that they need. */
export const exampleRuns = async (name: string, run: Run, control: Control): Promise<Fields[]> =>
	(await runs[name]?.(run, control)) ?? [await workingFields(name, run)];
