import type { EventType } from '../api/endpoints/webhook';
import { lruMap } from '../lib/async';

type StatusMeaning = 'open' | 'unclear' | 'success' | 'failure';

/**
 * All statuses that are known. `rank` is how far the message got. The service documents no order; this one was
 * observed. Only READ follows a success or failure. ACCEPTED and SOFT_BOUNCE are not final, because the carrier may
 * keep trying; SOFT_BOUNCE can be the last one.
 */
const statuses = {
	PENDING: { rank: 0, outcome: 'open' },
	PENDING_APPROVAL: { rank: 0, outcome: 'open' },
	QUEUED: { rank: 0, outcome: 'open' },
	SUBMITTED: { rank: 1, outcome: 'open' },
	SENT: { rank: 1, outcome: 'open' },
	ACCEPTED: { rank: 2, outcome: 'open' },
	SOFT_BOUNCE: { rank: 3, outcome: 'unclear' },
	DELIVERED: { rank: 4, outcome: 'success' },
	FAILED: { rank: 4, outcome: 'failure' },
	HARD_BOUNCE: { rank: 4, outcome: 'failure' },
	REJECTED: { rank: 4, outcome: 'failure' },
	UNDELIVERABLE: { rank: 4, outcome: 'failure' },
	READ: { rank: 5, outcome: 'success' },
} as const satisfies Record<string, { rank: number; outcome: StatusMeaning }>;
type KnownStatus = keyof typeof statuses;

const knownStatuses = Object.keys(statuses) as KnownStatus[];

/** The statuses that can be filtered by. OTHER stands for any other status that a carrier reports. */
export const filterStatuses = [...knownStatuses, 'OTHER'] as const;

const find = (status: string): KnownStatus | undefined =>
	knownStatuses.find((known) => known === status.toUpperCase());

/** Returns the value to filter by that stands for a status, in upper or lower case. */
export function filterStatusOf(status: string): (typeof filterStatuses)[number] {
	return find(status) ?? 'OTHER';
}

/** Describes a status, in upper or lower case. An unknown one is neither final nor a failure. */
export function describeStatus(status: string) {
	const known = find(status);
	const { rank, outcome } = known
		? statuses[known]
		: ({ rank: undefined, outcome: undefined } as const);
	return {
		status: status.toUpperCase(),
		rank,
		isFinal: outcome === 'success' || outcome === 'failure',
		isFailure: outcome === 'failure',
		/** Whether another status follows. False for an unknown status, because nobody can tell. */
		isOpen: outcome === 'open',
	};
}

/** The filter values that can be the last status of a message. OTHER might be one. */
export const lastStatuses = filterStatuses.filter((status) => !describeStatus(status).isOpen);

/** For MMS, the service documents SENT and FAILED only, so SENT can be the last one. */
const otherLastStatuses: Partial<Record<EventType, KnownStatus[]>> = { MMS_STATUS: ['SENT'] };

/** Whether messages of a type can end with a status that is not in `lastStatuses`. */
export function hasOtherLastStatuses(type: EventType): boolean {
	return type in otherLastStatuses;
}

export function canBeLast(status: string, type: EventType): boolean {
	const { status: name, isOpen } = describeStatus(status);
	return !isOpen || otherLastStatuses[type]?.some((other) => other === name) === true;
}

type Progress = { rank: number; statuses: Set<string> };

/**
 * How far each message got, as this process has seen it. Webhooks have no better store: parallel deliveries overwrite
 * static data, and n8n's deduplication store is available in executions only. This takes about 3 MB. Late statuses of
 * messages that were forgotten are delivered again.
 */
const progressOf = lruMap<Progress>(20_000);

export function isLateOrRepeated(message: string, status: string): boolean {
	const progress = progressOf.get(message);
	if (!progress) return false;
	const { status: name, rank } = describeStatus(status);
	// OTHER stands for any unknown status, so two of them can be different ones.
	const isRepeated = name !== 'OTHER' && progress.statuses.has(name);
	return isRepeated || (rank !== undefined && rank < progress.rank);
}

/** Notes a status. Call it only once the workflow has the status, because a failed delivery is repeated. */
export function rememberStatus(message: string, status: string): void {
	const { status: name, rank = -1 } = describeStatus(status);
	const earlier = progressOf.get(message);
	progressOf.set(message, {
		rank: Math.max(rank, earlier?.rank ?? -1),
		statuses: new Set([...(earlier?.statuses ?? []), name]),
	});
}
