import type { Channel } from './events.ts';
import type { OutboundMessage } from './state.ts';
import { textParts } from './textParts.ts';

export interface Submission {
	id: string;
	api: 'v1' | 'v2';
	channel: Channel;
	accountId: string;
	sender: string;
	recipients: string[];
	text: string;
	sentText: string;
	messageRef?: string;
	trackLinks: boolean;
	status: string;
}

/** The record of a message at the moment the service takes it. */
export function messageFrom(submission: Submission): OutboundMessage {
	const { recipients, messageRef, trackLinks, ...rest } = submission;
	const at = new Date().toISOString();
	return {
		...rest,
		recipient: recipients[0] ?? '',
		recipients,
		...(messageRef !== undefined && { message_ref: messageRef }),
		track_links: trackLinks,
		...textParts(submission.sentText),
		history: [],
		at,
		updatedAt: at,
	};
}
