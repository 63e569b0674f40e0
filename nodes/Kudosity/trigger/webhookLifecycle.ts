import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import type { Client } from '../api/client';
import { ApiError, NoAnswerError, UnexpectedResponseError } from '../api/errors';
import type { Webhook } from '../api/schemas/webhook.schema';
import { createNodeClient } from '../runtime/nodeClient';
import { sentences } from '../runtime/sentences';
import { toNodeError } from '../runtime/toNodeError';
import { ownWebhooks, planRegistration, type Plan } from './registration';
import { readRegistration, registrationFields, type Registration } from './storedRegistration';
import { digestOf } from './token';
import { isTestRun, wantedWebhook, webhookUrlOf } from './wantedWebhook';

type Wanted = Awaited<ReturnType<typeof wantedWebhook>>;

const stored = (context: IHookFunctions): Registration =>
	readRegistration(context.getWorkflowStaticData('node'));

const store = (context: IHookFunctions, { id }: Webhook, { token }: Wanted): void => {
	const registration: Registration = {
		webhookId: id,
		tokenDigest: digestOf(token),
		isTest: isTestRun(context),
	};
	Object.assign(context.getWorkflowStaticData('node'), registration);
};

const forget = (context: IHookFunctions): void => {
	const staticData: IDataObject = context.getWorkflowStaticData('node');
	for (const field of registrationFields) delete staticData[field];
};

/** Where a workflow is published, n8n shows an error's message only, so it says how to go on as well. */
const failure = (context: IHookFunctions, error: unknown, prefix = '') => {
	const nodeError = toNodeError(context.getNode(), error);
	nodeError.message = sentences(`${prefix}${nodeError.message}`, nodeError.description);
	return nodeError;
};

/**
 * What was stored is forgotten until the registration is there again: after one that failed n8n calls
 * `unregister`, which must then not fail as well, see there.
 */
const planFor = async (context: IHookFunctions) => {
	const { webhookId } = stored(context);
	forget(context);
	const wanted = await wantedWebhook(context);
	const client = createNodeClient(context);
	const existing = await client.webhooks.list();
	return { client, wanted, plan: planRegistration(existing, wanted, webhookId) };
};

const checkOnce = async (context: IHookFunctions): Promise<boolean> => {
	const { wanted, plan } = await planFor(context);
	const { target, surplus } = plan;
	if (target.action !== 'keep' || surplus.length > 0) return false;
	store(context, target.webhook, wanted);
	return true;
};

/** A webhook that is gone already is what was wanted. */
const removeWebhook = async (client: Client, id: string): Promise<void> =>
	await client.webhooks.delete(id).catch((error: unknown) => {
		if (!(error instanceof ApiError && error.fields.status === 404)) throw error;
	});

/** What a surplus webhook delivers has its own id and is ignored, so that a failure here costs nothing. */
const removeSurplus = async (context: IHookFunctions, client: Client, surplus: Webhook[]) => {
	for (const { id } of surplus) {
		await removeWebhook(client, id).catch(() => {
			context.logger.warn('A surplus Kudosity webhook of this trigger could not be removed', {
				webhookId: id,
			});
		});
	}
};

const write = async (client: Client, wanted: Wanted, { target }: Plan): Promise<Webhook> => {
	const { name, url, filter } = wanted;
	if (target.action === 'create') return await client.webhooks.create({ name, url, filter });
	if (target.action === 'keep') return target.webhook;
	// The service replaces the whole record: a speed limit that was set by hand is kept.
	const { id, rate_limit: rateLimit } = target.webhook;
	return await client.webhooks.replace(id, { name, url, filter, rateLimit });
};

const registerOnce = async (context: IHookFunctions): Promise<void> => {
	const { client, wanted, plan } = await planFor(context);
	store(context, await write(client, wanted, plan), wanted);
	await removeSurplus(context, client, plan.surplus);
};

const unregisterOnce = async (context: IHookFunctions): Promise<void> => {
	const client = createNodeClient(context);
	const existing = await client.webhooks.list();
	const known = existing.filter(({ id }) => id === stored(context).webhookId);
	const own = ownWebhooks(existing, webhookUrlOf(context));
	for (const id of new Set([...known, ...own].map((webhook) => webhook.id))) {
		await removeWebhook(client, id);
	}
};

/** Whether it can work later. A key that is refused, or no longer there, stays so. */
const mayPass = (error: unknown): boolean =>
	error instanceof NoAnswerError ||
	error instanceof UnexpectedResponseError ||
	(error instanceof ApiError && ![401, 403].includes(error.fields.status));

/**
 * Whether the service has exactly one webhook of this trigger, with the wanted settings. It asks the service,
 * since what n8n remembers can be out of date.
 *
 * @throws NodeApiError | NodeOperationError n8n tries again, up to five times
 */
export const isRegistered = async (context: IHookFunctions): Promise<boolean> =>
	await checkOnce(context).catch((error: unknown) => {
		throw failure(context, error);
	});

/**
 * Leaves exactly one webhook with the wanted settings, whatever was there. Safe to repeat: n8n asks
 * `isRegistered` before each try, so that a webhook whose creation was never answered is found.
 *
 * @throws NodeApiError | NodeOperationError n8n does not look at a result, only at errors
 */
export const register = async (context: IHookFunctions): Promise<void> =>
	await registerOnce(context).catch((error: unknown) => {
		throw failure(context, error);
	});

/**
 * Removes every webhook of this trigger. Nobody must be unable to deactivate a workflow, so that an error
 * that stays is logged only. So is any error where n8n cannot deal with one: after a test run it does not
 * catch it, and after a failed activation it would take the trigger for registered from then on.
 *
 * @throws NodeApiError the service is in trouble; n8n tries again, up to three times
 */
export const unregister = async (context: IHookFunctions): Promise<void> => {
	const { webhookId, isTest } = stored(context);
	await unregisterOnce(context).catch((error: unknown) => {
		const left = `A webhook of this trigger (${webhookId ?? 'ID unknown'}) may be left in the Kudosity account`;
		const isActive = webhookId !== undefined && !isTest;
		if (isActive && mayPass(error)) throw failure(context, error, `${left}: `);
		context.logger.warn(left, { webhookId });
	});
	forget(context);
};
