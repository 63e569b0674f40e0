import type { EventKind } from '../events/eventKinds';

/** The outputs of the option `byEvent`. Workflows are wired to their position: never reorder them. */
export const eventGroups = ['Replies', 'Opt-Outs', 'Delivery', 'Clicks', 'Other'] as const;

const groups: Record<EventKind, (typeof eventGroups)[number]> = {
	inbound: 'Replies',
	optOut: 'Opt-Outs',
	status: 'Delivery',
	linkHit: 'Clicks',
};

/** The position of an event's output; one of a type that nobody knows goes to Other. */
export const outputIndexOf = (kind: EventKind | undefined): number =>
	eventGroups.indexOf(kind ? groups[kind] : 'Other');

const namedOutputs = eventGroups.map((displayName) => ({ type: 'main', displayName }));

/** n8n evaluates this in the editor as well, so it can use the parameters only. */
export const outputsExpression =
	`={{ ($parameter.options || {}).outputs === 'byEvent' ? ${JSON.stringify(namedOutputs)} : ['main'] }}` as const;
