import type { Clock } from '../api/clock';
import { atMost } from './atMost';

/**
 * Of the tasks of one name, one at a time. Whoever is stopped before its turn does not wait for it; a task that began
 * goes to its end.
 */
export const onePerName = () => {
	const { inTurn } = atMost(1);
	return async <Value>(clock: Clock, name: string, task: () => Promise<Value>): Promise<Value> => {
		let begin = () => {};
		const begun = new Promise<void>((resolve) => (begin = resolve));
		const result = inTurn(name, async () => {
			begin();
			return await task();
		});
		// Of one that was stopped before its turn, nobody awaits what its task says then.
		result.catch(() => undefined);
		await clock.unlessCancelled(begun);
		return await result;
	};
};
