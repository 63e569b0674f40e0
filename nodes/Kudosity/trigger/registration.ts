import type { IHookFunctions } from 'n8n-workflow';
import {
	createWebhook,
	fieldsOf,
	getWebhooks,
	hasId,
	replaceWebhook,
	type Webhook,
} from '../api/endpoints/webhook';
import { ApiError, InputError, isRefusedOnTheWay, isTransient, NoAnswerError } from '../api/errors';
import type { Service } from '../api/service';
import { digestOf } from '../events/tokens';
import { FieldError } from '../fields/field';
import { keyedSemaphore, settle } from '../lib/async';
import { joinSentences } from '../lib/text';
import { createUnstoppableClock } from '../n8n/clock';
import { isReachable } from '../n8n/credentials';
import { textOfFailure, toNodeError } from '../n8n/nodeErrors';
import { createNodeService, removeWebhook } from '../n8n/services';
import {
	hasAddress,
	type Identity,
	isOthersAtOurUrl,
	isOwn,
	readIdentity,
	warnOfOtherAccount,
} from './identity';
import { type Plan, planRegistration, type WantedWebhook } from './planRegistration';
import {
	forgetPending,
	forgetRegistration,
	notePending,
	readRegistration,
	storeRegistration,
} from './storedRegistration';
import { isTestRun, wantedWebhook } from './wantedWebhook';

async function readTarget(context: IHookFunctions) {
	const identity = await readIdentity(context);
	return { identity, wanted: await wantedWebhook(context, identity) };
}

/**
 * Returns a digest of the settings that decide which events arrive. The name isn't included, because renaming the
 * workflow doesn't affect the events.
 */
const wantedDigestOf = ({ url, filter, rateLimit }: WantedWebhook): string =>
	digestOf(JSON.stringify([url, filter, rateLimit]));

/**
 * Refuses an address that another trigger already has. n8n 1 lets two triggers of a workflow share an address, so the
 * second one would get the first one's events. A test is exempt: it ends after one event, so a webhook left over from
 * an earlier test does no harm.
 *
 * @throws InputError - another trigger has the address
 */
function refuseTakenAddress(context: IHookFunctions, existing: Webhook[], identity: Identity) {
	const other = existing.find((webhook) => isOthersAtOurUrl(webhook, identity));
	if (!other || isTestRun(context)) return;
	throw new InputError(
		`Another Kudosity Trigger has the same webhook URL (webhook ${other.id} in Kudosity)`,
		`This trigger was copied together with its webhook URL. Delete this trigger and add a new Kudosity Trigger. If no other trigger has this URL, remove the leftover webhook with Webhook → Delete`,
	);
}

async function planFor(context: IHookFunctions) {
	notePending(context);
	const target = await readTarget(context);
	const service = createNodeService(context);
	const existing = (await service.call(getWebhooks)).filter(hasId);
	const plan = planRegistration(existing, target.wanted, target.identity);
	if (plan.action === 'create') refuseTakenAddress(context, existing, target.identity);
	return { service, target, existing, plan };
}

async function write(service: Service, plan: Plan, wanted: WantedWebhook): Promise<Webhook> {
	if (plan.action === 'keep') return plan.webhook;
	const { name, url, filter, rateLimit } = wanted;
	const settings = { name, url, filter, rate_limit: rateLimit };
	if (plan.action === 'create') return await service.call(createWebhook, settings);
	// The request replaces the whole record, so it has to include a rate limit that was set by hand.
	const rate_limit = rateLimit ?? fieldsOf(plan.webhook).rate_limit;
	return await service.call(replaceWebhook, { ...settings, id: plan.webhook.id, rate_limit });
}

/**
 * Removes the extra webhooks. Failures are only logged, because they are no reason to keep the workflow from being
 * published. At worst, events arrive twice until it is published again.
 */
async function removeExtra(context: IHookFunctions, service: Service, extra: Webhook[]) {
	for (const { id } of extra) {
		await removeWebhook(service, id).catch(() => {
			context.logger.warn('Could not remove an extra Kudosity webhook for this trigger', {
				webhookId: id,
			});
		});
	}
}

type Planned = Awaited<ReturnType<typeof planFor>>;

async function carryOut(context: IHookFunctions, { service, target, existing, plan }: Planned) {
	const { identity, wanted } = target;
	const isUpToDate = plan.action === 'keep' && plan.extra.length === 0;
	if (!isUpToDate) warnOfOtherAccount(context, existing, identity);
	const { id } = await write(service, plan, wanted);
	storeRegistration(context, {
		id,
		tokenDigest: digestOf(identity.token),
		wantedDigest: wantedDigestOf(wanted),
		isTest: isTestRun(context),
	});
	// The extra webhooks can only be removed now, because from here on, the remaining webhook delivers all events.
	await removeExtra(context, service, plan.extra);
}

/** Whether the last registration was for the settings that the trigger needs now. Makes no requests. */
async function isAsRegistered(context: IHookFunctions): Promise<boolean> {
	const { ids, wantedDigest } = readRegistration(context);
	if (ids.length === 0 || wantedDigest === undefined) return false;
	return wantedDigest === wantedDigestOf((await readTarget(context)).wanted);
}

/**
 * Whether to leave the webhooks unchanged when registration fails at n8n's startup. The webhooks most likely still
 * exist and work. If this failure made the activation fail, n8n 1 would remove them, even at a restart.
 */
async function keepsWebhooksAtStart(context: IHookFunctions, error: unknown): Promise<boolean> {
	if (!['init', 'leadershipChange'].includes(context.getActivationMode())) return false;
	// A field can become invalid after the workflow has been published, e.g. if an n8n variable that it uses is changed
	// or deleted.
	if (error instanceof FieldError) return readRegistration(context).ids.length > 0;
	return !(error instanceof InputError) && (await isAsRegistered(context).catch(() => false));
}

/** Plans the registration. Returns undefined if the webhooks are left unchanged. */
async function planUnlessKept(context: IHookFunctions): Promise<Planned | undefined> {
	const { ids: webhookIds, isPending } = readRegistration(context);
	return await planFor(context).catch(async (error: unknown) => {
		if (isPending || !(await keepsWebhooksAtStart(context, error))) throw error;
		forgetPending(context);
		const message = `The webhook for this trigger was left unchanged: ${reasonOf(error)}`;
		context.logger.warn(message, { webhookIds });
		return undefined;
	});
}

const perAddress = keyedSemaphore(1);

/**
 * Runs one task per address at a time. Otherwise, a removal in progress could delete the webhook that the next
 * registration finds.
 */
async function inTurn(context: IHookFunctions, task: () => Promise<void>): Promise<void> {
	await perAddress.run(context.getNodeWebhookUrl('default') ?? '', task);
}

/**
 * Makes sure that Kudosity has exactly the wanted webhook. This always asks Kudosity, because the data stored in n8n
 * may be outdated. Registering is safe to retry, because a webhook whose creation was never confirmed is found.
 *
 * @throws NodeApiError | NodeOperationError - registration fails; n8n ignores the result and only reacts to errors
 */
export async function register(context: IHookFunctions): Promise<void> {
	await inTurn(context, async () => {
		try {
			const planned = await planUnlessKept(context);
			if (planned) await carryOut(context, planned);
		} catch (error) {
			const nodeError = toNodeError(context.getNode(), error);
			// When publishing fails, n8n only shows the message, so the message also says what to do.
			nodeError.message = joinSentences(nodeError.message, nodeError.description);
			throw nodeError;
		}
	});
}

/**
 * The pauses between attempts to remove webhooks. Including the retries of each request, all attempts take about 10 s.
 * n8n 2 allows 85 s for publishing and unpublishing.
 */
const pausesMs = [1_000, 3_000];

/** After this time, no new attempt starts, because requests that time out would block n8n for minutes. */
const maxWaitMs = 20_000;

/** Whether a retry could succeed. An error status may come from a gateway, but a rejected API key stays rejected. */
const canWorkLater = (error: unknown): boolean =>
	isTransient(error) ||
	isRefusedOnTheWay(error) ||
	(error instanceof ApiError && ![401, 403].includes(error.fields.status));

/**
 * Tries to remove each of the trigger's webhooks at this n8n's address, even if removing another one fails. Returns the
 * IDs of its webhooks at other addresses. They stay, because n8n may run on a copy of another n8n's database, and n8n 2
 * calls `delete` when it starts on a copy whose workflows were unpublished by command.
 */
async function removeOwn(context: IHookFunctions): Promise<string[]> {
	const identity = await readIdentity(context);
	const service = createNodeService(context);
	const existing = (await service.call(getWebhooks)).filter(hasId);
	const own = existing.filter((webhook) => isOwn(webhook, identity));
	const here = own.filter((webhook) => hasAddress(webhook, identity));
	const removals = here.map(async ({ id }) => await removeWebhook(service, id));
	const failed = (await Promise.allSettled(removals)).find(({ status }) => status === 'rejected');
	if (failed) throw (failed as PromiseRejectedResult).reason;
	warnOfOtherAccount(context, existing, identity);
	return own.filter((webhook) => !here.includes(webhook)).map(({ id }) => id);
}

async function removeWithRetries(context: IHookFunctions): Promise<string[]> {
	const clock = createUnstoppableClock();
	const endsAtMs = clock.now() + maxWaitMs;
	for (const pauseMs of pausesMs) {
		const result = await settle(removeOwn(context));
		if (result.status === 'fulfilled') return result.value;
		if (!canWorkLater(result.reason) || clock.now() > endsAtMs) throw result.reason;
		await clock.sleep(pauseMs);
	}
	return await removeOwn(context);
}

/**
 * Whether this trigger has definitely never been registered, because no ID is stored and Kudosity can't reach the
 * trigger's URL. Makes no requests, because n8n calls `delete` after each of its five attempts to publish, while the
 * user waits.
 */
async function hasNone(context: IHookFunctions): Promise<boolean> {
	if (readRegistration(context).ids.length > 0) return false;
	const url = context.getNodeWebhookUrl('default') ?? '';
	return !(await isReachable(context, { connection: 'key', url }).catch(() => true));
}

/** Describes a failure for the log, which must not contain Kudosity's own messages. */
function reasonOf(error: unknown): string {
	if (isRefusedOnTheWay(error) || error instanceof NoAnswerError)
		return textOfFailure(error).message;
	if (error instanceof ApiError)
		return `Kudosity rejected the request with status ${error.fields.status}`;
	if (error instanceof InputError) return error.message;
	return "Kudosity's response could not be read";
}

/**
 * Removes this trigger's webhooks at this n8n's address. n8n 1 also calls this for triggers that were never registered.
 * Never throws: n8n 1 would skip the workflow's other triggers, and n8n 2 would treat a trigger that failed to activate
 * as registered. Instead, it retries by itself and logs the webhooks that are left. When the workflow is published
 * again, `register` reuses them.
 */
export async function unregister(context: IHookFunctions): Promise<void> {
	await inTurn(context, async () => await removeAll(context));
}

function warnOfOtherAddress(context: IHookFunctions, webhookIds: string[]): void {
	context.logger.warn(
		`This trigger's webhook ${webhookIds.join(', ')} stays in your Kudosity account, because it calls another n8n address, where another n8n may use it. If this n8n has moved, publish the workflow again, which moves the webhook, or delete it with Webhook → Delete`,
		{ webhookIds },
	);
}

async function removeAll(context: IHookFunctions): Promise<void> {
	if (await hasNone(context)) return forgetRegistration(context);
	const { ids, isTest, isPending } = readRegistration(context);
	// After a failed activation, there are no retries here, because n8n retries the activation. At the end of a test,
	// there are none, because nothing depends on the removal.
	const remove = !isTest && !isPending ? removeWithRetries : removeOwn;
	const result = await settle(remove(context));
	if (result.status === 'fulfilled') {
		if (result.value.length === 0) return forgetRegistration(context);
		// The IDs stay stored, and the next publishing moves the webhook to this n8n's address.
		return warnOfOtherAddress(context, result.value);
	}
	const leftovers = ids.length > 0 ? ids.join(', ') : 'ID unknown';
	context.logger.warn(
		`A webhook from this trigger (${leftovers}) may still be in your Kudosity account: ${reasonOf(result.reason)}. ${isTest ? 'Execute the trigger once more' : 'Publish and unpublish the workflow again'}, or delete the webhook with Webhook → Delete`,
		{ webhookIds: ids },
	);
}
