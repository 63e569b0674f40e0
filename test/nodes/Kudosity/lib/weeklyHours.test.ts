/** Hours of the day over both changes of daylight saving time, under each luxon that n8n brings. */
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import * as newer from '../../../seams.ts';

// Other files of this process have the same modules with luxon 3.7, and keep them.
vi.resetModules();
vi.doMock('luxon', async () => await import('luxon34'));
const older = await import('../../../seams.ts');
vi.doUnmock('luxon');
vi.resetModules();

const everyDay = [1, 2, 3, 4, 5, 6, 7];
const weekdays = [1, 2, 3, 4, 5];
const at = (text: string) => Date.parse(text);

const sydney = { from: '09:00', to: '20:00', days: weekdays, timeZone: 'Australia/Sydney' };

describe.each([
	['3.7', newer],
	['3.4', older],
])(
	'weekly hours with luxon %s',
	(_version, { isWithin, nextOpening, nextMidnight, toLocalIso }) => {
		const opensAfter = (hours: newer.WeeklyHours, text: string) =>
			toLocalIso(nextOpening(hours, at(text)), hours.timeZone);

		it.each([
			['2026-11-27T08:59:59.999+11:00', false],
			['2026-11-27T09:00:00+11:00', true],
			['2026-11-27T19:59:59.999+11:00', true],
			['2026-11-27T20:00:00+11:00', false],
			['2026-11-28T12:00:00+11:00', false],
			['2026-11-29T12:00:00+11:00', false],
			// A Sunday in UTC, but Monday in Sydney.
			['2026-11-29T22:30:00Z', true],
		])('in Sydney on weekdays from 09:00 to 20:00, %s: %s', (text, isOpen) => {
			expect(isWithin(sydney, at(text))).toBe(isOpen);
		});

		it.each([
			['later today', '2026-11-27T07:00:00+11:00', '2026-11-27T09:00:00+11:00'],
			['tomorrow', '2026-11-26T20:00:00+11:00', '2026-11-27T09:00:00+11:00'],
			['after the weekend', '2026-11-27T20:00:00+11:00', '2026-11-30T09:00:00+11:00'],
			[
				'on the other side of the new year',
				'2026-12-31T21:00:00+11:00',
				'2027-01-01T09:00:00+11:00',
			],
		])('opens again %s', (_, from, opening) => {
			expect(opensAfter(sydney, from)).toBe(opening);
		});

		it('opens again a week later where only one day is chosen', () => {
			const sundays = { ...sydney, days: [7] };
			expect(opensAfter(sundays, '2026-11-29T20:00:00+11:00')).toBe('2026-12-06T09:00:00+11:00');
		});

		it.each([
			// Clocks go forward on October 4th and back on April 5th.
			['Australia/Sydney', '2026-10-03T20:00:00+10:00', '2026-10-04T09:00:00+11:00'],
			['Australia/Sydney', '2026-04-04T20:00:00+11:00', '2026-04-05T09:00:00+10:00'],
			['Europe/London', '2026-03-28T20:00:00Z', '2026-03-29T09:00:00+01:00'],
			['Europe/London', '2026-10-24T20:00:00+01:00', '2026-10-25T09:00:00+00:00'],
			['America/New_York', '2026-03-07T20:00:00-05:00', '2026-03-08T09:00:00-04:00'],
			['America/New_York', '2026-10-31T20:00:00-04:00', '2026-11-01T09:00:00-05:00'],
			// By half an hour only.
			['Australia/Lord_Howe', '2026-10-03T20:00:00+10:30', '2026-10-04T09:00:00+11:00'],
			['Australia/Lord_Howe', '2026-04-04T20:00:00+11:00', '2026-04-05T09:00:00+10:30'],
		])(
			'opens at nine by the clock on the wall where it changes: %s after %s',
			(timeZone, from, to) => {
				const hours = { ...sydney, days: everyDay, timeZone };
				expect(opensAfter(hours, from)).toBe(to);
				expect(isWithin(hours, at(to) - 1)).toBe(false);
				expect(isWithin(hours, at(to))).toBe(true);
			},
		);

		it.each([
			['Australia/Sydney', '02:30', '2026-10-03T23:00:00+10:00', '2026-10-04T03:00:00+11:00'],
			['Australia/Lord_Howe', '02:15', '2026-10-03T23:00:00+10:30', '2026-10-04T02:30:00+11:00'],
		])(
			'opens after the gap if its time does not exist: %s at %s',
			(timeZone, from, before, opening) => {
				const hours = { from, to: '20:00', days: everyDay, timeZone };
				expect(opensAfter(hours, before)).toBe(opening);
				expect(isWithin(hours, at(opening) - 1)).toBe(false);
				expect(isWithin(hours, at(opening))).toBe(true);
			},
		);

		it('opens the first time if its time comes twice', () => {
			const hours = { from: '02:30', to: '20:00', days: everyDay, timeZone: 'Australia/Sydney' };
			expect(opensAfter(hours, '2026-04-04T23:00:00+11:00')).toBe('2026-04-05T02:30:00+11:00');
		});

		it('opens a day later if its hours do not exist on one', () => {
			const hours = { from: '02:10', to: '02:40', days: everyDay, timeZone: 'Australia/Sydney' };
			expect(opensAfter(hours, '2026-10-03T23:00:00+10:00')).toBe('2026-10-05T02:10:00+11:00');
		});

		it('names the first moment at which it is open, by any clock', () => {
			const zones = [
				'Australia/Sydney',
				'Europe/London',
				'America/New_York',
				'Australia/Lord_Howe',
			];
			const moments = fc.record({
				timeZone: fc.constantFrom(...zones, 'UTC', 'Asia/Kathmandu', 'Africa/Cairo'),
				ms: fc.integer({ min: at('2026-01-01T00:00Z'), max: at('2028-01-01T00:00Z') }),
				days: fc.uniqueArray(fc.constantFrom(...everyDay), { minLength: 1 }),
				// Hours that no change of the clocks cuts in two.
				from: fc.constantFrom('04:00', '09:00', '11:15'),
				to: fc.constantFrom('12:30', '20:00', '22:59'),
			});
			fc.assert(
				fc.property(moments, ({ ms, ...hours }) => {
					const opening = nextOpening(hours, ms);
					expect(isWithin(hours, opening)).toBe(true);
					if (!isWithin(hours, ms)) expect(isWithin(hours, opening - 1)).toBe(false);
					else expect(opening).toBe(ms);
					for (let each = ms; each < opening; each += 900_000) {
						expect(isWithin(hours, each)).toBe(false);
					}
				}),
			);
		});

		it.each([
			['Australia/Sydney', '2026-11-27T21:00:00+11:00', '2026-11-28T00:00:00+11:00'],
			['Australia/Sydney', '2026-10-04T01:00:00+10:00', '2026-10-05T00:00:00+11:00'],
			['Australia/Lord_Howe', '2026-04-05T01:45:00+11:00', '2026-04-06T00:00:00+10:30'],
			// Clocks go forward at midnight.
			['Africa/Cairo', '2026-04-23T12:00:00+02:00', '2026-04-24T01:00:00+03:00'],
		])('the next day in %s after %s begins at %s', (timeZone, from, midnight) => {
			expect(toLocalIso(nextMidnight(at(from), timeZone), timeZone)).toBe(midnight);
		});
	},
);
