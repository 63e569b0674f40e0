import { expect, it } from 'vitest';
import { readFields, sendOptions } from '../../../seams.ts';

const read = (requestsPerSecond: unknown) =>
	readFields(sendOptions, { requestsPerSecond }, { timeZone: 'UTC' }).requestsPerSecond;

it.each([14, '14', 0.1, 1000])('takes %j requests a second', (value) => {
	expect(read(value)).toBe(Number(value));
});

it.each([undefined, '', null])('goes with the default for %j', (value) => {
	expect(read(value)).toBeUndefined();
});

it.each([0, -1, 0.01, 'fast', NaN, Infinity, true, []])('refuses %j', (value) => {
	expect(() => read(value)).toThrow("'Requests per Second' is not a number of at least 0.1");
});
