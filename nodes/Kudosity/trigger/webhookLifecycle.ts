import type { IHookFunctions } from 'n8n-workflow';
import { mayPass } from '../api/mayPass';
import { FieldError } from '../fields/field';
import { sentences } from '../runtime/sentences';
import { toNodeError } from '../runtime/toNodeError';
import { check, isAsRegistered, registerOnce } from './register';
import { forgetPending, readRegistration } from './storedRegistration';

export { unregister } from './unregister';

/** Where a workflow is published, n8n shows an error's message only, so it says how to go on as well. */
const failure = (context: IHookFunctions, error: unknown) => {
	const nodeError = toNodeError(context.getNode(), error);
	nodeError.message = sentences(nodeError.message, nodeError.description);
	return nodeError;
};

const startModes = ['init', 'leadershipChange'];

const isUnasked = async (context: IHookFunctions, error: unknown): Promise<boolean> =>
	mayPass(error) && (await isAsRegistered(context).catch(() => false));

/** A variable may have gone, or been changed, since the workflow was published. */
const isUnread = (context: IHookFunctions, error: unknown): boolean =>
	error instanceof FieldError && readRegistration(context).ids.length > 0;

/**
 * n8n 1 removes the webhooks of a trigger that it could not check, also where it only starts again. What was
 * registered most likely still is then.
 */
const isKeptAtStart = async (context: IHookFunctions, error: unknown): Promise<boolean> =>
	startModes.includes(context.getActivationMode()) &&
	(isUnread(context, error) || (await isUnasked(context, error)));

const keep = (context: IHookFunctions, error: unknown): true => {
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
		if (!isPending && (await isKeptAtStart(context, error))) return keep(context, error);
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
