import { randomBytes } from 'node:crypto';
import type { State, TrackedLink } from '../state.ts';

const code = () => randomBytes(6).toString('base64url');

function createLink(state: State, link: Pick<TrackedLink, 'kind' | 'url' | 'messageId'>): string {
	const created = { ...link, code: code(), hits: 0 };
	state.links.set(created.code, created);
	return `${state.baseUrl}/l/${created.code}`;
}

export interface LinkRequest {
	messageId: string;
	text: string;
	trackLinks: boolean;
	/** v1: what `[tracked-link]` leads to. */
	trackedLinkUrl?: string;
}

/** The text as it goes out: links shortened when tracked, placeholders replaced by links of this emulator. */
export function fillLinks(state: State, request: LinkRequest): string {
	const { messageId, text, trackLinks, trackedLinkUrl } = request;
	const shorten = (url: string) => createLink(state, { kind: 'click', url, messageId });
	const tracked = trackLinks ? text.replace(/https?:\/\/[^\s<>"]+/g, shorten) : text;
	const linked = trackedLinkUrl
		? tracked.replaceAll('[tracked-link]', () => shorten(trackedLinkUrl))
		: tracked;
	return linked.replace(/\[(?:opt-out-link|unsub-reply-link)\]/g, () =>
		createLink(state, { kind: 'optOut', url: '', messageId }),
	);
}

export const linksOf = (state: State, messageId: string): TrackedLink[] =>
	[...state.links.values()].filter((link) => link.messageId === messageId);
