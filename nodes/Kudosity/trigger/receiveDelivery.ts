import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { EventKind } from '../events/eventKinds';
import type { ReceivedEvent } from '../events/readEvent';
import { digestOf, isExpectedToken, isTokenShaped } from '../events/token';
import { onAnswered, openDelivery } from '../runtime/openDelivery';
import { admitEvent } from './admitEvent';
import { eventGroups, outputIndexOf } from './eventGroups';
import { deliveryFields } from './fields';
import { readParameters } from './nodeParameters';
import { currentIds } from './currentIds';
import { isLateOrRepeated, rememberStatus } from './statusMemory';
import { readRegistration } from './storedRegistration';
import { toItem } from './toItem';
import { deriveToken } from './triggerIdentity';

/** The token that the credential's key makes. None when the credential is gone: then nobody gets in. */
const derivedDigest = async (context: IWebhookFunctions): Promise<string | undefined> =>
	await deriveToken(context).then(digestOf, () => {
		context.logger.warn('The Kudosity credential of this trigger cannot be read');
		return undefined;
	});

type Right = { token: string; storedIds: string[] };

/**
 * Whether it is the registered token, or else the one that the key makes. Reading the credential is the most
 * expensive part of a delivery, so that nobody gets it done with just any text.
 */
const rightOf = async (context: IWebhookFunctions): Promise<Right | undefined> => {
	const { token } = context.getQueryData() as { token?: unknown };
	if (!isTokenShaped(token)) return undefined;
	const { ids: storedIds, tokenDigest } = readRegistration(context);
	const isRight =
		isExpectedToken(token, [tokenDigest]) || isExpectedToken(token, [await derivedDigest(context)]);
	return isRight ? { token, storedIds } : undefined;
};

/** Answers whether to drop the status, and remembers it once n8n has told the service that it has it. */
const isNoNews = (context: IWebhookFunctions, { event }: ReceivedEvent): boolean => {
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
	{ storedIds, token }: Right,
): Promise<IWebhookResponseData> => {
	const { kind, webhookId } = received;
	const parameters = readParameters(context, deliveryFields);
	const { onlyFinalStatuses, outputs, dropRepeatedStatuses } = parameters.options;
	const webhookIds = await currentIds(context, { storedIds, webhookId, token });
	const rules = { webhookIds, events: parameters.events, onlyFinalStatuses };
	if (admitEvent(received, rules).kind === 'ignored') return {};
	if (dropRepeatedStatuses && isNoNews(context, received)) return {};
	const item = await toItem(context, received, parameters);
	return { workflowData: toOutputs(item, kind, outputs === 'byEvent') };
};

/** Answers a delivery: 401, 400 or 500 without an execution, 200 without one, or an execution. */
export const receiveDelivery = async (context: IWebhookFunctions): Promise<IWebhookResponseData> =>
	await openDelivery(context, {
		rightOf: async () => await rightOf(context),
		take: async (received, right) => await take(context, received, right),
	});
