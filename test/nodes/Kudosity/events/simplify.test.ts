import { describe, expect, it } from 'vitest';
import { eventTypes, classifyReply, readEvent, simplifyEvent } from '../../../seams.ts';
import {
	changed,
	richContents,
	sampleEvent,
	sampleNames,
	type Json,
} from '../../../fixtures/events/index.ts';

const simplify = (event: Json) => {
	const { event: parsed, parseIssues } = readEvent(event)!;
	expect(parseIssues).toEqual([]);
	return simplifyEvent(parsed!);
};

const webhook = {
	webhookId: '0d0f2a52-7c1e-4c39-9d0b-5a6f0f0e9b11',
	webhookName: 'n8n: Front desk - Kudosity Trigger',
};
const contact = '61491578888';
const sender = '61491570006';
const messageId = '5b2f7f0e-3f4f-4a86-9a38-2f6f1c0b7a21';
const sourceText = 'Your table for four is booked. Details: https://sho.example/k3Xq';
const inReplyTo = { messageId, messageRef: 'booking-4182', text: sourceText };

describe('the record of an event', () => {
	it.each(Object.values(sampleNames))('begins %s with what it is and when it came', (name) => {
		expect(Object.keys(simplify(sampleEvent(name))).slice(0, 4)).toEqual([
			'eventType',
			'channel',
			'timestamp',
			'messageId',
		]);
	});

	it.each<[string, string, string, string, Json]>([
		[
			'smsInbound',
			'SMS_INBOUND',
			'11:58:03.000',
			'mo-2way-7d41c3a0',
			{
				routedVia: '61491571266',
				text: 'YES ',
				keyword: 'YES',
				plainText: 'YES',
				answer: 'yes',
				isOptOutKeyword: false,
				isOptInKeyword: false,
				isReaction: false,
				isReply: true,
				inReplyTo,
			},
		],
		[
			'smsInboundWithoutLastMessage',
			'SMS_INBOUND',
			'11:58:03.100',
			'mo-2way-7d41c3a1',
			{
				text: 'Is anybody there?',
				keyword: 'IS',
				plainText: 'IS ANYBODY THERE',
				isOptOutKeyword: false,
				isOptInKeyword: false,
				isReaction: false,
				isReply: false,
			},
		],
		[
			'mmsInbound',
			'MMS_INBOUND',
			'11:59:41.987',
			'yQ7p0Wr2_8@mmsc.carrier.example',
			{
				isOptOutKeyword: false,
				isOptInKeyword: false,
				isReaction: false,
				subject: 'Receipt',
				isReply: false,
			},
		],
		[
			'rcsInboundText',
			'RCS_INBOUND',
			'12:06:51.246',
			'rcs-text-1',
			{
				sender: 'FrontDesk',
				text: 'Half past nine suits me ',
				keyword: 'HALF',
				plainText: 'HALF PAST NINE SUITS ME',
				isOptOutKeyword: false,
				isOptInKeyword: false,
				isReaction: false,
				contentType: 'TEXT',
				content: { text: { message: 'Half past nine suits me ' } },
				isReply: false,
			},
		],
		[
			'whatsappInboundReaction',
			'WHATSAPP_INBOUND',
			'12:06:51.246',
			'whatsapp-reaction-1',
			{
				isOptOutKeyword: false,
				isOptInKeyword: false,
				isReaction: true,
				contentType: 'REACTION',
				content: { reaction: { action: 'react', emoji: '👍' } },
				isReply: false,
			},
		],
		[
			'smsStatusDelivered',
			'SMS_STATUS',
			'11:58:07.123',
			messageId,
			{
				messageRef: 'booking-4182',
				routedVia: '61491571266',
				status: 'DELIVERED',
				isFinal: true,
				isFailure: false,
			},
		],
		[
			'smsStatusUnknown',
			'SMS_STATUS',
			'11:58:07.000',
			'no-uuid-77',
			{ sender: 'Acme', status: 'PARKED_BY_CARRIER', isFinal: false, isFailure: false },
		],
		[
			'mmsStatusDelivered',
			'MMS_STATUS',
			'12:01:07.000',
			'9a0c0f31-0b1e-4c9f-8d3a-0f6a4a0b1c22',
			{
				status: 'DELIVERED',
				isFinal: true,
				isFailure: false,
				description: 'Handed to the carrier (response status details: Success)',
			},
		],
		[
			'rcsStatusRead',
			'RCS_STATUS',
			'12:02:10.876',
			'bc2e0a4a-1111-49de-9912-20cb4148c21f',
			{
				messageRef: 'promo-7',
				sender: 'FrontDesk',
				status: 'READ',
				isFinal: true,
				isFailure: false,
				campaignId: 'c0ffee00-0000-4000-8000-000000000001',
			},
		],
		[
			'whatsappStatusUndeliverable',
			'WHATSAPP_STATUS',
			'12:03:10.500',
			'wa-1',
			{ status: 'UNDELIVERABLE', isFinal: true, isFailure: true },
		],
		[
			'linkHit',
			'LINK_HIT',
			'12:04:04.789',
			messageId,
			{
				channel: 'SMS',
				messageRef: 'booking-4182',
				url: 'https://www.example.com/bookings/4182',
				hits: 3,
				sourceText,
			},
		],
		[
			'linkHitMms',
			'LINK_HIT',
			'12:04:05.000',
			messageId,
			{
				channel: 'MMS',
				messageRef: 'booking-4182',
				url: 'https://www.example.com/menu',
				hits: 1,
				sourceText,
			},
		],
		[
			'optOutByLink',
			'OPT_OUT',
			'12:05:20.456',
			messageId,
			{ channel: 'SMS', messageRef: 'booking-4182', optOutSource: 'LINK_HIT', sourceText },
		],
		[
			'optOutBySms',
			'OPT_OUT',
			'12:05:21.000',
			messageId,
			{ channel: 'SMS', optOutSource: 'SMS_INBOUND', sourceText },
		],
	])('makes one flat record of %s', (name, eventType, time, id, fields) => {
		expect(simplify(sampleEvent(name))).toStrictEqual({
			...{ eventType, channel: eventType.split('_')[0], messageId: id },
			timestamp: `2026-08-05T${time}Z`,
			...{ contact, sender, ...webhook, ...fields },
		});
	});

	const empty = { type: '', id: '', sender: '', recipient: '', message: '', content_urls: [] };

	it.each([{}, empty])('takes a first message for one, although it quotes %j', (quote) => {
		const record = simplify(changed(sampleEvent('smsInbound'), 'mo.last_message', quote));
		expect(record).toMatchObject({ isReply: false });
		expect(record).not.toHaveProperty('inReplyTo');
	});

	it('takes null and empty text for absent, but keeps an empty message', () => {
		const event = changed(sampleEvent('smsInbound'), 'mo.last_message', null);
		const record = simplify(changed(changed(event, 'mo.routed_via', ''), 'mo.message', ''));
		expect(record).toMatchObject({ text: '', isReply: false });
		expect(Object.keys(record)).not.toEqual(expect.arrayContaining(['routedVia']));
		expect(Object.keys(record)).not.toEqual(expect.arrayContaining(['inReplyTo']));
	});

	it.each([
		[{ TEXT: { text: { message: 'Stop!' } } }, 'STOP', true],
		[{ BUTTON: { button: { text: 'Opt out', payload: 'x-1' } } }, 'OPT', true],
		[{ BUTTON: { button: { text: 'Confirm', payload: 'STOP' } } }, 'CONFIRM', false],
		[{ REPLY: { reply: { id: 'slot-2', title: 'Tuesday, 10 am' } } }, 'TUESDAY', false],
		[{ REPLY: { reply: { id: 'STOP' } } }, undefined, false],
		[{ IMAGE: { image: { url: 'https://x.example/a.jpg', caption: 'STOP' } } }, undefined, false],
	])('reads the words of %j', (contents, keyword, isOptOutKeyword) => {
		const [[kind, content] = []] = Object.entries(contents);
		const event = changed(sampleEvent('whatsappInboundReaction'), 'mo.content_type', kind);
		const record = simplify(changed(event, 'mo.content', content));
		expect(record).toMatchObject({ isOptOutKeyword });
		expect(record.keyword).toBe(keyword);
	});

	const text = { text: { message: 'Yes' } };
	const button = { button: { text: 'Yes', payload: 'approve' } };
	const reply = { reply: { id: 'slot-2', title: 'Yes' } };

	it.each([
		[{ message: 'No', content_type: 'TEXT', content: text }, 'No', 'NO'],
		[{ message: null, content_type: 'TEXT', content: text }, 'Yes', 'YES'],
		[{ message: '', content_type: 'TEXT', content: text }, '', 'YES'],
		[{ content_type: 'BUTTON', content: button }, undefined, 'YES'],
		[{ content_type: 'REPLY', content: reply }, undefined, 'YES'],
	])('has the words of %j, which are those that answer a question, too', (mo, text, keyword) => {
		const event = sampleEvent('whatsappInboundReaction');
		const received = readEvent({ ...event, mo: { ...(event.mo as Json), ...mo } })!;
		const record = simplifyEvent(received.event!);
		expect({ text: record.text, keyword: record.keyword }).toEqual({ text, keyword });
		const question = { ask: 'a', reference: 'r', contact, senders: [sender] };
		const verdict = classifyReply(
			{ ...question, responseType: 'freeText', onUnexpectedReply: 'keepWaiting' },
			received,
		);
		expect(verdict).toMatchObject({ kind: 'answer', text: expect.stringMatching(/^(Yes|No)$/) });
		expect((verdict as { text: string }).text.toUpperCase()).toBe(keyword);
	});

	it('tells a STOP, which arrives as a message and as an opt-out', () => {
		const event = changed(sampleEvent('smsInbound'), 'mo.message', ' Stop.');
		expect(simplify(event)).toMatchObject({
			text: ' Stop.',
			keyword: 'STOP',
			isOptOutKeyword: true,
		});
	});

	it('takes a way to opt out that is not documented', () => {
		const event = changed(sampleEvent('optOutByLink'), 'opt_out.source', 'PORTAL');
		expect(simplify(event)).toMatchObject({ optOutSource: 'PORTAL' });
	});

	it.each([
		['2026-08-05T11:58:03Z', '2026-08-05T11:58:03.000Z'],
		['2026-08-05T11:58:03.1Z', '2026-08-05T11:58:03.100Z'],
		['2026-08-05T11:58:03.1239Z', '2026-08-05T11:58:03.123Z'],
		['2026-08-05T11:58:03.987654Z', '2026-08-05T11:58:03.987Z'],
		['2026-08-05T11:58:03.999999999Z', '2026-08-05T11:58:03.999Z'],
		['2026-08-05T24:00:00.0001Z', '2026-08-06T00:00:00.000Z'],
		['2026-08-05T21:58:03+10:00', '2026-08-05T11:58:03.000Z'],
		['2026-08-05T21:58:03.5+1000', '2026-08-05T11:58:03.500Z'],
		['2026-08-05T11:58:03', '2026-08-05T11:58:03.000Z'],
		['2026-08-05 11:58:03', '2026-08-05T11:58:03.000Z'],
		['yesterday', 'yesterday'],
		['2026-13-45T99:00:00Z', '2026-13-45T99:00:00Z'],
		['1754395083', '1754395083'],
		['2026-08-05', '2026-08-05'],
	])('gives the time %j in UTC with milliseconds, unless it is none', (timestamp, shown) => {
		expect(simplify({ ...sampleEvent('smsInbound'), timestamp }).timestamp).toBe(shown);
	});

	it('leaves out what events of older versions do not have', () => {
		const old = changed(
			changed(sampleEvent('linkHit'), 'webhook_id', undefined),
			'webhook_name',
			undefined,
		);
		expect(Object.keys(simplify(old))).not.toContain('webhookId');
	});

	it('judges an event by its type, whatever else it carries', () => {
		const event = { ...sampleEvent('linkHit'), status: { anything: true }, mo: null };
		expect(simplify(event)).toMatchObject({ eventType: 'LINK_HIT', hits: 3 });
	});

	it('turns numbers that arrive as JSON numbers into text', () => {
		const event = changed(sampleEvent('smsStatusDelivered'), 'status.recipient', 61491578888);
		expect(simplify(event)).toMatchObject({ contact });
		expect(simplify(changed(event, 'webhook_id', 17))).toMatchObject({ webhookId: '17' });
	});
});

describe('an event', () => {
	it('reads hits that are a text, but not more than anybody can count', () => {
		const hitsOf = (hits: string) =>
			readEvent(changed(sampleEvent('linkHit'), 'link_hit.hits', hits))?.event;
		expect(hitsOf('12')).toMatchObject({ payload: { linkHit: { hits: 12 } } });
		expect(hitsOf('9'.repeat(400))).toBeUndefined();
	});

	it('knows every event type that can be subscribed to', () => {
		const types = Object.values(sampleNames).map((name) => simplify(sampleEvent(name)).eventType);
		expect(types.sort()).toEqual([...eventTypes].sort());
	});

	const required = {
		LINK_HIT: [
			'link_hit',
			'link_hit.url',
			'link_hit.hits',
			'link_hit.source_message',
			'link_hit.source_message.id',
		],
		MMS_INBOUND: ['mo', 'mo.id', 'mo.sender', 'mo.recipient'],
		MMS_STATUS: [
			'status',
			'status.id',
			'status.type',
			'status.sender',
			'status.recipient',
			'status.status',
		],
		OPT_OUT: ['opt_out', 'opt_out.source_message', 'opt_out.source_message.recipient'],
		RCS_INBOUND: ['mo', 'mo.id', 'mo.content', 'mo.content.text', 'mo.content.text.message'],
		RCS_STATUS: ['status', 'status.id'],
		SMS_INBOUND: ['mo', 'mo.sender', 'mo.recipient'],
		SMS_STATUS: ['status', 'status.recipient'],
		WHATSAPP_INBOUND: ['mo', 'mo.recipient', 'mo.content.reaction', 'mo.content.reaction.action'],
		WHATSAPP_STATUS: ['status', 'status.sender', 'status.status'],
	};
	const cases = Object.entries(required).flatMap(([type, paths]) =>
		paths.map((path) => [type as keyof typeof sampleNames, path] as const),
	);

	it.each(cases)('says so when %s lacks %s', (type, path) => {
		const { event, parseIssues } = readEvent(
			changed(sampleEvent(sampleNames[type]), path, undefined),
		)!;
		expect(event).toBeUndefined();
		expect(parseIssues.join()).toContain(path);
	});

	it.each([null, undefined, ''])(
		'keeps who opted out of a message without a text (%s), such as a picture',
		(text) => {
			const event = changed(sampleEvent('optOutByLink'), 'opt_out.source_message.message', text);
			const { contact } = simplify(sampleEvent('optOutByLink'));
			expect(contact).toMatch(/^614\d{8}$/);
			expect(simplify(event)).toMatchObject({ eventType: 'OPT_OUT', contact });
			expect(simplify(event)).not.toHaveProperty('sourceText');
		},
	);

	it.each([
		['optOutByLink', 'opt_out.source', undefined, { optOutSource: undefined }],
		['optOutByLink', 'opt_out.source', null, { optOutSource: undefined }],
		['optOutByLink', 'opt_out.source', 7, { optOutSource: undefined }],
		['optOutByLink', 'timestamp', {}, { timestamp: undefined }],
		['smsInbound', 'mo.last_message.id', undefined, { isReply: false, inReplyTo: undefined }],
		['smsInbound', 'mo.last_message.sender', {}, { isReply: false, inReplyTo: undefined }],
		['smsInbound', 'mo.last_message', 'Hi', { isReply: false, inReplyTo: undefined }],
		['smsInbound', 'mo.type', undefined, {}],
		['rcsInboundText', 'mo.type', 7, {}],
		['rcsInboundText', 'timestamp', undefined, { timestamp: undefined }],
		['rcsInboundText', 'timestamp', 1763942400, { timestamp: undefined }],
		['smsStatusDelivered', 'timestamp', null, { timestamp: undefined }],
		['linkHit', 'timestamp', [], { timestamp: undefined }],
	])(
		'of %s is left out and named where it cannot be read: %s is %j',
		(name, path, value, missing) => {
			const whole = simplify(sampleEvent(name));
			const { event, parseIssues } = readEvent(changed(sampleEvent(name), path, value))!;
			expect(parseIssues.join()).toContain(path);
			// A field that is undefined counts as absent.
			expect(simplifyEvent(event!)).toEqual({ ...whole, ...missing });
		},
	);

	it('names all parts that are left out', () => {
		const odd = { ...sampleEvent('smsInbound'), timestamp: null };
		const { event, parseIssues } = readEvent(
			changed(changed(odd, 'mo.type', null), 'mo.last_message', 'Hi'),
		)!;
		expect(parseIssues.map((issue) => issue.split(':')[0])).toEqual(
			expect.arrayContaining(['timestamp', 'mo.type', 'mo.last_message']),
		);
		expect(event?.payload.kind).toBe('inbound');
	});

	it.each([
		['mo', []],
		['mo.sender', []],
		['mo.recipient', []],
		['mo.id', []],
		['mo.content_type', []],
		['mo.content', []],
		['mo.content', null],
		['mo.content', 'Hi'],
		['mo.content.text', 'Hi'],
		['mo.content.text.message', 7],
	])('is as it was sent where nobody can read who wrote what: %s is %j', (path, value) => {
		const sent = changed({ ...sampleEvent('rcsInboundText'), timestamp: null }, path, value);
		const { event, body, parseIssues } = readEvent(sent)!;
		expect(event).toBeUndefined();
		expect(body).toEqual(sent);
		expect(parseIssues.join()).toContain(path.split('.').slice(0, 2).join('.'));
	});

	const shapes = Object.entries(richContents());

	it.each(shapes)('reads content of the kind %s on RCS and WhatsApp', (kind, content) => {
		for (const name of ['rcsInboundText', 'whatsappInboundReaction']) {
			const event = changed(
				changed(sampleEvent(name), 'mo.content_type', kind),
				'mo.content',
				content,
			);
			expect(simplify(event)).toMatchObject({ contentType: kind, content });
		}
	});

	it.each(shapes)('says so when the content of the kind %s is another one', (kind) => {
		const event = changed(sampleEvent('rcsInboundText'), 'mo.content_type', kind);
		const { parseIssues } = readEvent(changed(event, 'mo.content', { something: {} }))!;
		expect(parseIssues.join()).toContain(`mo.content.${kind.toLowerCase()}`);
	});

	it('lets a kind of content pass that nobody knows', () => {
		const event = changed(sampleEvent('rcsInboundText'), 'mo.content_type', 'POLL');
		expect(simplify(event)).toMatchObject({ contentType: 'POLL' });
	});

	it.each([
		['FAX_INBOUND', 'FAX_INBOUND is not a known event type'],
		[undefined, 'missing'],
		['', 'missing'],
		[17, 'missing'],
	])('describes the event type %s', (eventType, issue) => {
		const { event, parseIssues } = readEvent(
			changed(sampleEvent('linkHit'), 'event_type', eventType),
		)!;
		expect(event).toBeUndefined();
		expect(parseIssues).toEqual([`event_type: ${issue}`]);
	});
});

describe('the contact of a record', () => {
	it.each([
		['5215512345678', '525512345678'],
		['+5215512345678', '525512345678'],
		['541123456789', '5491123456789'],
		['551197654321', '5511997654321'],
		['+61491570006', '61491570006'],
	])('is the same person however the service spells it: %s is %s', (written, person) => {
		const inbound = changed(sampleEvent('whatsappInboundReaction'), 'mo.sender', written);
		const status = changed(sampleEvent('whatsappStatusUndeliverable'), 'status.recipient', written);
		const optOut = changed(
			sampleEvent('optOutByLink'),
			'opt_out.source_message.recipient',
			written,
		);
		const hit = changed(sampleEvent('linkHit'), 'link_hit.source_message.recipient', written);
		const contacts = [inbound, status, optOut, hit].map((event) => simplify(event).contact);
		expect(contacts).toEqual([person, person, person, person]);
	});

	it('alone is spelled so: a sender is the number that the account has', () => {
		const event = changed(sampleEvent('smsInbound'), 'mo.recipient', '551197654321');
		expect(simplify(event).sender).toBe('551197654321');
	});
});
