import type { Clock } from '../../api/clock';
import { atMost } from '../../sending/atMost';

/** One line of tasks for each list. Whoever is stopped while waiting does not hold up the execution. */
const linePerList = () => {
	const { inTurn } = atMost(1);
	return async <Value>(clock: Clock, listId: string, task: () => Promise<Value>): Promise<Value> =>
		await clock.unlessCancelled(inTurn(listId, task));
};

/** What adds custom fields to a list goes one after the other: two at once would choose the same slot. */
export const addingFields = linePerList();

/** The service knows the progress of the latest import of a list only. */
export const awaitingImport = linePerList();
