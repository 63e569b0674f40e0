import type { EventBody } from './events.ts';

export const filterFields = [
	'event_type',
	'sender',
	'status',
	'message_ref',
	'campaign_id',
] as const;
type FilterField = (typeof filterFields)[number];
export type WebhookFilter = Partial<Record<FilterField, string[]>>;

type Facts = Partial<Record<FilterField, string | undefined>>;

/** The value each filter field is compared with. Fields without a key do not apply to the event. */
function readFacts({ event_type, status, mo, link_hit, opt_out }: EventBody): Facts {
	if (status) {
		const { sender, message_ref, campaign_id } = status;
		return { event_type, sender, message_ref, campaign_id, status: status.status };
	}
	if (mo) {
		// For a reply, the recipient is the account's number.
		const { message_ref, campaign_id } = mo.last_message ?? {};
		return { event_type, sender: mo.recipient, message_ref, campaign_id };
	}
	const { sender, message_ref, campaign_id } =
		(link_hit ?? opt_out)?.source_message ?? ({} as Facts);
	return { event_type, sender, message_ref, campaign_id };
}

const withoutPlus = (value: string) => value.replace(/^\+(?=\d)/, '');

/** OR within a field, AND between fields. A `status` filter does not affect events of other kinds. */
export function matchesFilter(filter: WebhookFilter | null, event: EventBody): boolean {
	const facts = readFacts(event);
	return filterFields.every((field) => {
		const wanted = filter?.[field];
		if (!wanted?.length || !(field in facts)) return true;
		const fact = facts[field];
		if (fact === undefined) return false;
		return wanted.some((value) => withoutPlus(value) === withoutPlus(fact));
	});
}
