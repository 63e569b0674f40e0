import { createState, type State } from './state.ts';
import type { Settings } from './settings.ts';
import { seedLists } from './v1/lists/list.ts';
import { seedRcsMessages } from './v2/rcs/seed.ts';
import { seedRegistrations } from './v2/senders/registration.ts';

/** What exists from the start. */
export function seed(state: State): void {
	seedRcsMessages(state);
	seedLists(state);
	seedRegistrations(state);
}

/** Forgets everything; the settings are those of the start, changed by these. */
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
