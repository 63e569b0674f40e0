import { describe, expect, it } from 'vitest';
import { parseTime } from '../../../seams.ts';

const inUtc = (text: string, timeZone: string) => {
	const timeMs = parseTime(text, timeZone);
	return timeMs === undefined ? undefined : new Date(timeMs).toISOString();
};

describe('parseTime', () => {
	it.each([
		'',
		'yesterday',
		'01/02/2026',
		'2026-13-01',
		'2026-02-30',
		'2026-01-01T25:00',
		'2026',
		'2026-01-01T09:00+25:00',
		'2026-01-01T09:00+1099',
	])('does not take %j for a time', (text) => {
		expect(parseTime(text, 'Australia/Sydney')).toBeUndefined();
	});

	it.each([
		['2026-01-31T09:00:00', 'UTC', '2026-01-31T09:00:00.000Z'],
		['2026-01-31T09:00:00', 'Australia/Sydney', '2026-01-30T22:00:00.000Z'],
		['2026-07-31T09:00', 'Australia/Sydney', '2026-07-30T23:00:00.000Z'],
		['2026-01-31 09:00:00.250', 'America/New_York', '2026-01-31T14:00:00.250Z'],
		['2026-01-31', 'Asia/Kolkata', '2026-01-30T18:30:00.000Z'],
		[' 2026-01-31T00:00:00 ', 'Pacific/Auckland', '2026-01-30T11:00:00.000Z'],
	])('reads %s on the clocks of %s', (text, timeZone, expected) => {
		expect(inUtc(text, timeZone)).toBe(expected);
	});

	it.each([
		['2026-01-31T09:00:00Z', '2026-01-31T09:00:00.000Z'],
		['2026-01-31T09:00:00.000+11:00', '2026-01-30T22:00:00.000Z'],
		['2026-01-31t09:00-0500', '2026-01-31T14:00:00.000Z'],
	])('reads the zone of %s, whatever the zone of the workflow', (text, expected) => {
		expect(inUtc(text, 'Australia/Sydney')).toBe(expected);
	});

	it.each([
		['2026-04-05T01:59', '2026-04-04T14:59:00.000Z'],
		['2026-04-05T03:30', '2026-04-04T17:30:00.000Z'],
		['2026-10-04T01:59', '2026-10-03T15:59:00.000Z'],
		['2026-10-04T03:30', '2026-10-03T16:30:00.000Z'],
	])('is right on both sides of a clock change in Sydney: %s', (text, expected) => {
		expect(inUtc(text, 'Australia/Sydney')).toBe(expected);
	});

	it.each([
		['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
		['2026-09-06T00:00', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
		['2026-10-04T02:30', 'Australia/Sydney', '2026-10-03T16:30:00.000Z'],
		['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
	])('puts %s, which the clocks of %s skip, after the change', (text, timeZone, expected) => {
		expect(inUtc(text, timeZone)).toBe(expected);
	});

	it.each([
		['2026-03-08T01:59', 'America/New_York', '2026-03-08T06:59:00.000Z'],
		['2026-03-08T03:00', 'America/New_York', '2026-03-08T07:00:00.000Z'],
		['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
		['2026-11-01T02:00', 'America/New_York', '2026-11-01T07:00:00.000Z'],
	])(
		'is right on both sides of a clock change west of Greenwich: %s',
		(text, timeZone, expected) => {
			expect(inUtc(text, timeZone)).toBe(expected);
		},
	);
});
