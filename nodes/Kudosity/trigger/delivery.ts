import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { readMedia, withMedia } from '../events/media';
import type { ReceivedEvent } from '../events/parse';
import { simplifyEvent } from '../events/simplify';
import { readOptOut, type OptOut } from '../events/optOut';
import { isExpectedAnswer } from '../events/optOutText';
import { canBeLast, filterStatusOf, isLateOrRepeated, rememberStatus } from '../events/statuses';
import { digestOf, isExpectedToken, looksLikeToken } from '../events/tokens';
import { expectedWords, wasUsedAsAnswer } from '../question/forTriggers';
import { itemWithFiles, onAnswered, handleDelivery } from '../n8n/delivery';
import {
	anyOptOut,
	areStatusesAlone,
	deliveryFields,
	type DeliveryParameters,
	eventGroups,
	outputIndexOf,
	readParameters,
	subscribedTypes,
} from './fields';
import { deriveToken } from './identity';
import { readRegistration } from './storedRegistration';

export type Rules = {
	events: string[];
	/** The values of the Status filter. An empty list means any status. */
	statuses: string[];
	onlyFinalStatuses: boolean;
};

const isUnsubscribed = ({ kind, body }: ReceivedEvent, { events }: Rules): boolean =>
	kind !== undefined && !events.some((subscribed) => subscribed === body.event_type);

function isUnwantedStatus({ event }: ReceivedEvent, rules: Rules): boolean {
	if (event?.payload.kind !== 'status') return false;
	const { events, statuses, onlyFinalStatuses } = rules;
	const { status } = event.payload.status;
	if (onlyFinalStatuses && !canBeLast(status, event.event_type)) return true;
	if (statuses.length === 0 || areStatusesAlone(events)) return false;
	return !statuses.includes(filterStatusOf(status));
}

/**
 * Whether an event starts the workflow. An event of unknown type or unexpected shape also starts it, because Kudosity
 * chose to send the event.
 */
export function shouldStart(received: ReceivedEvent, rules: Rules): boolean {
	return !isUnsubscribed(received, rules) && !isUnwantedStatus(received, rules);
}

/**
 * Creates an item from an event. With Simplify, the item is a flat record if the event could be parsed. Otherwise, it
 * is the event as sent. The files of an MMS become binary data. Without Download Media, a flat record only describes
 * the files, and a raw event still contains them.
 */
async function toItem(
	context: IWebhookFunctions,
	{ body, event, parseIssues }: ReceivedEvent,
	{ simplify, options }: Pick<DeliveryParameters, 'simplify' | 'options'>,
): Promise<INodeExecutionData> {
	const { downloadMedia, outputFieldPrefix } = options;
	const record = simplify && event ? simplifyEvent(event) : undefined;
	return await itemWithFiles(context, {
		files: downloadMedia || record ? readMedia(body) : [],
		prefix: downloadMedia ? outputFieldPrefix : undefined,
		parseIssues,
		toJson: (media) => {
			if (!media) return record ?? body;
			return record ? { ...record, media } : withMedia(body, media);
		},
	});
}

/**
 * Returns the digest of the token that is derived from the API key. Returns undefined if there is no usable credential,
 * which denies access.
 */
async function derivedDigest(context: IWebhookFunctions): Promise<string | undefined> {
	return await deriveToken(context).then(digestOf, () => {
		context.logger.warn('The credential of this Kudosity Trigger could not be read');
		return undefined;
	});
}

/**
 * Whether the delivery has the registered token, or the one derived from the API key. Malformed tokens are rejected
 * first, because reading the credential is expensive.
 */
async function isAuthorized(context: IWebhookFunctions): Promise<boolean> {
	const { token } = context.getQueryData() as { token?: unknown };
	if (!looksLikeToken(token)) return false;
	const { tokenDigest } = readRegistration(context);
	return (
		isExpectedToken(token, [tokenDigest]) || isExpectedToken(token, [await derivedDigest(context)])
	);
}

/**
 * Whether to skip the status, because it is late or repeated. Otherwise, the status is remembered once n8n has
 * confirmed the delivery to Kudosity.
 */
function isStaleStatus(context: IWebhookFunctions, { event }: ReceivedEvent): boolean {
	const payload = event?.payload;
	if (payload?.kind !== 'status') return false;
	const { id, recipient, status } = payload.status;
	// A bulk message can have many recipients, each with statuses of their own.
	const place = [context.getWorkflow().id, context.getNode().id, context.getMode()];
	const message = [...place, id, recipient].join(':');
	if (isLateOrRepeated(message, status)) return true;
	onAnswered(context, (isTaken) => {
		if (isTaken) rememberStatus(message, status);
	});
	return false;
}

/**
 * Returns the event's opt-out. Returns undefined for any other event, and for a reply that the newest open question
 * expects as an answer.
 */
async function findOptOut(
	context: IWebhookFunctions,
	received: ReceivedEvent,
	keywords: readonly string[] | undefined,
): Promise<OptOut | undefined> {
	const optOut = readOptOut(received, keywords);
	const { answer } = optOut ?? {};
	// STOP needs no lookup, because no question can expect STOP as an answer.
	if (answer === undefined || optOut?.record?.how === 'stop') return optOut;
	return isExpectedAnswer(answer, await expectedWords(context, received)) ? undefined : optOut;
}

async function optOutItem(
	context: IWebhookFunctions,
	received: ReceivedEvent,
	{ simplify, options }: DeliveryParameters,
): Promise<INodeExecutionData | undefined> {
	const optOut = await findOptOut(context, received, options.optOutKeywords);
	if (!optOut) return undefined;
	const { record, issues = [] } = optOut;
	const parseIssues = [...received.parseIssues, ...issues];
	if (!simplify || !record) {
		return await toItem(context, { ...received, parseIssues }, { simplify: false, options });
	}
	return await itemWithFiles(context, { files: [], parseIssues, toJson: () => record });
}

async function accept(
	context: IWebhookFunctions,
	received: ReceivedEvent,
): Promise<IWebhookResponseData> {
	const parameters = readParameters(context, deliveryFields);
	const { events, filters, options } = parameters;
	const { onlyFinalStatuses, outputs, skipOutdatedStatuses, skipQuestionAnswers } = options;
	const rules = { events: subscribedTypes(events), statuses: filters.status, onlyFinalStatuses };
	if (!shouldStart(received, rules)) return {};
	const toOutput = (item: INodeExecutionData, kind = received.kind): IWebhookResponseData => {
		if (outputs !== 'byEvent') return { workflowData: [[item]] };
		const output = outputIndexOf(kind);
		return { workflowData: eventGroups.map((_, index) => (index === output ? [item] : [])) };
	};
	if (events.includes(anyOptOut)) {
		const item = await optOutItem(context, received, parameters);
		return item ? toOutput(item, 'optOut') : {};
	}
	if (skipOutdatedStatuses && isStaleStatus(context, received)) return {};
	if (skipQuestionAnswers && (await wasUsedAsAnswer(context, received))) return {};
	return toOutput(await toItem(context, received, parameters));
}

/**
 * Handles a delivery: responds with 401, 400 or 500, or responds with 200 and starts an execution if the event is
 * wanted.
 */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await handleDelivery(context, {
		isAuthorized: async () => await isAuthorized(context),
		accept: async (received) => await accept(context, received),
	});
}
