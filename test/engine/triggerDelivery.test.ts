import { describe, expect, it } from 'vitest';
import { changed, sampleEvent, sampleNames } from '../fixtures/events/index.ts';
import { schemaIssues } from '../helpers/jsonSchema.ts';
import { projectFiles } from '../helpers/projectFiles.ts';
import { credentialsFor, useEmulator } from './emulator.ts';
import { createTrigger, registerTrigger, type TriggerOptions } from './triggerNode.ts';

const service = useEmulator();
const allEvents = Object.keys(sampleNames);

const activated = async ({ parameters, ...options }: Partial<TriggerOptions> = {}) =>
	await registerTrigger(service, { ...options, parameters: { events: allEvents, ...parameters } });

const status = (id: string, name: string) =>
	changed(changed(sampleEvent('smsStatusDelivered'), 'status.id', id), 'status.status', name);

describe('an event', () => {
	it.each(Object.entries(sampleNames))(
		'of type %s starts the workflow',
		async (eventType, name) => {
			const { deliver } = await activated();
			const { status, started, outputs } = await deliver(sampleEvent(name));
			expect({ status, started }).toEqual({ status: 200, started: true });
			expect(outputs).toMatchObject([[{ json: { eventType } }]]);
			expect(outputs[0]?.[0]?.json).not.toHaveProperty('parseIssues');
		},
	);

	it.each(Object.values(sampleNames))(
		'%s has the fields that the editor shows before',
		async (name) => {
			const files = projectFiles('nodes/Kudosity/__schema__', '.json');
			const schema = JSON.parse(files['nodes/Kudosity/__schema__/v1.1.0.json']!);
			const { deliver } = await activated();
			const { outputs } = await deliver(sampleEvent(name));
			expect(schemaIssues(schema, outputs[0]?.[0]?.json)).toEqual([]);
		},
	);

	it.each([
		['Liked “Your table for four is booked…”', true],
		['Liked “STOP”', false],
		['YES', false],
	])('of “%s” says whether it is a reaction: %s', async (text, isReaction) => {
		const { deliver } = await activated();
		const { outputs } = await deliver(changed(sampleEvent('smsInbound'), 'mo.message', text));
		const [keyword] = isReaction ? [] : text.split(' ').map((word) => word.toUpperCase());
		expect(outputs[0]?.[0]?.json).toMatchObject({ isReaction, isOptOutKeyword: false, text });
		expect(outputs[0]?.[0]?.json.keyword).toBe(keyword);
	});

	it('is passed on as it was sent when Simplify is off', async () => {
		const { deliver, webhook } = await activated({ parameters: { simplify: false } });
		const event = sampleEvent('smsInbound');
		const { outputs } = await deliver(event);
		expect(outputs).toEqual([[{ json: { ...event, webhook_id: webhook.id } }]]);
	});

	it('with an unexpected shape is passed on as it was sent, with what is unexpected', async () => {
		const { deliver } = await activated();
		const event = changed(sampleEvent('smsInbound'), 'mo.sender', undefined);
		const { outputs } = await deliver(event);
		expect(outputs[0]?.[0]?.json).toMatchObject({
			event_type: 'SMS_INBOUND',
			mo: { message: 'YES ' },
			parseIssues: [expect.stringContaining('mo.sender')],
		});
	});

	it('is not lost for an expression that n8n refuses: the field has its default', async () => {
		const { deliver } = await activated({
			parameters: { simplify: "={{ $('Settings').first().json.simple }}" },
		});
		const { status, outputs } = await deliver(sampleEvent('smsInbound'));

		expect(status).toBe(200);
		expect(outputs).toMatchObject([[{ json: { eventType: 'SMS_INBOUND' } }]]);
	});
});

describe('the files of an MMS', () => {
	it('become binary data, and leave the JSON', async () => {
		const { deliver } = await activated();
		const { outputs } = await deliver(sampleEvent('mmsInbound'));
		const item = outputs[0]?.[0];
		expect(item?.json).toMatchObject({
			media: [
				{ name: 'image-0.png', mimeType: 'image/png', size: 70, property: 'media0' },
				{ name: 'note.txt', mimeType: 'text/plain', size: 7, property: 'media1' },
			],
		});
		expect(item?.binary).toMatchObject({
			media0: { mimeType: 'image/png', fileName: 'image-0.png' },
			media1: { mimeType: 'text/plain', fileName: 'note.txt', data: 'VGhhbmtzIQ==' },
		});
		expect(JSON.stringify(item?.json)).not.toContain('VGhhbmtzIQ');
	});

	it('have the type of their bytes, whatever their name says', async () => {
		const { deliver } = await activated();
		const event = sampleEvent('mmsInbound');
		const gif = { name: 'photo.jpg', content: Buffer.from('GIF89a..').toString('base64') };
		const { outputs } = await deliver(changed(event, 'mo.media', [gif]));
		expect(outputs[0]?.[0]?.binary?.media0).toMatchObject({ mimeType: 'image/gif' });
	});

	it('have the wanted property names, also in the raw event', async () => {
		const options = { outputFieldPrefix: 'attachment' };
		const { deliver } = await activated({ parameters: { simplify: false, options } });
		const { outputs } = await deliver(sampleEvent('mmsInbound'));
		expect(outputs[0]?.[0]?.json).toMatchObject({
			mo: { media: [{ name: 'image-0.png', mimeType: 'image/png', property: 'attachment0' }, {}] },
		});
		expect(Object.keys(outputs[0]?.[0]?.binary ?? {})).toEqual(['attachment0', 'attachment1']);
	});

	it('stay in the JSON when they are no base64', async () => {
		const { deliver } = await activated();
		const file = { name: 'a.png', content: 'BASE64-encoded!' };
		const { outputs } = await deliver(changed(sampleEvent('mmsInbound'), 'mo.media', [file]));
		expect(outputs[0]?.[0]).toMatchObject({
			json: { media: [file], parseIssues: ['mo.media.0.content: is not base64'] },
		});
		expect(outputs[0]?.[0]).not.toHaveProperty('binary');
	});

	it('are no reason to give up the simplified record when one has no content', async () => {
		const { deliver } = await activated();
		const media = [{ name: 'a.png' }, { name: 'b.txt', content: 'VGhhbmtzIQ==' }];
		const { outputs } = await deliver(changed(sampleEvent('mmsInbound'), 'mo.media', media));
		expect(outputs[0]?.[0]).toMatchObject({
			json: {
				contact: '61491578888',
				media: [{ name: 'a.png' }, { name: 'b.txt', property: 'media1' }],
				parseIssues: ['mo.media.0.content: missing'],
			},
			binary: { media1: { fileName: 'b.txt' } },
		});
	});

	it('are only named without Download Media; the raw event keeps them', async () => {
		const options = { downloadMedia: false };
		const simple = await activated({ parameters: { options } });
		const { outputs } = await simple.deliver(sampleEvent('mmsInbound'));
		expect(outputs[0]?.[0]).not.toHaveProperty('binary');
		expect(outputs[0]?.[0]?.json.media).toEqual([
			{ name: 'image-0.png', mimeType: 'image/png', size: 70 },
			{ name: 'note.txt', mimeType: 'text/plain', size: 7 },
		]);

		const raw = await activated({ parameters: { options, simplify: false } });
		const { outputs: rawOutputs } = await raw.deliver(sampleEvent('mmsInbound'));
		expect(rawOutputs[0]?.[0]?.json).toMatchObject({ mo: sampleEvent('mmsInbound').mo });
	});
});

describe('a delivery that is not for this workflow', () => {
	const event = sampleEvent('smsInbound');

	it('is read only for who has the token', async () => {
		const { trigger, query } = await activated();
		const readBy = async (sender: Record<string, unknown>) => {
			let reads = 0;
			const readRawBody = async () => void reads++;
			const headers = { 'content-type': 'text/plain' };
			const { status } = await trigger.receive({ query: sender, headers, readRawBody });
			return { status, reads };
		};
		expect(await readBy({ token: 'guess' })).toEqual({ status: 401, reads: 0 });
		expect(await readBy({ token: 'x'.repeat(43) })).toEqual({ status: 401, reads: 0 });
		expect(await readBy(query)).toEqual({ status: 400, reads: 1 });
	});

	it('is ignored when its type is not subscribed', async () => {
		const { deliver } = await activated({ parameters: { events: ['OPT_OUT'] } });
		expect(await deliver(event)).toMatchObject({ status: 200, started: false });
	});

	it.each([
		['a list', [event], undefined],
		['a text', 'STOP', undefined],
		['nothing', undefined, undefined],
		['an empty object', {}, Buffer.alloc(0)],
		['null', null, undefined],
	])('is answered with 400 when it is %s', async (_, body, rawBody) => {
		const { trigger, query } = await activated();
		expect(await trigger.receive({ body, query, rawBody })).toMatchObject({
			status: 400,
			started: false,
		});
	});

	it('is answered with 400 when it is a form', async () => {
		const { trigger, query } = await activated();
		const delivery = {
			body: { event_type: 'OPT_OUT' },
			rawBody: Buffer.from('event_type=OPT_OUT'),
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
			query,
		};
		expect(await trigger.receive(delivery)).toMatchObject({ status: 400, started: false });
	});
});

describe('a delivery with the token', () => {
	it.each([
		['another webhook', '00000000-0000-4000-8000-000000000000'],
		['no webhook', undefined],
	])('starts the workflow without a request, although it names %s', async (_, id) => {
		const { trigger, query } = await activated();
		const before = (await service.control.requests()).length;
		const body = { ...sampleEvent('smsInbound'), webhook_id: id };
		expect(await trigger.receive({ body, query })).toMatchObject({ status: 200, started: true });
		expect(await service.control.requests()).toHaveLength(before);
	});
});

describe('a process that did not register the webhook', () => {
	it('recognises the token from the key alone', async () => {
		const { deliver } = await activated();
		const other = await createTrigger({
			credentials: service.credentials,
			parameters: { events: allEvents },
		});
		expect(await deliver(sampleEvent('smsInbound'), other)).toMatchObject({ started: true });
	});

	it('accepts the registered token after a change of the key, and no other', async () => {
		const { trigger, deliver } = await activated();
		const credentials = credentialsFor(service.url, 'rotated-key');
		const parameters = { events: allEvents };
		const stored = await createTrigger({
			credentials,
			parameters,
			staticData: trigger.staticData(),
		});
		const empty = await createTrigger({ credentials, parameters });
		expect(await deliver(sampleEvent('smsInbound'), stored)).toMatchObject({ started: true });
		expect(await deliver(sampleEvent('smsInbound'), empty)).toMatchObject({ status: 401 });
	});

	it('lets nobody in when the credential has no key', async () => {
		const broken = await createTrigger({
			credentials: credentialsFor(service.url, ''),
			parameters: { events: allEvents },
		});
		const body = sampleEvent('smsInbound');
		expect(await broken.receive({ body, query: { token: '' } })).toMatchObject({ status: 401 });
	});
});

describe('statuses', () => {
	const passed = async (options: object, names: string[], id: string) => {
		const { deliver } = await activated({ parameters: { options } as never });
		const kept: string[] = [];
		for (const name of names) {
			if ((await deliver(status(id, name))).started) kept.push(name);
		}
		return kept;
	};

	it('all come through by default, also twice', async () => {
		const names = ['SENT', 'DELIVERED', 'SENT', 'DELIVERED'];
		expect(await passed({}, names, 'default')).toEqual(names);
	});

	it('come through once and never go backwards with Skip Outdated Statuses', async () => {
		const names = ['SENT', 'SENT', 'DELIVERED', 'SENT', 'READ', 'DELIVERED', 'READ'];
		expect(await passed({ skipOutdatedStatuses: true }, names, 'drop')).toEqual([
			'SENT',
			'DELIVERED',
			'READ',
		]);
	});

	const options = { skipOutdatedStatuses: true };

	it('of each recipient of a bulk message count for themselves, and so does every OTHER', async () => {
		const { deliver } = await activated({ parameters: { options } });
		const startedBy = async (recipient: string, name: string) => {
			const event = changed(status('bulk', name), 'status.recipient', recipient);
			return (await deliver(event)).started;
		};
		expect(await startedBy('61491570156', 'DELIVERED')).toBe(true);
		expect(await startedBy('61491570157', 'SENT')).toBe(true);
		expect(await startedBy('61491570157', 'DELIVERED')).toBe(true);
		expect(await startedBy('61491570156', 'DELIVERED')).toBe(false);
		for (const other of ['OTHER', 'OTHER', 'Other', 'Other']) {
			expect(await startedBy('61491570158', other)).toBe(true);
		}
	});

	it('are only the final ones with Only Final Statuses', async () => {
		const names = ['SENT', 'ACCEPTED', 'SOFT_BOUNCE', 'DELIVERED', 'READ', 'OTHER'];
		expect(await passed({ onlyFinalStatuses: true }, names, 'final')).toEqual([
			'SOFT_BOUNCE',
			'DELIVERED',
			'READ',
			'OTHER',
		]);
	});

	it('are still dropped for nothing but statuses', async () => {
		const { deliver } = await activated({ parameters: { options } });
		for (let time = 0; time < 2; time++) {
			expect(await deliver(sampleEvent('smsInbound'))).toMatchObject({ started: true });
		}
	});
});
