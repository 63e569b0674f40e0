import type { z } from 'zod/v4';
import { isLoopbackUrl } from '../credential';
import { lacksToken } from '../hiddenToken';
import { isPublicUrl } from '../reachability';
import { optionalText, refuse, requiredText, senderDigitsOf } from './input.schema';
import { commaList, wholeNumber } from './recordInput.schema';

const nameLength = { min: 2, max: 100 };

/** The service's own bounds of deliveries a second; 0 leaves the choice to it. */
export const rateLimit = wholeNumber({ min: 0, max: 10_000 });

/** Senders to match. Events carry phone numbers as digits, whatever way they are written here. */
export const senderList = commaList.transform((senders) =>
	senders.map((sender) => senderDigitsOf(sender) ?? sender),
);

const isName = (name: string): boolean =>
	name.length >= nameLength.min && name.length <= nameLength.max;

/** Whether a service, or that of the playground, can deliver there; the transport knows which one it is. */
const mayBeReachable = (url: string): boolean =>
	isPublicUrl(url) || (/^https?:/i.test(url) && isLoopbackUrl(url));

const refusals = {
	name: [
		`does not have ${nameLength.min} to ${nameLength.max} characters`,
		'Use a shorter or a longer name',
	],
	url: [
		'is not a public https address',
		'Use the https address by which the internet reaches whatever takes the events, e.g. https://example.com/events',
	],
	hiddenToken: [
		'lacks the token, which is not shown',
		'Leave the field empty to keep the address. The address of a Kudosity Trigger is best left to the trigger',
	],
} as const;

/** 2 to 100 characters. */
export const webhookName = requiredText.transform((text, context) =>
	isName(text.trim()) ? text.trim() : refuse(context, ...refusals.name),
);

const checkUrl = (text: string, context: z.RefinementCtx): string => {
	if (!mayBeReachable(text)) return refuse(context, ...refusals.url);
	return lacksToken(text) ? refuse(context, ...refusals.hiddenToken) : text;
};

/** https at a public host, or an address of this machine (the playground). */
export const webhookUrl = requiredText.transform((text, context) => checkUrl(text.trim(), context));

/** The same for an update, where an empty field leaves the webhook as it is. */
export const newWebhookName = optionalText.transform((text, context) =>
	text === undefined || isName(text.trim()) ? text?.trim() : refuse(context, ...refusals.name),
);

export const newWebhookUrl = optionalText.transform((text, context) =>
	text === undefined ? undefined : checkUrl(text.trim(), context),
);
