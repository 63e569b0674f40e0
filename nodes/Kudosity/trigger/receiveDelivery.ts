import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { requireSecret } from '../api/credential';
import { credentialNames } from '../runtime/nodeTransport';
import { eventGroups, outputIndexOf } from './eventGroups';
import { payloadOf } from './events';
import { readParameters } from './nodeParameters';
import { readJsonBody } from './readJsonBody';
import { currentId } from './registeredId';
import { receiveWebhook, type Accepted, type Reception } from './receiveWebhook';
import { isLateOrRepeated, rememberStatus } from './statusMemory';
import { readRegistration, type Registration } from './storedRegistration';
import { createToken, digestOf, isExpectedToken, isTokenShaped } from './token';
import { toItem } from './toItem';
import type { TriggerParameters } from './triggerParameters';
import { webhookPathOf } from './webhookUrl';

/** The token that the credential's key makes. None when the credential is gone: then nobody gets in. */
const derivedDigests = async (context: IWebhookFunctions): Promise<string[]> => {
	try {
		const { apiKey } = await context.getCredentials(credentialNames.key);
		const url = context.getNodeWebhookUrl('default') ?? '';
		const path = webhookPathOf(url, context.getNode().webhookId);
		return [digestOf(createToken(requireSecret(apiKey, 'API Key'), path))];
	} catch {
		context.logger.warn('The Kudosity credential of this trigger cannot be read');
		return [];
	}
};

/**
 * The registered token, or else the one that the key makes. Reading the credential is the most expensive part
 * of a delivery, so that nobody gets it done with just any text.
 */
const expectedDigests = async (
	context: IWebhookFunctions,
	token: unknown,
	{ tokenDigest }: Registration,
): Promise<string[]> => {
	if (!isTokenShaped(token)) return [];
	const registered = tokenDigest === undefined ? [] : [tokenDigest];
	return isExpectedToken(token, registered) ? registered : await derivedDigests(context);
};

const decide = async (
	context: IWebhookFunctions,
	{ events, options }: TriggerParameters,
): Promise<Reception> => {
	const registration = readRegistration(context.getWorkflowStaticData('node'));
	const { token } = context.getQueryData() as { token?: unknown };
	const digests = await expectedDigests(context, token, registration);
	// Nobody gets a body read without the token.
	const hasToken = isExpectedToken(token, digests);
	const body = hasToken ? await readJsonBody(context.getRequestObject()) : undefined;
	return receiveWebhook({
		token,
		expectedDigests: digests,
		body,
		registeredId: await currentId(context, registration, body),
		events,
		onlyFinalStatuses: options.onlyFinalStatuses,
	});
};

const refuse = (context: IWebhookFunctions, status: number, reason: string) => {
	const response = context.getResponseObject();
	response.status(status);
	response.send(reason);
	return { noWebhookResponse: true };
};

/** Answers whether to drop the status, and remembers it once n8n has told the service that it has it. */
const isNoNews = (context: IWebhookFunctions, { event }: Accepted): boolean => {
	const payload = event && payloadOf(event);
	if (payload?.kind !== 'status') return false;
	const { id, recipient, status } = payload.status;
	// One bulk message can have many recipients, each with statuses of its own.
	const place = [context.getWorkflow().id, context.getNode().id, context.getMode()];
	const message = [...place, id, recipient].join(':');
	if (isLateOrRepeated(message, status)) return true;
	const response = context.getResponseObject();
	response.once('finish', () => {
		if (response.statusCode < 300) rememberStatus(message, status);
	});
	return false;
};

const toOutputs = (item: INodeExecutionData, eventType: unknown, outputs: string) =>
	outputs === 'byEvent'
		? eventGroups.map((_, index) => (index === outputIndexOf(eventType) ? [item] : []))
		: [[item]];

const receive = async (context: IWebhookFunctions): Promise<IWebhookResponseData> => {
	const parameters = readParameters(context);
	const reception = await decide(context, parameters);
	switch (reception.kind) {
		case 'rejected':
			return refuse(context, reception.status, reception.reason);
		case 'ignored':
			return {};
		case 'accepted': {
			const { outputs, dropRepeatedStatuses } = parameters.options;
			if (dropRepeatedStatuses && isNoNews(context, reception)) return {};
			const item = await toItem(context, reception, parameters);
			return { workflowData: toOutputs(item, reception.body.event_type, outputs) };
		}
	}
};

/**
 * Answers a delivery: 401 or 400 without an execution, 200 without one, or an execution. It never throws,
 * since n8n would record a failed execution for whatever anybody sends; after a 500 the service tries again.
 */
export const receiveDelivery = async (context: IWebhookFunctions): Promise<IWebhookResponseData> =>
	await receive(context).catch(() => {
		context.logger.error('A Kudosity event could not be read');
		return refuse(context, 500, 'the event could not be read');
	});
