import { expect, it } from 'vitest';
import { countsOf, forgetCounts } from '../../../seams.ts';

const hourMs = 60 * 60 * 1000;

it('counts on over runs of an execution, and anew in another one', () => {
	countsOf('one:Send').messages += 3;
	expect(countsOf('one:Send').messages).toBe(3);
	expect(countsOf('two:Send').messages).toBe(0);
	forgetCounts('one:Send');
	expect(countsOf('one:Send').messages).toBe(0);
});

it('keeps an execution through a pause of hours, and forgets one whose end nobody reported', () => {
	const now = Date.now();
	countsOf('pausing', now).messages += 1;
	countsOf('lost', now).messages += 1;
	expect(countsOf('pausing', now + 23 * hourMs).messages).toBe(1);
	expect(countsOf('pausing', now + 25 * hourMs).messages).toBe(1);
	expect(countsOf('lost', now + 25 * hourMs).messages).toBe(0);
});

const fill = (name: string, nowMs: number, items = 60_000) => {
	const counts = countsOf(name, nowMs);
	for (let item = 0; item < items; item++) counts.places.add(`0:${item}`);
	counts.messages += items;
};
const minuteMs = 60 * 1000;

it('keeps 100,000 items of executions whose end nobody reported, and how many messages they had', () => {
	const now = Date.now() + 48 * hourMs;
	fill('first', now);
	fill('second', now + 1);
	countsOf('another', now + minuteMs + 1);
	expect(countsOf('first', now + minuteMs + 2)).toMatchObject({ messages: 60_000 });
	expect(countsOf('first', now + minuteMs + 2).places.size).toBe(0);
	expect(countsOf('second', now + minuteMs + 2).places.size).toBe(60_000);
});

it('keeps the items of an execution that n8n may be about to run again', () => {
	const now = Date.now() + 96 * hourMs;
	fill('long', now, 120_000);
	countsOf('other', now + 5000);
	expect(countsOf('long', now + 5000).places.size).toBe(120_000);
	countsOf('other', now + minuteMs + 4000);
	expect(countsOf('long', now + minuteMs + 4000).places.size).toBe(120_000);
});

it('keeps the items of an execution that is still sending', () => {
	const now = Date.now() + 144 * hourMs;
	fill('slow', now, 120_000);
	countsOf('slow', now).usedAtMs = now + hourMs;
	countsOf('other', now + hourMs + 5000);
	expect(countsOf('slow', now + hourMs + 5000).places.size).toBe(120_000);
});
