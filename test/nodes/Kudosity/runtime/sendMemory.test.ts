import { describe, expect, it } from 'vitest';
import { sendMemory, type Attempt } from '../../../../nodes/Kudosity/runtime/sendMemory.ts';

const accepted: Attempt = { fingerprint: 'f', outcome: 'accepted', answer: { id: '1' } };
const dayMs = 24 * 60 * 60 * 1000;

describe('sendMemory', () => {
	it('remembers within one run only', () => {
		sendMemory('execution-1', 0).remember(0, accepted);

		expect(sendMemory('execution-1', 1).recall(0)).toEqual(accepted);
		expect(sendMemory('execution-2', 1).recall(0)).toBeUndefined();
		expect(sendMemory('execution-1', 1).recall(1)).toBeUndefined();
	});

	it('is freed when the execution ends', () => {
		const memory = sendMemory('execution-3', 0);
		memory.remember(0, accepted);
		memory.forget();

		expect(sendMemory('execution-3', 0).recall(0)).toBeUndefined();
	});

	it('forgets executions of which nothing was heard for a day', () => {
		sendMemory('execution-4', 0).remember(0, accepted);
		sendMemory('another', dayMs);

		expect(sendMemory('execution-4', dayMs).recall(0)).toBeUndefined();
	});

	it('holds at most 100,000 items, and drops the run that was used longest ago', () => {
		const old = sendMemory('old', 0);
		const used = sendMemory('used', 0);
		for (let item = 0; item < 60_000; item++) {
			old.remember(item, accepted);
			used.remember(item, accepted);
		}
		sendMemory('used', 1);

		expect(sendMemory('used', 2).recall(59_999)).toEqual(accepted);
		expect(sendMemory('old', 2).recall(0)).toBeUndefined();
	});
});
