import { describe, expect, it } from 'vitest';
import { KudosityTrigger } from '../../../../nodes/Kudosity/KudosityTrigger.node.ts';
import { eventTypes } from '../../../../nodes/Kudosity/api/schemas/webhook.schema.ts';
import {
	filterOf,
	readTriggerParameters,
	triggerParameterNames,
} from '../../../../nodes/Kudosity/trigger/triggerParameters.ts';

const filterFor = (filters: unknown, events: unknown = ['SMS_STATUS']) =>
	filterOf(readTriggerParameters({ events, filters }));

describe('filterOf', () => {
	it('always names the event types, in one order', () => {
		expect(filterFor({}, ['SMS_STATUS', 'OPT_OUT', 'SMS_STATUS'])).toEqual({
			event_type: ['OPT_OUT', 'SMS_STATUS'],
		});
	});

	it.each([[[]], [null], [''], [['FAX']]])('refuses %j for events', (events) => {
		expect(() => filterFor({}, events)).toThrow("'Events' is empty");
	});

	it('sends each filter under the name of the service', () => {
		const filters = {
			sender: ['61491570006', 'Acme'],
			messageRef: ['order-1'],
			status: ['DELIVERED', 'failed'],
			campaignId: ['c-1'],
		};
		expect(filterFor(filters)).toEqual({
			event_type: ['SMS_STATUS'],
			sender: ['61491570006', 'Acme'],
			message_ref: ['order-1'],
			status: ['DELIVERED', 'FAILED'],
			campaign_id: ['c-1'],
		});
	});

	it.each([
		['a list', ['61491570006', '61491570156']],
		['one text with commas', '61491570006, 61491570156'],
		['a list with commas', [' 61491570006,61491570156 ', '']],
		['numbers', [61491570006, 61491570156]],
		['a list in a list, as an expression makes it', [['61491570006', '61491570156']]],
	])('takes %s for a filter', (_, sender) => {
		expect(filterFor({ sender }).sender).toEqual(['61491570006', '61491570156']);
	});

	it('leaves commas in message references: they may belong there', () => {
		expect(filterFor({ messageRef: 'Smith, Robin' }).message_ref).toEqual(['Smith, Robin']);
	});

	it.each([[{}], [undefined], [{ sender: [], status: '', messageRef: [' '] }], [{ sender: null }]])(
		'has no further filter for %j',
		(filters) => {
			expect(filterFor(filters)).toEqual({ event_type: ['SMS_STATUS'] });
		},
	);
});

describe('readTriggerParameters', () => {
	it('has the documented defaults', () => {
		expect(readTriggerParameters({ events: ['OPT_OUT'] })).toMatchObject({
			simplify: true,
			options: {
				downloadMedia: true,
				mediaProperty: 'media',
				outputs: 'single',
				onlyFinalStatuses: false,
				dropRepeatedStatuses: false,
			},
		});
	});
});

describe('the fields of the trigger', () => {
	const { description } = new KudosityTrigger();
	const field = (name: string) => description.properties.find((property) => property.name === name);

	it('are those that are read', () => {
		const names = description.properties.map(({ name }) => name);
		expect(names.sort()).toEqual([...triggerParameterNames].sort());
	});

	it('keep the values that workflows have stored', () => {
		const values = (name: string) =>
			(field(name)?.options ?? []).map((option) =>
				'value' in option ? option.value : option.name,
			);
		expect(values('events').sort()).toEqual([...eventTypes].sort());
		expect(values('filters')).toEqual(['campaignId', 'messageRef', 'sender', 'status']);
		expect(values('options')).toEqual([
			'downloadMedia',
			'dropRepeatedStatuses',
			'mediaProperty',
			'onlyFinalStatuses',
			'outputs',
		]);
	});

	it('offer each default that is read', () => {
		const defaults = Object.fromEntries(
			(field('options')?.options ?? []).map((option) => [
				option.name,
				'default' in option ? option.default : undefined,
			]),
		);
		expect(defaults).toEqual(readTriggerParameters({}).options);
	});

	it('say what isReply can promise', () => {
		expect(field('simplify')?.hint).toContain('may not be the one that was answered');
	});

	it('let no expression delay a delivery', () => {
		expect(JSON.stringify(description.webhooks)).not.toContain('=');
		expect(description.webhooks).toEqual([
			{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' },
		]);
	});

	it('is not offered to AI agents as a tool', () => {
		expect(description.usableAsTool).toBeUndefined();
	});
});
