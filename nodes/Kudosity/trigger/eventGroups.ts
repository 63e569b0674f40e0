import { isKnownEventType } from '../events/parseEvent';

/** The outputs of the option `byEvent`. Workflows are wired to their position: never reorder them. */
export const eventGroups = ['Replies', 'Opt-Outs', 'Delivery', 'Clicks', 'Other'] as const;

const groupOf = (eventType: unknown): (typeof eventGroups)[number] => {
	if (typeof eventType !== 'string' || !isKnownEventType(eventType)) return 'Other';
	if (eventType.endsWith('_INBOUND')) return 'Replies';
	if (eventType.endsWith('_STATUS')) return 'Delivery';
	if (eventType === 'OPT_OUT') return 'Opt-Outs';
	return eventType === 'LINK_HIT' ? 'Clicks' : 'Other';
};

/** The position of an event's output; a type that nobody knows, or that is of no such kind, goes to Other. */
export const outputIndexOf = (eventType: unknown): number =>
	eventGroups.indexOf(groupOf(eventType));

const namedOutputs = eventGroups.map((displayName) => ({ type: 'main', displayName }));

/** n8n evaluates this in the editor as well, so it can use the parameters only. */
export const outputsExpression =
	`={{ ($parameter.options || {}).outputs === 'byEvent' ? ${JSON.stringify(namedOutputs)} : ['main'] }}` as const;
