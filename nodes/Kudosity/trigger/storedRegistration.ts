import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';
import { omitUndefined } from '../lib/json';

const storedSchema = z.object({
	/** Has more than one ID only if an earlier version of this package registered several webhooks. */
	webhookIds: z.array(z.string()).optional().catch(undefined),
	/** Digest of the registered token. It recognizes the token even after the credential's API key has changed. */
	tokenDigest: z.string().optional().catch(undefined),
	/** Digest of the settings that were registered. */
	wantedDigest: z.string().optional().catch(undefined),
	/** The workflow that registered. A duplicated workflow may contain a copy of this data. */
	workflowId: z.string().optional().catch(undefined),
	/** The node that registered. n8n stores this data under the node's name, which another trigger may have by now. */
	nodeId: z.string().optional().catch(undefined),
	/**
	 * The n8n instance that registered. Exporting a workflow can take this data and the workflow's ID to another
	 * instance.
	 */
	instanceId: z.string().optional().catch(undefined),
	/** Whether “Listen for test event” registered the webhook. */
	isTest: z.boolean().optional().catch(undefined),
	/** Whether a registration has started but not succeeded yet. */
	isPending: z.boolean().optional().catch(undefined),
});
type Stored = z.infer<typeof storedSchema>;

type Registration = Pick<Stored, 'tokenDigest' | 'wantedDigest' | 'isTest' | 'isPending'> & {
	ids: string[];
};

type Context = Pick<
	IHookFunctions | IWebhookFunctions,
	'getInstanceId' | 'getNode' | 'getWorkflow' | 'getWorkflowStaticData'
>;

const staticDataOf = (context: Context): IDataObject => context.getWorkflowStaticData('node');

const ownerOf = (context: Context) => ({
	workflowId: context.getWorkflow().id ?? '',
	nodeId: context.getNode().id,
	instanceId: context.getInstanceId(),
});

/**
 * Reads the registration from the node's static data, which n8n stores with the workflow in its database. Data that
 * another workflow, node or instance stored is ignored.
 */
export function readRegistration(context: Context): Registration {
	const stored = storedSchema.safeParse(staticDataOf(context)).data ?? {};
	const { workflowId, nodeId, instanceId, webhookIds: ids = [], ...known } = stored;
	const owner = omitUndefined({ workflowId, nodeId, instanceId });
	const ours: Record<string, unknown> = ownerOf(context);
	if (Object.entries(owner).some(([name, value]) => value !== ours[name])) return { ids: [] };
	return { ids, ...known };
}

export function forgetRegistration(context: Context): void {
	for (const field of Object.keys(storedSchema.shape)) delete staticDataOf(context)[field];
}

export function storeRegistration(
	context: Context,
	registration: { id: string; tokenDigest: string; wantedDigest: string; isTest: boolean },
): void {
	const { id, ...known } = registration;
	forgetRegistration(context);
	Object.assign(staticDataOf(context), { webhookIds: [id], ...known, ...ownerOf(context) });
}

/**
 * Records that a registration has started. Keeps the other fields, because a retry must recognize the webhooks that
 * this trigger already has.
 */
export function notePending(context: Context): void {
	staticDataOf(context).isPending = true;
}

export function forgetPending(context: Context): void {
	delete staticDataOf(context).isPending;
}
