import { eventTypes, type EventType } from '../api/schemas/webhook.schema';
import { byName } from './byName';

const labels: Record<EventType, { name: string; description: string }> = {
	LINK_HIT: {
		name: 'Link Clicked',
		description: 'A recipient opened a tracked link; raised at every visit, also by link scanners',
	},
	MMS_INBOUND: { name: 'MMS Received', description: 'An MMS arrived, with its pictures or sounds' },
	MMS_STATUS: { name: 'MMS Status Changed', description: 'An MMS was sent, delivered or failed' },
	OPT_OUT: {
		name: 'Recipient Opted Out',
		description:
			'A recipient opted out, by link or by sending STOP; a STOP by SMS raises SMS Received, too',
	},
	RCS_INBOUND: {
		name: 'RCS Message Received',
		description: 'Someone wrote to one of your RCS agents, or sent a file, place or contact',
	},
	RCS_STATUS: {
		name: 'RCS Status Changed',
		description: 'An RCS message was sent, delivered, read or failed',
	},
	SMS_INBOUND: {
		name: 'SMS Received',
		description: 'An SMS arrived at one of your numbers, a reply or a new message',
	},
	SMS_STATUS: { name: 'SMS Status Changed', description: 'An SMS was sent, delivered or failed' },
	WHATSAPP_INBOUND: {
		name: 'WhatsApp Message Received',
		description: 'Someone wrote to you on WhatsApp, reacted or pressed a button',
	},
	WHATSAPP_STATUS: {
		name: 'WhatsApp Status Changed',
		description: 'A WhatsApp message was submitted, delivered, read or failed',
	},
};

const isOrdinaryWord = (word: string) => /^[A-Z][a-z]+$/.test(word);

/** The entry in the editor's list of triggers, e.g. "On SMS received"; n8n by itself writes "On sms received". */
const triggerEntry = (name: string): string => {
	const words = name.split(' ').map((word) => (isOrdinaryWord(word) ? word.toLowerCase() : word));
	return `On ${words.join(' ')}`;
};

/** The choices of the field Events, in the order of their names. */
export const eventOptions = eventTypes
	.map((value) => ({ value, ...labels[value], action: triggerEntry(labels[value].name) }))
	.sort(byName);
