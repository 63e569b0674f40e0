import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { readMedia, withMedia } from '../events/media';
import type { ReceivedEvent } from '../events/parse';
import { simplifyEvent } from '../events/simplify';
import { readOptOut, type OptOut } from '../events/optOut';
import { isExpectedAnswer } from '../events/replyText';
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
	/** The statuses of the filter Status. An empty list means any status. */
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
 * Whether an event starts the workflow. An event of unknown type or unexpected shape does, because Kudosity chose to
 * send it.
 */
export function shouldStart(received: ReceivedEvent, rules: Rules): boolean {
	return !isUnsubscribed(received, rules) && !isUnwantedStatus(received, rules);
}

/**
 * Makes an item of an event: with Simplify a flat record, if the event could be parsed, otherwise the event as sent.
 * The files of an MMS become binary data. Without Download Media, the flat record only describes them, and the raw
 * event keeps them.
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

/** Returns the digest of the token derived from the key. Undefined without a usable credential, which denies access. */
async function derivedDigest(context: IWebhookFunctions): Promise<string | undefined> {
	return await deriveToken(context).then(digestOf, () => {
		context.logger.warn('The credential of this Kudosity Trigger could not be read');
		return undefined;
	});
}

/**
 * Whether the delivery has the registered token, or the one derived from the key. Rejects malformed tokens first,
 * because reading the credential is expensive.
 */
async function isAuthorized(context: IWebhookFunctions): Promise<boolean> {
	const { token } = context.getQueryData() as { token?: unknown };
	if (!looksLikeToken(token)) return false;
	const { tokenDigest } = readRegistration(context);
	return (
		isExpectedToken(token, [tokenDigest]) || isExpectedToken(token, [await derivedDigest(context)])
	);
}

/** Whether to drop the status. Otherwise remembers it once n8n has confirmed the delivery to Kudosity. */
function isStaleStatus(context: IWebhookFunctions, { event }: ReceivedEvent): boolean {
	const payload = event?.payload;
	if (payload?.kind !== 'status') return false;
	const { id, recipient, status } = payload.status;
	// One bulk message can have many recipients, each with its own statuses.
	const place = [context.getWorkflow().id, context.getNode().id, context.getMode()];
	const message = [...place, id, recipient].join(':');
	if (isLateOrRepeated(message, status)) return true;
	onAnswered(context, (isTaken) => {
		if (isTaken) rememberStatus(message, status);
	});
	return false;
}

/** Finds an opt-out. Undefined for any other event, and for the answer that the newest open question expects. */
async function findOptOut(
	context: IWebhookFunctions,
	received: ReceivedEvent,
	keywords: readonly string[] | undefined,
): Promise<OptOut | undefined> {
	const optOut = readOptOut(received, keywords);
	const { answer } = optOut ?? {};
	// STOP needs no search, because it is not an answer to any question.
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

/** Responds with 401, 400 or 500, with 200 alone, or starts an execution. */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await handleDelivery(context, {
		isAuthorized: async () => await isAuthorized(context),
		accept: async (received) => await accept(context, received),
	});
}
