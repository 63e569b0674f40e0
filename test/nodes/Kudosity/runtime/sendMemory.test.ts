import { describe, expect, it } from 'vitest';
import { sendMemory, type Attempt } from '../../../../nodes/Kudosity/runtime/sendMemory.ts';

const accepted: Attempt = { outcome: 'accepted', answer: { id: '1' } };
const hourMs = 60 * 60 * 1000;
const at = (ms: number) => () => ms;

describe('sendMemory', () => {
	it('remembers within one run only', () => {
		sendMemory('execution-1', at(0)).remember('0', accepted);

		expect(sendMemory('execution-1', at(1)).recall('0')).toEqual(accepted);
		expect(sendMemory('execution-2', at(1)).recall('0')).toBeUndefined();
		expect(sendMemory('execution-1', at(1)).recall('1')).toBeUndefined();
	});

	it('is freed when the execution ends', () => {
		const memory = sendMemory('execution-3', at(0));
		memory.remember('0', accepted);
		memory.forget();

		expect(sendMemory('execution-3', at(0)).recall('0')).toBeUndefined();
	});

	it('forgets executions that sent nothing for an hour', () => {
		sendMemory('execution-4', at(0)).remember('0', accepted);
		sendMemory('another', at(hourMs));

		expect(sendMemory('execution-4', at(hourMs)).recall('0')).toBeUndefined();
	});

	it('remembers an execution that takes longer, as long as it sends', () => {
		let nowMs = 0;
		const memory = sendMemory('execution-5', () => nowMs);
		nowMs = hourMs;
		memory.remember('0', accepted);
		sendMemory('another', at(hourMs + 1));

		expect(sendMemory('execution-5', at(hourMs + 2)).recall('0')).toEqual(accepted);
	});

	it('holds at most 100,000 items, and drops the run that was used longest ago', () => {
		const old = sendMemory('old', at(0));
		const used = sendMemory('used', at(0));
		for (let item = 0; item < 60_000; item++) {
			old.remember(String(item), accepted);
			used.remember(String(item), accepted);
		}
		sendMemory('used', at(1));

		expect(sendMemory('used', at(2)).recall('59999')).toEqual(accepted);
		expect(sendMemory('old', at(2)).recall('0')).toBeUndefined();
	});
});
