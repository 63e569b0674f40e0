import { describe, expect, it } from 'vitest';
import { eventGroups, outputIndexOf } from '../../../../nodes/Kudosity/trigger/eventGroups.ts';

describe('outputIndexOf', () => {
	it.each([
		['SMS_INBOUND', 'Replies'],
		['MMS_INBOUND', 'Replies'],
		['RCS_INBOUND', 'Replies'],
		['WHATSAPP_INBOUND', 'Replies'],
		['OPT_OUT', 'Opt-Outs'],
		['SMS_STATUS', 'Delivery'],
		['MMS_STATUS', 'Delivery'],
		['RCS_STATUS', 'Delivery'],
		['WHATSAPP_STATUS', 'Delivery'],
		['LINK_HIT', 'Clicks'],
		['FAX_INBOUND', 'Other'],
		[undefined, 'Other'],
		[{}, 'Other'],
	])('%s leaves through %s', (eventType, output) => {
		expect(eventGroups[outputIndexOf(eventType)]).toBe(output);
	});

	it('keeps the order that workflows are wired to', () => {
		expect(eventGroups).toEqual(['Replies', 'Opt-Outs', 'Delivery', 'Clicks', 'Other']);
	});
});
