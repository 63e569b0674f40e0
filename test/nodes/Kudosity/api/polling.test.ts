import { describe, expect, it } from 'vitest';
import { CancelledError, NoAnswerError, pollUntil } from '../../../seams.ts';
import { fakeClock } from '../../../helpers/fakeClock.ts';

const watch = (
	statuses: string[],
	clock = fakeClock(),
	{ intervalMs = 5000, timeoutMs = 60_000 } = {},
) => {
	const checkedAtMs: number[] = [];
	const check = async () => {
		checkedAtMs.push(clock.now());
		return statuses[checkedAtMs.length - 1] ?? 'SENT';
	};
	const isDone = (status: string) => status === 'READ';
	return { checkedAtMs, result: pollUntil({ check, isDone, intervalMs, timeoutMs, clock }) };
};

describe('pollUntil', () => {
	it('passes on that a check did not succeed', async () => {
		const check = async () => await Promise.reject(new Error('no'));
		const polling = { check, isDone: () => true, intervalMs: 1, timeoutMs: 1, clock: fakeClock() };

		await expect(pollUntil(polling)).rejects.toThrow('no');
	});

	const trouble = new NoAnswerError('ECONNRESET', true);
	const played = (...answers: Array<string | Error>) => {
		let looks = 0;
		const check = async () => {
			const answer = answers[looks++] ?? 'SENT';
			if (answer instanceof Error) throw answer;
			return answer;
		};
		const isDone = (status: string) => status === 'READ';
		const times = { intervalMs: 5000, timeoutMs: 10_000 };
		return pollUntil({ check, isDone, ...times, clock: fakeClock() });
	};

	it('goes on while the service is in trouble, once it has answered', async () => {
		expect(await played('SENT', trouble, 'READ')).toEqual({ answer: 'READ', timedOut: false });
	});

	it('gives the answer before the trouble when the time is up', async () => {
		expect(await played('SENT', trouble, trouble)).toEqual({ answer: 'SENT', timedOut: true });
	});

	it('does not wait for a service that never answered, nor after a refusal', async () => {
		await expect(played(trouble, 'READ')).rejects.toBe(trouble);
		await expect(played('SENT', new Error('no'))).rejects.toThrow('no');
	});

	it('stops at once when the user stops the run', async () => {
		const clock = fakeClock();
		const { checkedAtMs, result } = watch([], clock);
		setImmediate(clock.cancel);

		await expect(result).rejects.toBeInstanceOf(CancelledError);
		expect(checkedAtMs.length).toBeLessThan(3);
	});

	it('checks for the last time when the time is up, and gives that answer', async () => {
		const { checkedAtMs, result } = watch(['QUEUED'], fakeClock(), { timeoutMs: 12_000 });

		expect(await result).toEqual({ answer: 'SENT', timedOut: true });
		expect(checkedAtMs).toEqual([0, 5000, 10_000, 12_000]);
	});

	it('counts the time that checks take', async () => {
		const clock = fakeClock();
		const check = async () => {
			await clock.sleep(40_000);
			return 'SENT';
		};
		const isDone = () => false;
		await pollUntil({ check, isDone, intervalMs: 5000, timeoutMs: 60_000, clock });

		expect(clock.now()).toBeLessThanOrEqual(100_000);
	});

	it('does not wait when the first answer is enough', async () => {
		const { checkedAtMs, result } = watch(['READ']);

		expect(await result).toEqual({ answer: 'READ', timedOut: false });
		expect(checkedAtMs).toEqual([0]);
	});

	it('checks after each interval until the answer is enough', async () => {
		const { checkedAtMs, result } = watch(['QUEUED', 'SENT', 'READ']);

		expect(await result).toEqual({ answer: 'READ', timedOut: false });
		expect(checkedAtMs).toEqual([0, 5000, 10_000]);
	});
});
