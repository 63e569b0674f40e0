import { countryOf } from './phoneNumber.ts';
import type { InboundMessage, OutboundMessage, State } from './state.ts';
import { textParts } from './textParts.ts';
import { withFractionDigits } from './timestamps.ts';

export interface SmsRecord {
	id: string;
	recipient: string;
	sender: string;
	message_ref: string;
	message: string;
	status: string;
	sms_count: string;
	is_gsm: boolean;
	routed_via: string;
	track_links: boolean;
	direction: 'IN' | 'OUT';
	created_at: string;
	updated_at: string;
}

const nineDigits = (iso: string) => withFractionDigits(new Date(iso), 9);

/** Lower-case status, as in the answer to a send and in lists. */
export function outboundRecord(state: State, message: OutboundMessage) {
	return {
		id: message.id,
		recipient: message.recipient,
		recipient_country: countryOf(message.recipient),
		sender: message.sender,
		sender_country: countryOf(message.sender),
		message_ref: message.message_ref ?? '',
		message: message.sentText,
		status: message.status.toLowerCase(),
		sms_count: String(message.parts),
		is_gsm: message.isGsm,
		is_sandbox: false,
		routed_via: state.settings.routedVia ?? '',
		track_links: message.track_links,
		direction: 'OUT' as const,
		created_at: nineDigits(message.at),
		updated_at: nineDigits(message.updatedAt),
	};
}

export function inboundRecord(state: State, inbound: InboundMessage) {
	const { parts, isGsm } = textParts(inbound.text);
	return {
		id: inbound.id,
		recipient: inbound.recipient,
		recipient_country: countryOf(inbound.recipient),
		sender: inbound.sender,
		sender_country: countryOf(inbound.sender),
		message_ref: '',
		message: inbound.text,
		status: 'delivered',
		sms_count: String(parts),
		is_gsm: isGsm,
		is_sandbox: false,
		routed_via: state.settings.routedVia ?? '',
		track_links: false,
		direction: 'IN' as const,
		created_at: nineDigits(inbound.at),
		updated_at: nineDigits(inbound.at),
	};
}
