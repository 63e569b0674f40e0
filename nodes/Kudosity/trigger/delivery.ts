import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { readMedia, withMedia } from '../events/media';
import type { ReceivedEvent } from '../events/parse';
import type { EventKind } from '../events/schema';
import { simplifyEvent } from '../events/simplify';
import { canBeLast, describeStatus } from '../events/statuses';
import { digestOf, isExpectedToken, looksLikeToken } from '../events/tokens';
import { lruMap } from '../lib/async';
import { itemWithFiles, onAnswered, handleDelivery } from '../runtime/delivery';
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

type Progress = { rank: number; statuses: Set<string> };

/** About 3 MB. The oldest messages are forgotten first: their late statuses come through again. */
const maxMessages = 20_000;

/**
 * How far each message got, as far as this process has seen it. A webhook has no other store: n8n's static
 * data is overwritten by parallel deliveries, and its store for duplicates exists in executions only.
 */
const progressOf = lruMap<Progress>(maxMessages);

/** Whether a status says nothing new: this message to this recipient had it before, or had got further. */
export const isLateOrRepeated = (message: string, status: string): boolean => {
	const progress = progressOf.get(message);
	if (!progress) return false;
	const { status: name, rank } = describeStatus(status);
	// Any status that nobody knows may be sent as OTHER: the same name can be news.
	const isRepeated = name.toUpperCase() !== 'OTHER' && progress.statuses.has(name);
	return isRepeated || (rank !== undefined && rank < progress.rank);
};

/** Only call it once the workflow has the status: a delivery that failed comes again. */
export const rememberStatus = (message: string, status: string): void => {
	const { status: name, rank = -1 } = describeStatus(status);
	const earlier = progressOf.get(message);
	progressOf.set(message, {
		rank: Math.max(rank, earlier?.rank ?? -1),
		statuses: new Set([...(earlier?.statuses ?? []), name]),
	});
};

export type Rules = {
	/** The ids that the service gave our webhooks. Unknown until they are stored: then the token decides alone. */
	webhookIds?: string[];
	/** The subscribed event types. */
	events: string[];
	onlyFinalStatuses?: boolean;
};

type Admission = { kind: 'accepted' } | { kind: 'ignored'; reason: string };

const ignored = (reason: string): Admission => ({ kind: 'ignored', reason });

const isForeign = ({ webhookId }: ReceivedEvent, { webhookIds }: Rules): boolean =>
	webhookIds !== undefined && webhookId !== undefined && !webhookIds.includes(webhookId);

const isOpenStatus = ({ event }: ReceivedEvent): boolean =>
	event?.payload.kind === 'status' && !canBeLast(event.payload.status.status, event.event_type);

/**
 * Whether an event starts the workflow. Pure. Types that nobody knows, and known ones with an unexpected
 * shape, do: the service chose to send them.
 */
export const filterEvent = (received: ReceivedEvent, rules: Rules): Admission => {
	if (isForeign(received, rules)) return ignored('the event is for another webhook');
	const { kind, body } = received;
	const isSubscribed = rules.events.some((subscribed) => subscribed === body.event_type);
	if (kind !== undefined && !isSubscribed) return ignored('the event type is not subscribed');
	if (rules.onlyFinalStatuses && isOpenStatus(received)) return ignored('the status is not final');
	return { kind: 'accepted' };
};

/**
 * The item that an accepted event becomes: flat where the event is understood and that is wanted, otherwise as it
 * was sent. The files of an MMS become binary data; without Download Media the simplified record only names them,
 * and the raw event keeps them as they were sent.
 */
export const toItem = async (
	context: IWebhookFunctions,
	{ body, event, parseIssues }: ReceivedEvent,
	{ simplify, options }: Pick<DeliveryParameters, 'simplify' | 'options'>,
): Promise<INodeExecutionData> => {
	const { downloadMedia, mediaProperty } = options;
	const record = simplify && event ? simplifyEvent(event) : undefined;
	return await itemWithFiles(context, {
		files: downloadMedia || record ? readMedia(body) : [],
		prefix: downloadMedia ? mediaProperty : undefined,
		parseIssues,
		toJson: (media) => {
			if (!media) return record ?? body;
			return record ? { ...record, media } : withMedia(body, media);
		},
	});
};

/** The token that the credential's key makes. None when the credential is gone: then nobody gets in. */
const derivedDigest = async (context: IWebhookFunctions): Promise<string | undefined> =>
	await deriveToken(context).then(digestOf, () => {
		context.logger.warn('The Kudosity credential of this trigger cannot be read');
		return undefined;
	});

type Grant = { token: string; storedIds: string[] };

/**
 * Whether it is the registered token, or else the one that the key makes. Reading the credential is the most
 * expensive part of a delivery, so that nobody gets it done with just any text.
 */
const authorize = async (context: IWebhookFunctions): Promise<Grant | undefined> => {
	const { token } = context.getQueryData() as { token?: unknown };
	if (!looksLikeToken(token)) return undefined;
	const { ids: storedIds, tokenDigest } = readRegistration(context);
	const isRight =
		isExpectedToken(token, [tokenDigest]) || isExpectedToken(token, [await derivedDigest(context)]);
	return isRight ? { token, storedIds } : undefined;
};

/** Answers whether to drop the status, and remembers it once n8n has told the service that it has it. */
const isStaleStatus = (context: IWebhookFunctions, { event }: ReceivedEvent): boolean => {
	const payload = event?.payload;
	if (payload?.kind !== 'status') return false;
	const { id, recipient, status } = payload.status;
	// One bulk message can have many recipients, each with statuses of its own.
	const place = [context.getWorkflow().id, context.getNode().id, context.getMode()];
	const message = [...place, id, recipient].join(':');
	if (isLateOrRepeated(message, status)) return true;
	onAnswered(context, (isTaken) => {
		if (isTaken) rememberStatus(message, status);
	});
	return false;
};

const toOutputs = (item: INodeExecutionData, kind: EventKind | undefined, isSplit: boolean) =>
	isSplit ? eventGroups.map((_, index) => (index === outputIndexOf(kind) ? [item] : [])) : [[item]];

const take = async (
	context: IWebhookFunctions,
	received: ReceivedEvent,
	{ storedIds, token }: Grant,
): Promise<IWebhookResponseData> => {
	const { kind, webhookId } = received;
	const parameters = readParameters(context, deliveryFields);
	const { onlyFinalStatuses, outputs, dropRepeatedStatuses } = parameters.options;
	const webhookIds = await currentIds(context, { storedIds, webhookId, token });
	const rules = { webhookIds, events: parameters.events, onlyFinalStatuses };
	if (filterEvent(received, rules).kind === 'ignored') return {};
	if (dropRepeatedStatuses && isStaleStatus(context, received)) return {};
	const item = await toItem(context, received, parameters);
	return { workflowData: toOutputs(item, kind, outputs === 'byEvent') };
};

/** Answers a delivery: 401, 400 or 500 without an execution, 200 without one, or an execution. */
export const receiveDelivery = async (context: IWebhookFunctions): Promise<IWebhookResponseData> =>
	await handleDelivery(context, {
		rightOf: async () => await authorize(context),
		take: async (received, right) => await take(context, received, right),
	});
