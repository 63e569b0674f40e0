import { describe, expect, it } from 'vitest';
import { countsOf, sendMemory } from '../../../seams.ts';

const accepted = { outcome: 'accepted', answer: { id: '1' } } as const;
const minuteMs = 60 * 1000;
const hourMs = 60 * minuteMs;
const nobodyTold = 'executions whose end nobody reported';

/** What an execution sent, at this time. */
const send = (execution: string, atMs: number, items: number) => {
	const memory = sendMemory(execution, () => atMs);
	for (let item = 0; item < items; item++) memory.remember(String(item), accepted);
	return memory;
};
const remembers = (execution: string, atMs: number) =>
	sendMemory(execution, () => atMs).recall('0') !== undefined;

describe(`what was sent by ${nobodyTold}`, () => {
	it('is forgotten an hour after its last message', () => {
		send('pausing', 0, 1);
		expect(remembers('pausing', hourMs - 1)).toBe(true);
		send('lost', 0, 1);
		send('later', hourMs, 1);
		expect(remembers('lost', hourMs)).toBe(false);
	});

	it('is 100,000 items at most, of those used last; n8n may run again what ended a minute ago', () => {
		const atMs = 10 * hourMs;
		send('old', atMs, 60_000);
		send('used', atMs, 60_000);
		expect(remembers('used', atMs + minuteMs - 1)).toBe(true);
		expect(remembers('used', atMs + minuteMs)).toBe(true);
		expect(remembers('old', atMs + minuteMs)).toBe(false);
	});

	it('is never forgotten while it goes on, however much it is', async () => {
		const atMs = 20 * hourMs;
		let end = () => {};
		const message = send('sending', atMs, 60_000).during(
			async () => await new Promise<void>((go) => (end = go)),
		);
		send('idle', atMs + 1, 60_000);
		expect(remembers('another', atMs + 2 * hourMs)).toBe(false);
		expect(remembers('sending', atMs + 2 * hourMs)).toBe(true);
		expect(remembers('idle', atMs + 2 * hourMs)).toBe(false);
		end();
		await message;
	});
});

describe(`what was counted for ${nobodyTold}`, () => {
	const beganMs = Date.now();
	const count = (execution: string, atMs: number, items: number) => {
		const counts = countsOf(execution, atMs);
		for (let item = 0; item < items; item++) counts.places.add(`0:${item}`);
		counts.messages += items;
	};
	const counted = (execution: string, atMs: number) => {
		const { messages, places } = countsOf(execution, atMs);
		return { messages, items: places.size };
	};

	it('stays through a pause of hours, and is forgotten after a day', () => {
		count('pausing', beganMs, 1);
		count('lost', beganMs, 1);
		expect(counted('pausing', beganMs + 23 * hourMs).messages).toBe(1);
		expect(counted('pausing', beganMs + 25 * hourMs).messages).toBe(1);
		expect(counted('lost', beganMs + 25 * hourMs).messages).toBe(0);
	});

	it('is 100,000 items at most, and all of their messages', () => {
		const atMs = beganMs + 48 * hourMs;
		count('first', atMs, 60_000);
		count('second', atMs + 1, 60_000);
		counted('another', atMs + minuteMs - 1);
		expect(counted('second', atMs + minuteMs)).toEqual({ messages: 60_000, items: 60_000 });
		counted('another', atMs + 2 * minuteMs - 1);
		expect(counted('first', atMs + 2 * minuteMs)).toEqual({ messages: 60_000, items: 0 });
		expect(counted('second', atMs + 2 * minuteMs).items).toBe(60_000);
	});
});
