import { describe, expect, it } from 'vitest';
import {
	KudosityTrigger,
	eventTypes,
	readFields,
	create,
	deliveryFields,
	webhookFields,
	wantedFilters,
} from '../../../seams.ts';

type Values = Record<string, unknown>;

const readForDelivery = (values: Values) => readFields(deliveryFields, values, { timeZone: 'UTC' });

const readForWebhooks = (values: Values) => readFields(webhookFields, values, { timeZone: 'UTC' });

const filterFor = (filters: unknown, events: unknown = ['SMS_STATUS']) =>
	wantedFilters({ ...readForWebhooks({ events, filters }), onlyFinalStatuses: false })[0]!.filter;

const rateLimitFor = (rateLimit: unknown) =>
	readForWebhooks({ options: { rateLimit } }).options.rateLimit;

describe('the filter', () => {
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

	it('sends phone numbers as events carry them, whatever way they are written, and each once', () => {
		const sender = ['+61 491 570 006', '61491570006', '(61) 491-570-156', 'Acme Bank Agent'];
		expect(filterFor({ sender }).sender).toEqual(['61491570006', '61491570156', 'Acme Bank Agent']);
	});

	it.each([
		[{ sender: [{ number: '61491570006' }] }, "'Filters > Sender' is not a list of texts"],
		[{ status: ['LOST'] }, "'Filters > Status' has a value at position 1 that does not exist"],
		['Acme', "'Filters' is not a set of fields"],
	])('refuses %j, which would let every event through', (filters, message) => {
		expect(() => filterFor(filters)).toThrow(message);
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

describe('the rate limit', () => {
	it.each([
		[undefined, undefined],
		['', undefined],
		[0, 0],
		['20', 20],
		[10_000, 10_000],
	])('%j is read as %j', (value, expected) => {
		expect(rateLimitFor(value)).toBe(expected);
	});

	it.each([-1, 10_001, 1.5, 'many', [20]])('refuses %j', (value) => {
		expect(() => rateLimitFor(value)).toThrow("'Options > Rate Limit' is not a whole number");
	});
});

describe('what a delivery depends on', () => {
	it('has the documented defaults', () => {
		expect(readForDelivery({ events: ['OPT_OUT'] })).toEqual({
			events: ['OPT_OUT'],
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

describe('what expressions deliver', () => {
	it('is read as true or false, also as text', () => {
		const options = { downloadMedia: 'False', onlyFinalStatuses: 'TRUE' };
		expect(readForDelivery({ simplify: 'false', options })).toMatchObject({
			simplify: false,
			options: { downloadMedia: false, onlyFinalStatuses: true, dropRepeatedStatuses: false },
		});
	});

	describe.each<[unknown]>([
		['text'],
		[7],
		[true],
		[[]],
		[[{}]],
		[{ toString: 'text' }],
		[null],
		[undefined],
	])('%j', (value) => {
		it('never makes a delivery fail', () => {
			const values = { events: value, filters: value, simplify: value, options: value };
			expect(readForDelivery(values)).toEqual(readForDelivery({}));
		});

		it('never makes a delivery fail as an option', () => {
			const options = { outputs: value, rateLimit: value };
			expect(readForDelivery({ options })).toEqual(readForDelivery({}));
		});

		it('counts as no options at all in their place', () => {
			expect(readForWebhooks({ options: value })).toEqual(readForWebhooks({}));
		});
	});
});

describe('the fields of the trigger', () => {
	const { description } = new KudosityTrigger();
	const field = (name: string) => description.properties.find((property) => property.name === name);

	it('keep the names that workflows have stored', () => {
		const names = description.properties.map(({ name }) => name);
		expect(names.sort()).toEqual(['events', 'filters', 'options', 'simplify']);
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
			'rateLimit',
		]);
	});

	it('offer each default that is read', () => {
		const defaults = Object.fromEntries(
			(field('options')?.options ?? []).map((option) => [
				option.name,
				'default' in option ? option.default : undefined,
			]),
		);
		// A rate limit that is not set is not the same as its default: one set by hand stays.
		expect(defaults).toEqual({ ...readForDelivery({}).options, rateLimit: 0 });
	});

	it('offer the same filters, with the same help, as a webhook that is made by hand', () => {
		const byHand = create.properties.find(({ name }) => name === 'filters');
		expect(field('filters')?.options).toEqual(byHand?.options);
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
