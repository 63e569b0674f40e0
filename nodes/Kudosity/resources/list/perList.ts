import type { Clock } from '../../api/clock';
import { atMost } from '../../sending/atMost';

/** One line of tasks for each list. Whoever is stopped before its turn does not wait for it; a task goes to its end. */
const linePerList = () => {
	const { inTurn } = atMost(1);
	return async <Value>(
		clock: Clock,
		listId: string,
		task: () => Promise<Value>,
	): Promise<Value> => {
		let begin = () => {};
		const begun = new Promise<void>((resolve) => (begin = resolve));
		const result = inTurn(listId, async () => {
			begin();
			return await task();
		});
		// Of one that was stopped before its turn, nobody awaits what its task says then.
		result.catch(() => undefined);
		await clock.unlessCancelled(begun);
		return await result;
	};
};

/** What adds custom fields to a list goes one after the other: two at once would choose the same slot. */
export const addingFields = linePerList();

/** The service knows the progress of the latest import of a list only. */
export const awaitingImport = linePerList();
