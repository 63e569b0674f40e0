import { expect, it } from 'vitest';
import { requestsPerSecondInput } from '../../../../nodes/Kudosity/runtime/pacingOption.ts';

it.each([14, '14', 0.1, 1000])('takes %j requests a second', (value) => {
	expect(requestsPerSecondInput.parse(value)).toBe(Number(value));
});

it.each([undefined, '', null])('goes with the default for %j', (value) => {
	expect(requestsPerSecondInput.parse(value)).toBeUndefined();
});

it.each([0, -1, 0.01, 'fast', NaN, Infinity, true, []])('refuses %j', (value) => {
	expect(requestsPerSecondInput.safeParse(value).error?.issues[0]).toMatchObject({
		message: 'is not a number from 0.1',
	});
});
