import { contacts, RCS_AGENT } from './catalogue.ts';
import { createMessage } from './messages/messages.ts';
import type { OutboundMessage } from './model.ts';
import type { Settings } from './settings.ts';
import { createState, type State } from './state.ts';
import { seedLists } from './v1/lists.ts';
import { seedRegistrations } from './v2/senders.ts';

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
	const message = createMessage(state, {
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

/** Long series are spaced more closely to stay within the one year that lists cover. */
const stepMs = (count: number) => Math.min(HOUR_MS, (360 * 24 * HOUR_MS) / count);

/** Initial messages of the first account, one per hour. Number 1 is the oldest. */
function seedRcsMessages(state: State): void {
	const { rcsMessages: count } = state.settings;
	const nowMs = Date.now();
	const seeded = Array.from({ length: count }, (_, index) =>
		seededMessage(state, index + 1, new Date(nowMs - (count - index) * stepMs(count))),
	);
	state.chatMessages.RCS = seeded;
	for (const message of seeded) state.messagesById.set(message.id, message);
}

/** Creates the initial data. */
export function seed(state: State): void {
	seedRcsMessages(state);
	seedLists(state);
	seedRegistrations(state);
}

/** Deletes all data and restores the initial settings, with these overrides. */
export function resetState(state: State, settings: Partial<Settings> = {}): void {
	state.timers.clear();
	const { baseUrl, changes, poster, initialSettings } = state;
	const kept = { baseUrl, changes, poster, initialSettings };
	Object.assign(state, createState({ ...initialSettings, ...settings }, kept));
	seed(state);
	changes.notify();
}

export function changeSettings(state: State, settings: Partial<Settings>): Settings {
	state.settings = { ...state.settings, ...settings };
	if (settings.balance !== undefined) state.balances.clear();
	if (settings.requestsPerSecond !== undefined) state.rateLimits.clear();
	if (settings.lists !== undefined || settings.listMembers !== undefined) seedLists(state);
	if (settings.rcsMessages !== undefined) seedRcsMessages(state);
	state.changes.notify();
	return state.settings;
}
