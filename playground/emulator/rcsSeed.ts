import { messageFrom } from './acceptance.ts';
import { contacts, RCS_AGENT } from './catalogue.ts';
import type { OutboundMessage, State } from './state.ts';

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

function seededMessage(accountId: string, number: number, at: Date): OutboundMessage {
	const status = seededStatuses[number % seededStatuses.length]!;
	const text = `Reminder ${number}: your appointment is tomorrow`;
	const stepAt = (step: number) => new Date(at.getTime() + (step + 1) * 20_000).toISOString();
	return {
		...messageFrom({
			id: seededId(number),
			api: 'v2',
			channel: 'RCS',
			accountId,
			sender: RCS_AGENT,
			recipients: [contacts[number % contacts.length]!],
			text,
			sentText: text,
			messageRef: number % 2 === 0 ? `reminder-${number}` : undefined,
			trackLinks: false,
			status,
		}),
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
	const { rcsMessages: count, accounts } = state.settings;
	const accountId = accounts[0]?.id ?? '';
	const nowMs = Date.now();
	state.rcsMessages = Array.from({ length: count }, (_, index) =>
		seededMessage(accountId, index + 1, new Date(nowMs - (count - index) * stepMs(count))),
	);
	for (const message of state.rcsMessages) state.messagesById.set(message.id, message);
}
