import { newestMap } from '../api/newestMap';
import { describeStatus } from '../events/statuses';

type Progress = { rank: number; statuses: Set<string> };

/** About 3 MB. The oldest messages are forgotten first: their late statuses come through again. */
const mostMessages = 20_000;

/**
 * How far each message got, as far as this process has seen it. A webhook has no other store: n8n's static
 * data is overwritten by parallel deliveries, and its store for duplicates exists in executions only.
 */
const progressOf = newestMap<Progress>(mostMessages);

/** Whether a status says nothing new: this message to this recipient had it before, or had got further. */
export const isLateOrRepeated = (message: string, status: string): boolean => {
	const progress = progressOf.get(message);
	if (!progress) return false;
	const { status: name, rank } = describeStatus(status);
	// Any status that nobody knows may be sent as OTHER: the same name can be news.
	const isRepeated = name.toUpperCase() !== 'OTHER' && progress.statuses.has(name);
	return isRepeated || (rank !== undefined && rank < progress.rank);
};

/** Only call it once the workflow has the status: a delivery that failed comes again. */
export const rememberStatus = (message: string, status: string): void => {
	const { status: name, rank = -1 } = describeStatus(status);
	const earlier = progressOf.get(message);
	progressOf.set(message, {
		rank: Math.max(rank, earlier?.rank ?? -1),
		statuses: new Set([...(earlier?.statuses ?? []), name]),
	});
};
