import { messageFrom } from '../../messages/message.ts';
import { contacts, RCS_AGENT } from '../../catalogue.ts';
import type { OutboundMessage, State } from '../../state.ts';

const HOUR_MS = 3_600_000;

const seededStatuses = ['READ', 'DELIVERED', 'FAILED', 'SENT', 'QUEUED'] as const;
const seededHistory: Record<string, string[]> = {
	READ: ['SENT', 'DELIVERED', 'READ'],
	DELIVERED: ['SENT', 'DELIVERED'],
	FAILED: ['SENT', 'FAILED'],
	SENT: ['SENT'],
	QUEUED: [],
};

const seededId = (number: number) => `5eeded00-0000-4000-8000-${String(number).padStart(12, '0')}`;

function seededMessage(state: State, number: number, at: Date): OutboundMessage {
	const status = seededStatuses[number % seededStatuses.length]!;
	const text = `Reminder ${number}: your appointment is tomorrow`;
	const stepAt = (step: number) => new Date(at.getTime() + (step + 1) * 20_000).toISOString();
	const ref = number % 2 === 0 ? { message_ref: `reminder-${number}` } : {};
	const message = messageFrom(state, {
		api: 'v2',
		channel: 'RCS',
		accountId: state.settings.accounts[0]?.id ?? '',
		sender: RCS_AGENT,
		recipients: [contacts[number % contacts.length]!],
		text,
		extras: { content_type: 'text', content: { text: { message: text } }, ...ref },
	});
	return {
		...message,
		id: seededId(number),
		status,
		at: at.toISOString(),
		history: (seededHistory[status] ?? []).map((step, index) => ({
			status: step,
			at: stepAt(index),
		})),
	};
}

/** Long series move closer together, so that all of them stay within the year that listings reach back. */
const stepMs = (count: number) => Math.min(HOUR_MS, (360 * 24 * HOUR_MS) / count);

/** Messages of the first account that exist from the start, one an hour, number 1 the oldest. */
export function seedRcsMessages(state: State): void {
	const { rcsMessages: count } = state.settings;
	const nowMs = Date.now();
	const seeded = Array.from({ length: count }, (_, index) =>
		seededMessage(state, index + 1, new Date(nowMs - (count - index) * stepMs(count))),
	);
	state.chatMessages.RCS = seeded;
	for (const message of seeded) state.messagesById.set(message.id, message);
}
