import type { IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it, vi } from 'vitest';
import { executionStateOf, holdState } from '../../../seams.ts';

const accepted = { outcome: 'accepted', answer: { id: '1' } } as const;
const minuteMs = 60 * 1000;
const hourMs = 60 * minuteMs;

/** What a node remembers of an execution whose end n8n does not report. */
const stateOf = (execution: string, atMs?: number) =>
	executionStateOf(
		{
			getExecutionId: () => execution,
			getContext: () => ({}),
			getMode: () => 'trigger',
			getNode: () => ({ name: 'Kudosity', type: 'kudosity' }),
			continueOnFail: () => false,
			getWorkflow: () => ({ id: '1' }),
		} as unknown as IExecuteFunctions,
		atMs,
	);

/** So many items that were sent, and counted, at this time. */
const send = (execution: string, atMs: number, items: number) => {
	const state = stateOf(execution, atMs);
	for (let item = 0; item < items; item++) {
		state.ledger.set(`0:${item}`, accepted);
		state.sent.countedItems.add(`0:${item}`);
	}
	state.sent.messages += items;
	return state;
};
const remembered = (execution: string, atMs: number) => {
	const { ledger, sent } = stateOf(execution, atMs);
	return { items: ledger.size, counted: sent.countedItems.size, messages: sent.messages };
};

describe('what is known of executions whose end is never reported', () => {
	it('is its items for an hour after their last use, and its messages for a day', () => {
		send('pausing', 0, 1);
		expect(remembered('pausing', hourMs - 1)).toEqual({ items: 1, counted: 1, messages: 1 });
		send('lost', 0, 1);
		send('later', hourMs, 1);
		expect(remembered('lost', hourMs)).toEqual({ items: 0, counted: 0, messages: 1 });
		stateOf('another', 24 * hourMs);
		expect(remembered('pausing', 24 * hourMs)).toEqual({ items: 0, counted: 0, messages: 1 });
		stateOf('another', 25 * hourMs);
		expect(remembered('later', 25 * hourMs).messages).toBe(0);
	});

	it('is not less because the clock was put forward meanwhile', () => {
		stateOf('retried').ledger.set('0:0', accepted);
		vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * hourMs });
		stateOf('another');
		expect(stateOf('retried').ledger.size).toBe(1);
		vi.useRealTimers();
	});

	it('is 200,000 entries at most, of those used last, but for the last minute', () => {
		const atMs = 100 * hourMs;
		send('old', atMs, 60_000);
		send('used', atMs, 60_000);
		expect(remembered('used', atMs + minuteMs - 1).items).toBe(60_000);
		expect(remembered('used', atMs + minuteMs).items).toBe(60_000);
		expect(remembered('old', atMs + minuteMs)).toEqual({
			items: 0,
			counted: 0,
			messages: 60_000,
		});
	});

	it('is never forgotten while messages are sent, however much it is', () => {
		const atMs = 200 * hourMs;
		const leave = holdState(send('sending', atMs, 60_000));
		send('idle', atMs + 1, 60_000);
		expect(remembered('another', atMs + 2 * hourMs).items).toBe(0);
		expect(remembered('sending', atMs + 2 * hourMs).items).toBe(60_000);
		expect(remembered('idle', atMs + 2 * hourMs).items).toBe(0);
		leave();
	});
});
