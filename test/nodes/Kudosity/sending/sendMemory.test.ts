import { describe, expect, it } from 'vitest';
import { sendMemory, type Attempt } from '../../../seams.ts';

const accepted: Attempt = { outcome: 'accepted', answer: { id: '1' } };
const minuteMs = 60 * 1000;
const hourMs = 60 * minuteMs;
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

	it('drops what is old of a run that goes on', () => {
		let nowMs = 0;
		const memory = sendMemory('endless', () => nowMs);
		memory.remember('old', accepted);
		nowMs = hourMs;
		memory.remember('new', accepted);
		memory.dropOld();

		expect(memory.recall('old')).toBeUndefined();
		expect(memory.recall('new')).toEqual(accepted);
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
		sendMemory('used', at(minuteMs - 1));
		sendMemory('another', at(minuteMs));

		expect(sendMemory('used', at(minuteMs)).recall('59999')).toEqual(accepted);
		expect(sendMemory('old', at(minuteMs)).recall('0')).toBeUndefined();
	});

	it('never forgets a run that is still sending, however much it holds', async () => {
		let end = () => {};
		const sending = sendMemory('sending', at(0));
		const idle = sendMemory('idle', at(1));
		for (let item = 0; item < 60_000; item++) {
			sending.remember(String(item), accepted);
			idle.remember(String(item), accepted);
		}
		const message = sending.during(async () => await new Promise<void>((go) => (end = go)));
		sendMemory('third', at(2 * hourMs)).remember('0', accepted);

		expect(sendMemory('sending', at(2 * hourMs)).recall('59999')).toEqual(accepted);
		expect(sendMemory('idle', at(2 * hourMs)).recall('0')).toBeUndefined();
		end();
		await message;
	});

	it('keeps what n8n may be about to run again: at most 5 s after its last send', () => {
		const ended = sendMemory('ended', at(0));
		for (let item = 0; item < 120_000; item++) ended.remember(String(item), accepted);
		sendMemory('another-run', at(5000));

		expect(sendMemory('ended', at(5000)).recall('0')).toEqual(accepted);
	});
});
