import type { Action } from './action.ts';
import { actions } from './actions.ts';

export type { Emission } from '../events/samples.ts';
export type { FaultRule } from '../http/faults.ts';
export type { Settings } from '../settings.ts';
export type { DeliveryEntry, RequestEntry, Webhook } from '../state.ts';

type Actions = typeof actions;

/** A typed client for the control interface. Methods reject when the emulator refuses. */
export type Control = {
	[Name in keyof Actions]: (
		...args: Parameters<Actions[Name]['takes']>
	) => Promise<Awaited<ReturnType<Actions[Name]['run']>>>;
};

function queryText(query: object): string {
	const given = Object.entries(query).filter(([, value]) => value !== undefined);
	return String(new URLSearchParams(Object.fromEntries(given)));
}

/** Moves path parameters from the input into the path. */
function fillPath(path: string, input: object): { filled: string; rest: object } {
	if (Array.isArray(input)) return { filled: path, rest: input };
	const rest: Record<string, unknown> = { ...input };
	const filled = path.replace(/:(\w+)/g, (_, name: string) => {
		const value = encodeURIComponent(String(rest[name]));
		delete rest[name];
		return value;
	});
	return { filled, rest };
}

async function call(url: string, { method, path }: Action<unknown[], unknown>, input: object) {
	const { filled, rest } = fillPath(path, input);
	const isRead = method === 'GET' || method === 'DELETE';
	const query = isRead ? `?${queryText(rest)}` : '';
	const response = await fetch(`${url}/control${filled === '/' ? '' : filled}${query}`, {
		method,
		...(!isRead && {
			body: JSON.stringify(rest),
			headers: { 'content-type': 'application/json' },
		}),
	});
	const answer: unknown = await response.json();
	if (response.ok) return answer;
	const reason = `${method} /control${filled} answered ${response.status}`;
	throw new Error(`${reason}: ${JSON.stringify(answer).slice(0, 2000)}`);
}

export function createControl(url: string): Control {
	const all: Record<string, Action<unknown[], unknown>> = actions;
	const methods = Object.entries(all).map(([name, one]) => [
		name,
		async (...args: unknown[]) => await call(url, one, one.takes(...args)),
	]);
	return Object.fromEntries(methods) as Control;
}
