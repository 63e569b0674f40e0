import type { IHookFunctions } from 'n8n-workflow';
import {
	createWebhook,
	fieldsOf,
	getWebhooks,
	hasId,
	replaceWebhook,
	type Webhook,
} from '../api/endpoints/webhook';
import { InputError, isTransient } from '../api/errors';
import type { Service } from '../api/service';
import { digestOf } from '../events/tokens';
import { FieldError } from '../fields/field';
import { joinSentences } from '../lib/text';
import { toNodeError } from '../runtime/nodeErrors';
import { createNodeService, removeWebhook } from '../runtime/services';
import { type Identity, isOthersAtOurUrl, readIdentity, warnOfOtherAccount } from './identity';
import {
	isUpToDate,
	createsAll,
	type Plan,
	planRegistration,
	type Step,
	type WantedWebhook,
} from './planRegistration';
import {
	forgetPending,
	markPending,
	readRegistration,
	storeRegistration,
} from './storedRegistration';
import { isTestRun, wantedWebhooks } from './wantedWebhooks';

type Asked = { identity: Identity; wanted: WantedWebhook[] };

/** What decides which events arrive: a workflow that was renamed gets the same. */
const wantedDigestOf = (wanted: WantedWebhook[]): string =>
	digestOf(JSON.stringify(wanted.map(({ url, filter, rateLimit }) => [url, filter, rateLimit])));

const store = (context: IHookFunctions, webhooks: Webhook[], { identity, wanted }: Asked): void =>
	storeRegistration(context, {
		ids: webhooks.map(({ id }) => id),
		tokenDigest: digestOf(identity.token),
		wantedDigest: wantedDigestOf(wanted),
		isTest: isTestRun(context),
	});

const readWanted = async (context: IHookFunctions): Promise<Asked> => {
	const identity = await readIdentity(context);
	return { identity, wanted: await wantedWebhooks(context, identity) };
};

/** Whether the last registration was for what is wanted now. The service is not asked. */
export const isAsRegistered = async (context: IHookFunctions): Promise<boolean> => {
	const { ids, wantedDigest } = readRegistration(context);
	if (ids.length === 0 || wantedDigest === undefined) return false;
	return wantedDigest === wantedDigestOf((await readWanted(context)).wanted);
};

/** n8n 1 lets two triggers of one workflow have one address: the second would get what is the first's. */
const addressTaken = (rival: Webhook): InputError =>
	new InputError(
		`Another Kudosity Trigger has the address of this one, with the webhook ${rival.id} at Kudosity`,
		`One of the two was copied together with its address. Delete this trigger and add it anew, which gives it one of its own. If no other trigger has the address, the webhook is left over: remove it with Webhook → Delete`,
	);

/** A test ends after one event, so that it may have its webhook beside a leftover of an earlier test. */
const refuseRivals = (context: IHookFunctions, existing: Webhook[], identity: Identity): void => {
	if (isTestRun(context)) return;
	const rival = existing.find((webhook) => isOthersAtOurUrl(webhook, identity));
	if (rival) throw addressTaken(rival);
};

const planFor = async (context: IHookFunctions) => {
	markPending(context);
	const asked = await readWanted(context);
	const { identity, wanted } = asked;
	const service = createNodeService(context);
	const existing = (await service.call(getWebhooks)).filter(hasId);
	const plan = planRegistration(existing, wanted, identity);
	if (createsAll(plan)) refuseRivals(context, existing, identity);
	return { service, asked, existing, plan };
};

/** Whether there is nothing to write; the registration is stored then. */
export const check = async (context: IHookFunctions): Promise<boolean> => {
	const { asked, plan } = await planFor(context);
	if (!isUpToDate(plan)) return false;
	const kept = plan.steps.flatMap((step) => ('webhook' in step ? [step.webhook] : []));
	store(context, kept, asked);
	return true;
};

/** What a surplus webhook delivers has its own id and is ignored, so that a failure here costs nothing. */
const removeSurplus = async (context: IHookFunctions, service: Service, surplus: Webhook[]) => {
	for (const { id } of surplus) {
		await removeWebhook(service, id).catch(() => {
			context.logger.warn('A surplus Kudosity webhook of this trigger could not be removed', {
				webhookId: id,
			});
		});
	}
};

const write = async (service: Service, step: Step): Promise<Webhook> => {
	if (step.action === 'keep') return step.webhook;
	const { name, url, filter, rateLimit } = step.wanted;
	const settings = { name, url, filter, rate_limit: rateLimit };
	if (step.action === 'create') return await service.call(createWebhook, settings);
	// The service replaces the whole record: a rate limit that was set by hand is kept.
	const rate_limit = rateLimit ?? fieldsOf(step.webhook).rate_limit;
	return await service.call(replaceWebhook, { ...settings, id: step.webhook.id, rate_limit });
};

/** A second webhook is made before the first one gives up its events: in between, nobody would have them. */
const inOrder = ({ steps }: Plan): Step[] => [
	...steps.filter(({ action }) => action === 'create'),
	...steps.filter(({ action }) => action !== 'create'),
];

/** Leaves exactly the wanted webhooks, whatever was there. */
export const registerOnce = async (context: IHookFunctions): Promise<void> => {
	const { service, asked, existing, plan } = await planFor(context);
	warnOfOtherAccount(context, existing, asked.identity);
	const written: Webhook[] = [];
	for (const step of inOrder(plan)) written.push(await write(service, step));
	store(context, written, asked);
	await removeSurplus(context, service, plan.surplus);
};

export { unregister } from './unregister';

/** Where a workflow is published, n8n shows an error's message only, so it says how to go on as well. */
const failure = (context: IHookFunctions, error: unknown) => {
	const nodeError = toNodeError(context.getNode(), error);
	nodeError.message = joinSentences(nodeError.message, nodeError.description);
	return nodeError;
};

const startModes = ['init', 'leadershipChange'];

const couldNotAsk = async (context: IHookFunctions, error: unknown): Promise<boolean> =>
	isTransient(error) && (await isAsRegistered(context).catch(() => false));

/** A variable may have gone, or been changed, since the workflow was published. */
const hasUnreadableField = (context: IHookFunctions, error: unknown): boolean =>
	error instanceof FieldError && readRegistration(context).ids.length > 0;

/**
 * n8n 1 removes the webhooks of a trigger that it could not check, also where it only starts again. What was
 * registered most likely still is then.
 */
const keepsWebhooksAtStart = async (context: IHookFunctions, error: unknown): Promise<boolean> =>
	startModes.includes(context.getActivationMode()) &&
	(hasUnreadableField(context, error) || (await couldNotAsk(context, error)));

const keepWebhooks = (context: IHookFunctions, error: unknown): true => {
	forgetPending(context);
	const reason =
		error instanceof FieldError ? error.message : 'Kudosity could not be asked about them';
	context.logger.warn(`The webhooks of this trigger are left as they were: ${reason}`, {
		webhookIds: readRegistration(context).ids,
	});
	return true;
};

/**
 * Whether the service has exactly the webhooks of this trigger, with the wanted settings. It asks the service,
 * since what n8n remembers can be out of date.
 *
 * @throws NodeApiError | NodeOperationError n8n tries again, up to five times
 */
export const isRegistered = async (context: IHookFunctions): Promise<boolean> => {
	const { isPending } = readRegistration(context);
	return await check(context).catch(async (error: unknown) => {
		if (!isPending && (await keepsWebhooksAtStart(context, error)))
			return keepWebhooks(context, error);
		throw failure(context, error);
	});
};

/**
 * Leaves exactly the wanted webhooks, whatever was there. Safe to repeat: n8n asks `isRegistered` before each
 * try, so that a webhook whose creation was never answered is found.
 *
 * @throws NodeApiError | NodeOperationError n8n does not look at a result, only at errors
 */
export const register = async (context: IHookFunctions): Promise<void> =>
	await registerOnce(context).catch((error: unknown) => {
		throw failure(context, error);
	});
