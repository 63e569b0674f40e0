import { expect, it } from 'vitest';
import { steadyTimes } from '../../../../seams.ts';

const hourMs = 3_600_000;

/** The times that items get: each says when it is read, and what it asks for. */
const timesOf = (items: Array<{ readAt: number; sendAt?: number }>) => {
	let now = 0;
	const steady = steadyTimes(() => now);
	return items.map(({ readAt, sendAt }) => {
		now = readAt;
		const input = {
			message: 'Hi',
			sender: 'Acme',
			options: sendAt === undefined ? {} : { sendAt },
		};
		return steady(input).options.sendAt;
	});
};

const each = (count: number, item: (index: number) => { readAt: number; sendAt?: number }) =>
	Array.from({ length: count }, (_, index) => item(index));

it('makes one time of “in an hour”, however long the items take to read', () => {
	const times = timesOf(
		each(1000, (index) => ({ readAt: index * 40, sendAt: index * 40 + hourMs })),
	);
	expect(new Set(times)).toEqual(new Set([hourMs]));
});

it('makes one time of each where items ask for different ones by turns', () => {
	const times = timesOf(
		each(100, (index) => ({ readAt: index, sendAt: index + hourMs * (1 + (index % 2)) })),
	);
	expect(new Set(times)).toEqual(new Set([hourMs, 2 * hourMs + 1]));
});

it.each([360, 1000])('leaves times that are staggered by %i ms where they are', (stepMs) => {
	const items = each(1000, (index) => ({ readAt: index / 4, sendAt: hourMs + index * stepMs }));
	timesOf(items).forEach((time, index) => {
		expect(Math.abs(Number(time) - Number(items[index]?.sendAt))).toBeLessThan(1000);
	});
});

it('leaves alone what is sent at once', () => {
	expect(timesOf([{ readAt: 0 }, { readAt: 1, sendAt: hourMs }])).toEqual([undefined, hourMs]);
});
