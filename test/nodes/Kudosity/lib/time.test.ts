/** Local times under each luxon that n8n brings: 3.4 with 1.123, 3.7 with 2.41. */
import { describe, expect, it, vi } from 'vitest';
import { parseTime } from '../../../seams.ts';

// Other files of this process have the same modules with luxon 3.7, and keep them.
vi.resetModules();
vi.doMock('luxon', async () => await import('luxon34'));
const older = await import('../../../seams.ts');
const { VERSION } = await import('luxon');
vi.doUnmock('luxon');
vi.resetModules();

it('has another luxon to compare with', () => {
	expect(VERSION).toBe('3.4.4');
});

describe.each([
	['3.7', parseTime],
	['3.4', older.parseTime],
])('parseTime with luxon %s', (_version, parseTime) => {
	const inUtc = (text: string, timeZone: string) => {
		const timeMs = parseTime(text, timeZone);
		return timeMs === undefined ? undefined : new Date(timeMs).toISOString();
	};

	it.each([
		'',
		'yesterday',
		'01/02/2026',
		'2026-13-01',
		'2026-02-30',
		'2026-01-01T25:00',
		'2026',
		'09:00',
		'2026-W05',
		'2026-001',
		'20260101',
		'2026-01-01T24:00',
		'2026-01-01T24:00Z',
		'2026-01-01T09:00+14:01',
		'2026-01-01T09:00-15:00',
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
		['2026-01-31T09:00+14:00', '2026-01-30T19:00:00.000Z'],
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

	// The offset in force so many hours after UTC shows the same time: standard time in the east, summer time in the west.
	it.each([
		['2026-04-05T02:30', 'Australia/Sydney', '2026-04-04T16:30:00.000Z'],
		['2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T15:15:00.000Z'],
		['2026-10-25T01:30', 'Europe/London', '2026-10-25T01:30:00.000Z'],
		['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
	])(
		'reads %s, which the clocks of %s show twice, the same way all year',
		(text, zone, expected) => {
			for (const now of ['2026-01-15T00:00Z', '2026-07-15T00:00Z']) {
				vi.useFakeTimers({ now: Date.parse(now), toFake: ['Date'] });
				try {
					expect(inUtc(text, zone)).toBe(expected);
				} finally {
					vi.useRealTimers();
				}
			}
		},
	);

	it('reads local times of the first century', () => {
		expect(inUtc('0050-06-15T12:00', 'UTC')).toBe('0050-06-15T12:00:00.000Z');
	});

	it('names a time zone that does not exist', () => {
		expect(() => parseTime('2026-01-31T09:00', 'Nowhere/Land')).toThrow('Nowhere/Land');
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
