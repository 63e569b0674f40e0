import type { EventType } from '../api/endpoints/webhook';
import { lruMap } from '../lib/async';

type StatusMeaning = 'open' | 'unclear' | 'success' | 'failure';

/**
 * All known statuses. `rank` is how far the message has progressed. The service documents no order; this one was
 * observed. Only READ can follow a success or failure. ACCEPTED and SOFT_BOUNCE are not final, because the carrier may
 * keep trying, but SOFT_BOUNCE can be a message's last status.
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

/** The statuses that a filter can have. OTHER stands for any other status that a carrier reports. */
export const filterStatuses = [...knownStatuses, 'OTHER'] as const;

const find = (status: string): KnownStatus | undefined =>
	knownStatuses.find((known) => known === status.toUpperCase());

/** Returns the filter value for a status, which can be in upper or lower case. */
export function filterStatusOf(status: string): (typeof filterStatuses)[number] {
	return find(status) ?? 'OTHER';
}

/** Describes a status, which can be in upper or lower case. An unknown status is neither final nor a failure. */
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
		/** Whether another status is expected. False for an unknown status, because its meaning isn't known. */
		isOpen: outcome === 'open',
	};
}

/**
 * The filter values that can be a message's last status. OTHER is included, because an unknown status may be the last
 * one.
 */
export const lastStatuses = filterStatuses.filter((status) => !describeStatus(status).isOpen);

/**
 * More statuses that can be a message's last one, for these event types only. For MMS, the service documents only SENT
 * and FAILED, so SENT can be the last one.
 */
const otherLastStatuses: Partial<Record<EventType, KnownStatus[]>> = { MMS_STATUS: ['SENT'] };

/** Whether messages of this type can end with a status that isn't in `lastStatuses`. */
export function hasOtherLastStatuses(type: EventType): boolean {
	return type in otherLastStatuses;
}

export function canBeLast(status: string, type: EventType): boolean {
	const { status: name, isOpen } = describeStatus(status);
	return !isOpen || otherLastStatuses[type]?.some((other) => other === name) === true;
}

type Progress = { rank: number; statuses: Set<string> };

/**
 * How far each message has progressed, as seen by this process. Webhooks have no better store: parallel deliveries
 * overwrite each other's static data, and n8n's deduplication store is only available in executions. The map takes
 * about 3 MB. If a message has been dropped from the map, its late and repeated statuses start the workflow.
 */
const progressOf = lruMap<Progress>(20_000);

export function isLateOrRepeated(message: string, status: string): boolean {
	const progress = progressOf.get(message);
	if (!progress) return false;
	const { status: name, rank } = describeStatus(status);
	// OTHER stands for any unknown status, so two of them may be different statuses.
	const isRepeated = name !== 'OTHER' && progress.statuses.has(name);
	return isRepeated || (rank !== undefined && rank < progress.rank);
}

/**
 * Records a status. Call this only after the workflow has received the status, because a failed delivery is retried.
 */
export function rememberStatus(message: string, status: string): void {
	const { status: name, rank = -1 } = describeStatus(status);
	const earlier = progressOf.get(message);
	progressOf.set(message, {
		rank: Math.max(rank, earlier?.rank ?? -1),
		statuses: new Set([...(earlier?.statuses ?? []), name]),
	});
}
