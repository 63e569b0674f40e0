import { describe, expect, it } from 'vitest';
import type { EventBody } from '../../../playground/emulator/events/events.ts';
import { sampleEvent } from '../../../playground/emulator/events/samples.ts';
import {
	matchesFilter,
	type WebhookFilter,
} from '../../../playground/emulator/events/webhookFilter.ts';

/** About message `ref-1` of campaign `spring`, from 61491570006. */
const status = sampleEvent('SMS_STATUS');
const inbound = sampleEvent('SMS_INBOUND');
const click = sampleEvent('LINK_HIT');
Object.assign(status.status!, { message_ref: 'ref-1', campaign_id: 'spring', status: 'FAILED' });
Object.assign(inbound.mo!.last_message!, { message_ref: 'ref-1', campaign_id: 'spring' });
Object.assign(click.link_hit!.source_message, { message_ref: 'ref-1' });
const unasked = structuredClone(inbound);
delete unasked.mo!.last_message;

describe('matchesFilter', () => {
	it.each<[string, WebhookFilter | null, EventBody, boolean]>([
		['no filter passes everything', null, status, true],
		['an empty array does not filter', { sender: [] }, status, true],
		['one of several event types', { event_type: ['OPT_OUT', 'SMS_STATUS'] }, status, true],
		['another event type', { event_type: ['SMS_INBOUND'] }, status, false],
		['one of several statuses', { status: ['DELIVERED', 'FAILED'] }, status, true],
		['another status', { status: ['DELIVERED'] }, status, false],
		['a status filter lets other events pass', { status: ['DELIVERED'] }, inbound, true],
		['all fields match', { status: ['FAILED'], message_ref: ['ref-1'] }, status, true],
		['one of two fields does not', { status: ['FAILED'], message_ref: ['x'] }, status, false],
		['the sender of a status', { sender: ['61491570006'] }, status, true],
		['a sender written with a plus', { sender: ['+61491570006'] }, status, true],
		['the own number of a reply', { sender: ['61491570006'] }, inbound, true],
		['the contact of a reply is no sender', { sender: ['61491578888'] }, inbound, false],
		['the reference of the message before', { message_ref: ['ref-1'] }, inbound, true],
		['the campaign of the message before', { campaign_id: ['spring'] }, inbound, true],
		['a text out of the blue has no reference', { message_ref: ['ref-1'] }, unasked, false],
		['the source message of a click', { message_ref: ['ref-1'] }, click, true],
		['the sender of the source message', { sender: ['61491570006'] }, click, true],
		['another reference of a click', { message_ref: ['x'] }, click, false],
	])('%s', (_label, filter, event, expected) => {
		expect(matchesFilter(filter, event)).toBe(expected);
	});
});
