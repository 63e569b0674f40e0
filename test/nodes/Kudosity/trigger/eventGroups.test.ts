import { describe, expect, it } from 'vitest';
import { eventTypes, type EventType, kindOf, eventGroups, outputIndexOf } from '../../../seams.ts';

/** The output of every event that can be subscribed to. */
const outputs: Record<EventType, (typeof eventGroups)[number]> = {
	LINK_HIT: 'Clicks',
	MMS_INBOUND: 'Replies',
	MMS_STATUS: 'Delivery',
	OPT_OUT: 'Opt-Outs',
	RCS_INBOUND: 'Replies',
	RCS_STATUS: 'Delivery',
	SMS_INBOUND: 'Replies',
	SMS_STATUS: 'Delivery',
	WHATSAPP_INBOUND: 'Replies',
	WHATSAPP_STATUS: 'Delivery',
};

const outputOf = (eventType: unknown) => eventGroups[outputIndexOf(kindOf(eventType))];

describe('outputIndexOf', () => {
	it.each(eventTypes)('sends %s through the output of its kind', (eventType) => {
		expect(outputOf(eventType)).toBe(outputs[eventType]);
	});

	it.each([
		['FAX_INBOUND'],
		['FAX_STATUS'],
		[undefined],
		[{}],
		[{ toString: null }],
		[['SMS_INBOUND']],
	])('sends %j, which nobody knows, through Other', (eventType) => {
		expect(outputOf(eventType)).toBe('Other');
	});

	it('sends a type of a new kind through Other, once it can be subscribed to', () => {
		const known: string[] = eventTypes as never;
		known.push('CALL_ENDED');
		const output = outputOf('CALL_ENDED');
		known.pop();
		expect(output).toBe('Other');
	});

	it('keeps the order that workflows are wired to', () => {
		expect(eventGroups).toEqual(['Replies', 'Opt-Outs', 'Delivery', 'Clicks', 'Other']);
	});
});
