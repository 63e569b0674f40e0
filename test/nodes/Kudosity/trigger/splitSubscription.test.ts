import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changed, sampleEvent, sampleNames } from '../../../fixtures/events/index.ts';
import {
	shouldStart,
	eventTypes,
	filterStatuses,
	readEvent,
	shareRateLimit,
	wantedFilters,
	type EventType,
} from '../../../seams.ts';

const last = [
	'SOFT_BOUNCE',
	'DELIVERED',
	'FAILED',
	'HARD_BOUNCE',
	'REJECTED',
	'UNDELIVERABLE',
	'READ',
	'OTHER',
];

type Case = [string, EventType[], { status?: string[]; final?: boolean }, object[]];

const filtersFor = (events: EventType[], status: string[] | undefined, final = false) =>
	wantedFilters({ events, filters: { status }, onlyFinalStatuses: final });

const rest = (event_type: EventType[]) => ({ part: 'rest', filter: { event_type } });
const filtered = (part: string, event_type: EventType[], status: string[]) => ({
	part,
	filter: { event_type, status },
});

describe('the webhooks of a trigger', () => {
	it.each<Case>([
		['one, for replies alone', ['SMS_INBOUND'], { final: true }, [rest(['SMS_INBOUND'])]],
		[
			'one, for replies alone, whose Status filter means nothing',
			['SMS_INBOUND', 'OPT_OUT'],
			{ status: ['DELIVERED'] },
			[rest(['SMS_INBOUND', 'OPT_OUT'])],
		],
		[
			'one, for everything that is not filtered',
			['SMS_INBOUND', 'SMS_STATUS'],
			{},
			[rest(['SMS_INBOUND', 'SMS_STATUS'])],
		],
		[
			'one, for filtered statuses alone',
			['SMS_STATUS', 'RCS_STATUS', 'WHATSAPP_STATUS'],
			{ final: true },
			[filtered('rest', ['SMS_STATUS', 'RCS_STATUS', 'WHATSAPP_STATUS'], last)],
		],
		[
			'two, for final statuses and replies',
			['SMS_INBOUND', 'SMS_STATUS', 'LINK_HIT'],
			{ final: true },
			[rest(['SMS_INBOUND', 'LINK_HIT']), filtered('status', ['SMS_STATUS'], last)],
		],
		[
			'two, for chosen statuses and replies',
			['SMS_INBOUND', 'SMS_STATUS', 'MMS_STATUS'],
			{ status: ['FAILED'] },
			[rest(['SMS_INBOUND']), filtered('status', ['SMS_STATUS', 'MMS_STATUS'], ['FAILED'])],
		],
		[
			'two, for final statuses with those of an MMS, which may end with SENT',
			['SMS_STATUS', 'MMS_STATUS'],
			{ final: true },
			[rest(['MMS_STATUS']), filtered('status', ['SMS_STATUS'], last)],
		],
		['one, for final statuses of an MMS', ['MMS_STATUS'], { final: true }, [rest(['MMS_STATUS'])]],
		[
			'one, for final ones among the chosen',
			['SMS_STATUS'],
			{ final: true, status: ['SENT', 'DELIVERED'] },
			[filtered('rest', ['SMS_STATUS'], ['DELIVERED'])],
		],
		[
			'one, for final ones among the chosen with those of an MMS',
			['SMS_STATUS', 'MMS_STATUS'],
			{ final: true, status: ['PENDING', 'SENT', 'DELIVERED'] },
			[filtered('rest', ['SMS_STATUS', 'MMS_STATUS'], ['SENT', 'DELIVERED'])],
		],
	])('are %s', (_, events, { status, final }, expected) => {
		expect(filtersFor(events, status, final)).toEqual(expected);
	});

	it('carry the other filters, each', () => {
		const filters = { sender: ['Acme'], campaignId: ['c-1'] };
		const events: EventType[] = ['SMS_INBOUND', 'SMS_STATUS'];
		for (const { filter } of wantedFilters({ events, filters, onlyFinalStatuses: true })) {
			expect(filter).toMatchObject({ sender: ['Acme'], campaign_id: ['c-1'] });
		}
	});

	it('are refused when the options leave no status', () => {
		expect(() => filtersFor(['SMS_STATUS', 'SMS_INBOUND'], ['SENT'], true)).toThrow(
			"'Only Final Statuses' skips every status",
		);
	});

	it.each(['SMS_STATUS', 'MMS_STATUS', 'RCS_STATUS', 'WHATSAPP_STATUS'] as const)(
		'let through each status that the trigger takes for a final one: %s',
		(type) => {
			const [webhook] = filtersFor([type], undefined, true);
			const passing = webhook?.filter.status ?? filterStatuses;
			const rules = { webhookIds: undefined, events: [type], onlyFinalStatuses: true };
			const accepted = filterStatuses.filter((status) => {
				const event = changed(sampleEvent(sampleNames[type]), 'status.status', status);
				return shouldStart(readEvent(event)!, rules);
			});
			expect(passing).toEqual(expect.arrayContaining(accepted));
			expect(accepted).toEqual(expect.arrayContaining(last));
		},
	);

	it('cover each event once, never without a type, and filter none that is no status', () => {
		fc.assert(
			fc.property(
				fc.subarray([...eventTypes], { minLength: 1 }),
				fc.option(fc.subarray([...filterStatuses])),
				fc.boolean(),
				(events, status, final) => {
					const chosen = [...(status ?? []), 'DELIVERED'];
					const wanted = filtersFor(events, status ? chosen : undefined, final);
					const covered = wanted.flatMap(({ filter }) => filter.event_type ?? []);
					expect(covered.sort()).toEqual([...events].sort());
					for (const { filter } of wanted) {
						expect(filter.event_type).not.toEqual([]);
						if (!filter.status) continue;
						expect(filter.status).not.toEqual([]);
						expect(filter.event_type?.every((type) => type.endsWith('_STATUS'))).toBe(true);
					}
					expect(new Set(wanted.map(({ part }) => part)).size).toBe(wanted.length);
				},
			),
		);
	});
});

describe('the rate limit', () => {
	it.each([
		[undefined, 2, [undefined, undefined]],
		[0, 2, [0, 0]],
		[20, 1, [20]],
		[20, 2, [10, 10]],
		[5, 2, [2, 3]],
		[1, 2, [1, 1]],
		[10_000, 2, [5_000, 5_000]],
	])('%j is shared by %i webhooks as %j', (limit, webhooks, expected) => {
		expect(shareRateLimit(limit, webhooks)).toEqual(expected);
	});
});
