import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changed, sampleEvent, sampleNames } from '../../../fixtures/events/index.ts';
import {
	shouldStart,
	eventTypes,
	filterStatuses,
	readEvent,
	wantedFilter,
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

type Case = [string, EventType[], { status?: string[]; final?: boolean }, string[] | undefined];

const filterFor = (events: EventType[], status: string[] | undefined, final = false) =>
	wantedFilter({ events, filters: { status }, onlyFinalStatuses: final });

describe('the filter of a trigger', () => {
	it.each<Case>([
		['replies alone', ['SMS_INBOUND'], { final: true }, undefined],
		['replies and a Status', ['SMS_INBOUND', 'OPT_OUT'], { status: ['DELIVERED'] }, undefined],
		['everything', ['SMS_INBOUND', 'SMS_STATUS'], {}, undefined],
		['statuses', ['SMS_STATUS', 'RCS_STATUS'], {}, undefined],
		['chosen statuses', ['SMS_STATUS', 'MMS_STATUS'], { status: ['FAILED'] }, ['FAILED']],
		['final statuses', ['SMS_STATUS', 'RCS_STATUS', 'WHATSAPP_STATUS'], { final: true }, last],
		[
			'final statuses beside other events',
			['SMS_INBOUND', 'SMS_STATUS', 'LINK_HIT'],
			{ final: true },
			undefined,
		],
		[
			'chosen statuses beside other events',
			['SMS_INBOUND', 'SMS_STATUS', 'MMS_STATUS'],
			{ status: ['FAILED'] },
			undefined,
		],
		[
			'final statuses with those of an MMS, which may end with SENT',
			['SMS_STATUS', 'MMS_STATUS'],
			{ final: true },
			undefined,
		],
		['final statuses of an MMS', ['MMS_STATUS'], { final: true }, undefined],
		[
			'final ones among the chosen',
			['SMS_STATUS'],
			{ final: true, status: ['SENT', 'DELIVERED'] },
			['DELIVERED'],
		],
		[
			'final ones among the chosen with those of an MMS',
			['SMS_STATUS', 'MMS_STATUS'],
			{ final: true, status: ['PENDING', 'SENT', 'DELIVERED'] },
			['SENT', 'DELIVERED'],
		],
	])('for %s', (_, events, { status, final }, statuses) => {
		expect(filterFor(events, status, final)).toEqual({
			event_type: events,
			...(statuses && { status: statuses }),
		});
	});

	it('has the other filters, with or without statuses', () => {
		const filters = { sender: ['Acme'], campaignId: ['c-1'], status: ['FAILED'] };
		for (const events of [['SMS_INBOUND', 'SMS_STATUS'], ['SMS_STATUS']] as EventType[][]) {
			expect(wantedFilter({ events, filters, onlyFinalStatuses: true })).toMatchObject({
				sender: ['Acme'],
				campaign_id: ['c-1'],
			});
		}
	});

	it('is refused when the options leave no status', () => {
		for (const events of [['SMS_STATUS', 'SMS_INBOUND'], ['SMS_STATUS']] as EventType[][]) {
			expect(() => filterFor(events, ['SENT'], true)).toThrow(
				"'Only Final Statuses' skips every status",
			);
		}
	});

	it.each(['SMS_STATUS', 'MMS_STATUS', 'RCS_STATUS', 'WHATSAPP_STATUS'] as const)(
		'lets through each status that the trigger takes for a final one: %s',
		(type) => {
			const passing = filterFor([type], undefined, true).status ?? filterStatuses;
			const rules = { events: [type], statuses: [], onlyFinalStatuses: true };
			const accepted = filterStatuses.filter((status) => {
				const event = changed(sampleEvent(sampleNames[type]), 'status.status', status);
				return shouldStart(readEvent(event)!, rules);
			});
			expect(passing).toEqual(expect.arrayContaining(accepted));
			expect(accepted).toEqual(expect.arrayContaining(last));
		},
	);

	it('has each event, never none, and statuses only where all events are statuses', () => {
		fc.assert(
			fc.property(
				fc.subarray([...eventTypes], { minLength: 1 }),
				fc.option(fc.subarray([...filterStatuses])),
				fc.boolean(),
				(events, status, final) => {
					const chosen = [...(status ?? []), 'DELIVERED'];
					const filter = filterFor(events, status ? chosen : undefined, final);
					expect(filter.event_type).toEqual(events);
					if (!filter.status) return;
					expect(filter.status).not.toEqual([]);
					expect(events.every((type) => type.endsWith('_STATUS'))).toBe(true);
				},
			),
		);
	});

	it('lets the same statuses start the workflow beside other events as without', () => {
		fc.assert(
			fc.property(
				fc.constantFrom('SMS_STATUS', 'MMS_STATUS', 'RCS_STATUS', 'WHATSAPP_STATUS'),
				fc.subarray([...filterStatuses], { minLength: 1 }),
				fc.constantFrom(...filterStatuses),
				fc.boolean(),
				(type, statuses, name, onlyFinalStatuses) => {
					const event = changed(sampleEvent(sampleNames[type]), 'status.status', name);
					const starts = (events: EventType[]) => {
						const rules = { events, statuses, onlyFinalStatuses };
						const asked = filterFor(events, statuses, onlyFinalStatuses).status;
						return (!asked || asked.includes(name)) && shouldStart(readEvent(event)!, rules);
					};
					fc.pre(!onlyFinalStatuses || last.some((each) => statuses.includes(each as never)));
					expect(starts([type, 'OPT_OUT'])).toBe(starts([type]));
				},
			),
			{ numRuns: 1_000 },
		);
	});
});
