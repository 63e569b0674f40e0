import { describe, expect, it } from 'vitest';
import { InputError, readFields, period, periodOf } from '../../../seams.ts';

const queryOf = (filters: Record<string, unknown>, timeZone: string) =>
	periodOf(readFields(period, filters, { timeZone }), timeZone);

describe('a period', () => {
	it('refuses a span of 90 days and a second, and takes 90 days', () => {
		const startDate = '2026-01-01T00:00:00Z';

		expect(() => queryOf({ startDate, endDate: '2026-04-01T00:00:01Z' }, 'UTC')).toThrow(
			InputError,
		);
		expect(queryOf({ startDate, endDate: '2026-04-01T00:00:00Z' }, 'UTC')).toMatchObject({
			end_date: '2026-04-01T00:00:00.000Z',
		});
	});

	it('of 90 days until now begins as late as the second of two expressions was evaluated', () => {
		const dates = { startDate: '2026-01-01T00:00:00.000Z', endDate: '2026-04-01T00:00:00.004Z' };

		expect(queryOf(dates, 'UTC')).toMatchObject({ start_date: '2026-01-01T00:00:00.004Z' });
	});

	it('of 90 days by the calendar is right where the clocks went back meanwhile', () => {
		const dates = { startDate: '2026-03-01T09:00', endDate: '2026-05-30T09:00' };

		expect(queryOf(dates, 'Australia/Sydney')).toMatchObject({
			start_date: '2026-02-28T23:00:00.000Z',
			end_date: '2026-05-29T23:00:00.000Z',
		});
		expect(() => queryOf(dates, 'UTC')).not.toThrow();
		const longer = { ...dates, endDate: '2026-05-30T09:01' };
		expect(() => queryOf(longer, 'Australia/Sydney')).toThrow('more than 90 days');
	});

	it('is empty when nothing is filled in', () => {
		expect(queryOf({}, 'UTC')).toEqual({});
	});

	it('passes on a range of the service', () => {
		expect(queryOf({ dateRange: 'last_week' }, 'UTC')).toEqual({ date_range: 'last_week' });
	});

	it('takes dates alone for a custom range and sends them in UTC', () => {
		const dates = { startDate: '2026-01-01T00:00:00', endDate: '2026-01-31T23:59:59' };

		expect(queryOf(dates, 'Australia/Sydney')).toEqual({
			date_range: 'custom_date',
			start_date: '2025-12-31T13:00:00.000Z',
			end_date: '2026-01-31T12:59:59.000Z',
		});
	});
});
