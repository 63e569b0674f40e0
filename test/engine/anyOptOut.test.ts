import type { IDataObject } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import { changed, sampleEvent, type Json } from '../fixtures/events/index.ts';
import { schemaIssues } from '../helpers/jsonSchema.ts';
import { projectFiles } from '../helpers/projectFiles.ts';
import { createTrigger, registerTrigger } from './triggerNode.ts';
import { useWaitingN8n } from './waitingN8n.ts';

const n8n = useWaitingN8n();
const { service } = n8n;

/** Those of the question that the helper asks. */
const sender = '61491570156';
const contact = '61491573770';

const events = ['ANY_OPT_OUT'];
const inbound = ['SMS_INBOUND', 'MMS_INBOUND', 'RCS_INBOUND', 'WHATSAPP_INBOUND'];

const published = async (parameters: IDataObject = {}) =>
	await registerTrigger(service, { parameters: { events, ...parameters } });

const refusal = async (parameters: IDataObject): Promise<string> => {
	const trigger = await createTrigger({ credentials: service.credentials, parameters });
	return await trigger.activate().then(
		() => 'published',
		(error: Error) => error.message,
	);
};

const ofText = (text: string) => changed(sampleEvent('smsInbound'), 'mo.message', text);

describe('Opt-Out (Link, STOP or Keyword)', () => {
	it('asks Kudosity for opt-outs and for all that people write', async () => {
		const { webhook } = await published();
		expect(webhook.filter).toEqual({
			event_type: expect.arrayContaining(['OPT_OUT', ...inbound]),
		});
		expect(webhook.filter?.event_type).toHaveLength(5);
	});

	it('can be limited to some senders', async () => {
		const { webhook } = await published({ filters: { sender: ['61491570006'] } });
		expect(webhook.filter?.sender).toEqual(['61491570006']);
	});

	it('is alone on a node: publishing says so beside other events', async () => {
		expect(await refusal({ events: ['SMS_INBOUND', 'ANY_OPT_OUT'] })).toContain(
			'needs its own trigger',
		);
		expect(await service.control.webhooks()).toEqual([]);
	});

	it.each([
		['Campaign ID', { campaignId: ['summer'] }],
		['Message Reference', { messageRef: ['order-1'] }],
		['Status', { status: ['DELIVERED'] }],
	])('takes no filter that would hide opt-outs: %s', async (shown, filters) => {
		const message = await refusal({ events, filters: { sender: ['61491570006'], ...filters } });
		expect(message).toContain(`'Filters > ${shown}'`);
		expect(await service.control.webhooks()).toEqual([]);
	});

	it.each([
		['optOutByLink', 'link'],
		['optOutBySms', 'stop'],
	])('starts the workflow on %s', async (name, how) => {
		const { deliver } = await published();
		const { status, outputs } = await deliver(sampleEvent(name));
		expect(status).toBe(200);
		expect(outputs).toMatchObject([[{ json: { eventType: 'OPT_OUT', how } }]]);
	});

	it.each([
		['STOP', 'stop'],
		['unsubscribe!', 'keyword'],
		['Please stop', 'words'],
	])('starts the workflow on the message %j', async (text, how) => {
		const { deliver } = await published();
		const { outputs } = await deliver(ofText(text));
		expect(outputs).toMatchObject([[{ json: { eventType: 'OPT_OUT', how, text } }]]);
	});

	it('has the fields that the editor shows before', async () => {
		const files = projectFiles('nodes/Kudosity/__schema__', '.json');
		const schema = JSON.parse(files['nodes/Kudosity/__schema__/v1.1.0.json']!);
		const { deliver } = await published();
		for (const event of [sampleEvent('optOutByLink'), ofText('Stop it')]) {
			const { outputs } = await deliver(event);
			expect(schemaIssues(schema, outputs[0]?.[0]?.json)).toEqual([]);
		}
	});

	it.each<[string, Json]>([
		['a message', ofText('Yes please')],
		['a reaction', changed(ofText('Liked “STOP”'), 'mo.last_message.message', 'STOP')],
		['an emoji', sampleEvent('whatsappInboundReaction')],
		['a picture', sampleEvent('mmsInbound')],
		['a status', sampleEvent('smsStatusDelivered')],
		['a click', sampleEvent('linkHit')],
	])('answers what is no opt-out with 200, and starts nothing: %s', async (_, event) => {
		const { deliver } = await published();
		expect(await deliver(event)).toEqual({ status: 200, started: false, outputs: [] });
	});

	it('passes on a message that nobody can read, with what is unexpected and without how', async () => {
		const { deliver } = await published();
		const { outputs } = await deliver(changed(sampleEvent('smsInbound'), 'mo.message', {}));
		expect(outputs[0]?.[0]?.json).toMatchObject({
			event_type: 'SMS_INBOUND',
			parseIssues: [expect.stringContaining('mo.message')],
		});
		expect(outputs[0]?.[0]?.json).not.toHaveProperty('how');
	});

	it('gives the event as Kudosity sent it without Simplify', async () => {
		const { deliver, webhook } = await published({ simplify: false });
		const event = ofText('STOP');
		const { outputs } = await deliver(event);
		expect(outputs).toEqual([[{ json: { ...event, webhook_id: webhook.id } }]]);
		expect((await deliver(ofText('Hi'))).started).toBe(false);
	});

	it('leaves by the output for opt-outs where each kind of event has its own', async () => {
		const { deliver } = await published({ options: { outputs: 'byEvent' } });
		for (const event of [sampleEvent('optOutByLink'), ofText('STOP'), ofText('Stop it')]) {
			const { outputs } = await deliver(event);
			expect(outputs.map((items) => items.length)).toEqual([0, 1, 0, 0, 0]);
		}
	});

	it('keeps no files of an MMS that says STOP', async () => {
		const { deliver } = await published();
		const { outputs } = await deliver(changed(sampleEvent('mmsInbound'), 'mo.message', 'Stop'));
		expect(outputs[0]?.[0]?.json).toMatchObject({ how: 'stop', channel: 'MMS' });
		expect(outputs[0]?.[0]?.json).not.toHaveProperty('media');
		expect(outputs[0]?.[0]).not.toHaveProperty('binary');
	});
});

describe('Opt-Out Keywords', () => {
	const started = async (text: string, optOutKeywords: IDataObject[string]) => {
		const { deliver } = await published({ options: { optOutKeywords } });
		return (await deliver(ofText(text))).started;
	};

	it('replaces the usual keywords', async () => {
		expect(await started('Cancel', 'STOP, QUIT')).toBe(false);
		expect(await started('quit', 'STOP, QUIT')).toBe(true);
		expect(await started('Abmelden!', 'Abmelden')).toBe(true);
		expect(await started('baja', ['ALTO', 'Baja'])).toBe(true);
	});

	it.each([
		'STOP; Arret; CANCEL',
		'STOP/Arret/CANCEL',
		'STOP | Arret | CANCEL',
		'STOP\nArret\nCANCEL',
	])('are several words with other separators: %j', async (words) => {
		expect(await started('Arrêt', words)).toBe(true);
		expect(await started('cancel', words)).toBe(true);
	});

	it('never takes away STOP', async () => {
		expect(await started('stop', 'QUIT')).toBe(true);
	});

	it.each(['', '  ', ',', null, {}, '={{ $vars.none }}'])(
		'is the usual ones where it says nothing: %j',
		async (optOutKeywords) => {
			expect(await started('Cancel', optOutKeywords as never)).toBe(true);
			expect(await started('Yes', optOutKeywords as never)).toBe(false);
		},
	);
});

describe('an answer to an open question', () => {
	const wording = { responseType: 'choice', choices: ['Confirm', 'Cancel', 'Stop texts'] };

	const said = (message: string, changes: Json = {}) => ({
		...sampleEvent('smsInboundWithoutLastMessage'),
		timestamp: new Date(Date.now() + 2_000).toISOString(),
		mo: {
			type: 'SMS',
			id: `mo-${message}`,
			sender: contact,
			recipient: sender,
			message,
			...changes,
		},
	});

	let deliver: Awaited<ReturnType<typeof published>>['deliver'];
	beforeEach(async () => {
		({ deliver } = await published());
	});
	const isOptOut = async (event: Json) => (await deliver(event)).started;

	it('is no opt-out, although it is an opt-out keyword or begins with STOP', async () => {
		await n8n.ask(wording);
		for (const text of ['Cancel', 'cancel!', 'Stop texts', 'stop texts please']) {
			expect(await isOptOut(said(text)), text).toBe(false);
		}
	});

	it('is one where the question does not expect it', async () => {
		await n8n.ask(wording);
		for (const text of ['Unsubscribe', 'Quit', 'Stop this']) {
			expect(await isOptOut(said(text)), text).toBe(true);
		}
	});

	it('is one where it is STOP, even if the question expects that', async () => {
		await n8n.ask({ ...wording, choices: ['Go', 'Stop'] });
		expect(await isOptOut(said('STOP'))).toBe(true);
	});

	it('is one where somebody else was asked, or on another number', async () => {
		await n8n.ask(wording);
		expect(await isOptOut(said('Cancel', { sender: '61491570006' }))).toBe(true);
		expect(await isOptOut(said('Cancel', { recipient: '61491570006' }))).toBe(true);
	});

	it('is one where a newer question does not expect it', async () => {
		await n8n.ask(wording);
		await n8n.ask({ responseType: 'freeText' });
		expect(await isOptOut(said('Cancel'))).toBe(true);
	});

	it('is one where nobody is asked, or nobody can tell', async () => {
		expect(await isOptOut(said('Cancel'))).toBe(true);
		await n8n.ask(wording);
		await service.fault('status403', { path: '/v2/webhook', method: 'GET', count: 'forever' });
		expect(await isOptOut(said('Cancel'))).toBe(true);
	});

	it('is no opt-out either once the question has taken it', async () => {
		const question = await n8n.ask(wording);
		const { deliveries } = await service.control.emit({
			event_type: 'SMS_INBOUND',
			overrides: { mo: { ...said('Cancel').mo, last_message: null } },
			to: String(question.parked.webhookId),
			wait: true,
		});
		expect(deliveries).toMatchObject([{ status: 200 }]);
		expect((await question.resumed).json).toMatchObject({ choice: 'Cancel' });
		expect(await isOptOut(said('Cancel'))).toBe(false);
	});
});
