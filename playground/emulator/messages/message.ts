import { randomUUID } from 'node:crypto';
import type { Channel } from '../events/events.ts';
import { nextNumber, type State } from '../state.ts';
import type { MessageExtras, OutboundMessage } from './model.ts';
import { smsParts } from './smsParts.ts';
import { fillLinks } from './trackedLinks.ts';

export interface Submission {
	api: 'v1' | 'v2';
	channel: Channel;
	accountId: string;
	sender: string;
	recipients: string[];
	text: string;
	trackLinks?: boolean;
	/** What `[tracked-link]` leads to. */
	trackedLinkUrl?: string | undefined;
	extras?: MessageExtras;
	sendAt?: Date;
}

/** The record of a message at the moment the service takes it; it costs nothing yet. */
export function messageFrom(state: State, submission: Submission): OutboundMessage {
	const { extras, recipients, sendAt, trackLinks = false, trackedLinkUrl, ...rest } = submission;
	const { api, channel, text } = rest;
	const number = nextNumber(state);
	const id = api === 'v1' ? String(number) : randomUUID();
	const sentText = fillLinks(state, { messageId: id, text, trackLinks, trackedLinkUrl });
	const parts = channel === 'SMS' ? smsParts(sentText) : { parts: 1, isGsm: true };
	const at = new Date().toISOString();
	return {
		...rest,
		...extras,
		id,
		number,
		direction: 'OUT',
		recipient: recipients[0] ?? '',
		recipients,
		sentText,
		track_links: trackLinks || Boolean(trackedLinkUrl),
		...parts,
		cost: 0,
		status: channel === 'RCS' || channel === 'WHATSAPP' ? 'QUEUED' : 'PENDING',
		statuses: {},
		history: [],
		optedOut: [],
		at,
		sendAt: sendAt?.toISOString() ?? at,
		updatedAt: at,
	};
}
