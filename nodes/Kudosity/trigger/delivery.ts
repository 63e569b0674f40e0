import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { readMedia, withMedia } from '../events/media';
import type { ReceivedEvent } from '../events/parse';
import { simplifyEvent } from '../events/simplify';
import { canBeLast, isLateOrRepeated, rememberStatus } from '../events/statuses';
import { digestOf, isExpectedToken, looksLikeToken } from '../events/tokens';
import { hasAnswered } from '../question/taken';
import { itemWithFiles, onAnswered, handleDelivery } from '../n8n/delivery';
import { currentIds } from './currentIds';
import {
	deliveryFields,
	type DeliveryParameters,
	eventGroups,
	outputIndexOf,
	readParameters,
} from './fields';
import { deriveToken } from './identity';
import { readRegistration } from './storedRegistration';

export type Rules = {
	/** IDs of our webhooks. While they are unknown, the token alone decides. */
	webhookIds?: string[];
	events: string[];
	onlyFinalStatuses?: boolean;
};

const isForeign = ({ webhookId }: ReceivedEvent, { webhookIds }: Rules): boolean =>
	webhookIds !== undefined && webhookId !== undefined && !webhookIds.includes(webhookId);

const isOpenStatus = ({ event }: ReceivedEvent): boolean =>
	event?.payload.kind === 'status' && !canBeLast(event.payload.status.status, event.event_type);

const isUnsubscribed = ({ kind, body }: ReceivedEvent, { events }: Rules): boolean =>
	kind !== undefined && !events.some((subscribed) => subscribed === body.event_type);

/** Whether an event starts the workflow. One of unknown type or unexpected shape does: the service chose to send it. */
export const shouldStart = (received: ReceivedEvent, rules: Rules): boolean =>
	!isForeign(received, rules) &&
	!isUnsubscribed(received, rules) &&
	!(rules.onlyFinalStatuses && isOpenStatus(received));

/**
 * A flat record with Simplify, if the event could be parsed, otherwise the event as sent. The files of an MMS become
 * binary data; without Download Media, the flat record only describes them and the raw event keeps them.
 */
const toItem = async (
	context: IWebhookFunctions,
	{ body, event, parseIssues }: ReceivedEvent,
	{ simplify, options }: Pick<DeliveryParameters, 'simplify' | 'options'>,
): Promise<INodeExecutionData> => {
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
};

/** Digest of the token derived from the credential's key. Undefined without a usable credential: access is denied. */
const derivedDigest = async (context: IWebhookFunctions): Promise<string | undefined> =>
	await deriveToken(context).then(digestOf, () => {
		context.logger.warn('The credential of this Kudosity Trigger could not be read');
		return undefined;
	});

type Grant = { token: string; storedIds: string[] };

/**
 * Accepts the registered token, or the one derived from the key. Reading the credential is expensive, so malformed
 * tokens are rejected first.
 */
const authorize = async (context: IWebhookFunctions): Promise<Grant | undefined> => {
	const { token } = context.getQueryData() as { token?: unknown };
	if (!looksLikeToken(token)) return undefined;
	const { ids: storedIds, tokenDigest } = readRegistration(context);
	const isRight =
		isExpectedToken(token, [tokenDigest]) || isExpectedToken(token, [await derivedDigest(context)]);
	return isRight ? { token, storedIds } : undefined;
};

/** Whether to drop the status. Otherwise remembers it once n8n has confirmed the delivery to the service. */
const isStaleStatus = (context: IWebhookFunctions, { event }: ReceivedEvent): boolean => {
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
};

const accept = async (
	context: IWebhookFunctions,
	received: ReceivedEvent,
	{ storedIds, token }: Grant,
): Promise<IWebhookResponseData> => {
	const { kind, webhookId } = received;
	const parameters = readParameters(context, deliveryFields);
	const { onlyFinalStatuses, outputs, skipOutdatedStatuses, skipQuestionAnswers } =
		parameters.options;
	const webhookIds = await currentIds(context, { storedIds, webhookId, token });
	const rules = { webhookIds, events: parameters.events, onlyFinalStatuses };
	if (!shouldStart(received, rules)) return {};
	if (skipOutdatedStatuses && isStaleStatus(context, received)) return {};
	if (skipQuestionAnswers && (await hasAnswered(context, received))) return {};
	const item = await toItem(context, received, parameters);
	if (outputs !== 'byEvent') return { workflowData: [[item]] };
	const output = outputIndexOf(kind);
	return { workflowData: eventGroups.map((_, index) => (index === output ? [item] : [])) };
};

/** Responds with 401, 400 or 500, with 200 alone, or starts an execution. */
export const receiveDelivery = async (context: IWebhookFunctions): Promise<IWebhookResponseData> =>
	await handleDelivery(context, {
		authorize: async () => await authorize(context),
		accept: async (received, grant) => await accept(context, received, grant),
	});
