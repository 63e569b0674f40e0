import { describe, expect, it } from 'vitest';
import { readFields, recipients, loadPhones } from '../../../seams.ts';

const phones = await loadPhones();

const read = (value: unknown) =>
	readFields([recipients], { recipients: value }, { timeZone: 'UTC', phones }).recipients.numbers;

describe('recipients', () => {
	it.each([
		['one number', 61491570006, ['61491570006']],
		['a text with commas', '61491570006, 61491570156', ['61491570006', '61491570156']],
		['a trailing comma', '61491570006,', ['61491570006']],
		['lines', '61491570006\n61491570156', ['61491570006', '61491570156']],
		['a list', ['61491570006', 61491570156], ['61491570006', '61491570156']],
		['a number twice: once', '61491570006,+61491570006', ['61491570006']],
	])('are %s', (_, given, expected) => {
		expect(read(given)).toEqual(expected);
	});

	it.each([
		['nothing', '', 'is empty'],
		['an empty list', [], 'is empty'],
		['an object', { to: '61491570006' }, 'is not a list of phone numbers'],
	])('are not %s', (_, given, message) => {
		expect(() => read(given)).toThrow(`'Recipients' ${message}`);
	});
});
