import type { EventType } from '../api/endpoints/webhook';

type StatusMeaning = 'open' | 'unclear' | 'success' | 'failure';

/**
 * What each status says. `rank` is how far the message got, so that a status that arrives late can be told;
 * the service documents no order, this is the one that was seen. `final`: nothing but READ follows.
 * ACCEPTED and SOFT_BOUNCE are not final, as the carrier may go on trying; when it does not, SOFT_BOUNCE stays the
 * last one. READ follows DELIVERED, both are final.
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

/** The statuses that can be filtered by. OTHER stands for whatever a carrier says beyond them. */
export const filterStatuses = [...knownStatuses, 'OTHER'] as const;

const find = (status: string): KnownStatus | undefined =>
	knownStatuses.find((known) => known === status.toUpperCase());

/** What is known of a status, in any case; a status that nobody knows is neither final nor a failure. */
export const describeStatus = (status: string) => {
	const known = find(status);
	const { rank, outcome } = known
		? statuses[known]
		: ({ rank: undefined, outcome: undefined } as const);
	return {
		status: known ?? status,
		rank,
		isFinal: outcome === 'success' || outcome === 'failure',
		isFailure: outcome === 'failure',
		/** Another status follows. False for a status nobody knows, since nobody can tell. */
		isOpen: outcome === 'open',
	};
};

/** What can be the last status of any message, as the service's filter takes it; nobody knows that of OTHER. */
export const lastStatuses = filterStatuses.filter((status) => !describeStatus(status).isOpen);

/** For an MMS the service documents SENT and FAILED alone, so that SENT can be the last one. */
const otherLastStatuses: Partial<Record<EventType, KnownStatus[]>> = { MMS_STATUS: ['SENT'] };

/** Whether messages of a type can end with other statuses than those. */
export const hasOtherLastStatuses = (type: EventType): boolean => type in otherLastStatuses;

/** Whether no other status need follow, in events of this type. */
export const canBeLast = (status: string, type: EventType): boolean => {
	const { status: name, isOpen } = describeStatus(status);
	return !isOpen || otherLastStatuses[type]?.some((other) => other === name) === true;
};
