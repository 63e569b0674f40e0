import { countryOf } from '../../messages/phoneNumber.ts';
import type { InboundMessage, OutboundMessage, State } from '../../state.ts';
import { withFractionDigits } from '../../timestamps.ts';

export type Sms = OutboundMessage | InboundMessage;

const nineDigits = (iso: string) => withFractionDigits(new Date(iso), 9);

/** Live, a message cannot be read for some time after it was sent. */
export function readability({ settings }: State): (sms: Sms) => boolean {
	if (settings.readLagMs === 0) return () => true;
	const newest = new Date(Date.now() - settings.readLagMs).toISOString();
	return ({ at, direction }) => direction === 'IN' || at <= newest;
}

/** Status in lower case, as in the answer to a send and in lists. */
export function smsRecord({ settings }: State, sms: Sms) {
	const sent = sms.direction === 'OUT' ? sms : undefined;
	return {
		id: sms.id,
		recipient: sms.recipient,
		recipient_country: countryOf(sms.recipient),
		sender: sms.sender,
		sender_country: countryOf(sms.sender),
		message_ref: sent?.message_ref ?? '',
		message: sent?.sentText ?? sms.text,
		status: sms.status.toLowerCase(),
		sms_count: String(sms.parts),
		is_gsm: sms.isGsm,
		is_sandbox: false,
		routed_via: settings.routedVia ?? '',
		track_links: sent?.track_links ?? false,
		direction: sms.direction,
		created_at: nineDigits(sms.at),
		updated_at: nineDigits(sent?.updatedAt ?? sms.at),
	};
}
