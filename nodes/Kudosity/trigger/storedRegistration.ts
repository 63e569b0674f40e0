import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';
import { omitUndefined } from '../lib/json';

const storedSchema = z.object({
	/** The ids that the service gave our webhooks. */
	webhookIds: z.array(z.string()).optional().catch(undefined),
	/** The same, as it was stored while a trigger had one webhook at most. */
	webhookId: z.string().optional().catch(undefined),
	/** Recognises the token that was registered, also after the credential's key was changed. */
	tokenDigest: z.string().optional().catch(undefined),
	/** Recognises what the service was asked for. */
	wantedDigest: z.string().optional().catch(undefined),
	/** Of the workflow that registered: a copy of it can come with a copy of this. */
	workflowId: z.string().optional().catch(undefined),
	/** Of the node that registered: n8n keeps this by the node's name, which another trigger may have now. */
	nodeId: z.string().optional().catch(undefined),
	/** Of the n8n that registered: n8n's export takes this along to another one, and the workflow's ID as well. */
	instanceId: z.string().optional().catch(undefined),
	/** Whether it was made by "Listen for test event". */
	isTest: z.boolean().optional().catch(undefined),
	/** Whether a registration was begun, and has not succeeded. */
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

/** By whom a registration was made. */
const ownerOf = (context: Context) => ({
	workflowId: context.getWorkflow().id ?? '',
	nodeId: context.getNode().id,
	instanceId: context.getInstanceId(),
});

/** What registering left in the node's static data, which n8n keeps with the workflow in its database. */
export const readRegistration = (context: Context): Registration => {
	const stored = storedSchema.safeParse(staticDataOf(context)).data ?? {};
	const { workflowId, nodeId, instanceId, webhookIds, webhookId, ...known } = stored;
	const owner = omitUndefined({ workflowId, nodeId, instanceId });
	const ours: Record<string, unknown> = ownerOf(context);
	const isForeign = Object.entries(owner).some(([name, value]) => value !== ours[name]);
	if (isForeign) return { ids: [] };
	const ids = webhookIds ?? (webhookId === undefined ? [] : [webhookId]);
	return { ids, ...known };
};

export const forgetRegistration = (context: Context): void => {
	const staticData = staticDataOf(context);
	for (const field of Object.keys(storedSchema.shape)) delete staticData[field];
};

export const storeRegistration = (
	context: Context,
	registration: { ids: string[]; tokenDigest: string; wantedDigest: string; isTest: boolean },
): void => {
	const { ids: webhookIds, ...known } = registration;
	forgetRegistration(context);
	Object.assign(staticDataOf(context), { webhookIds, ...known, ...ownerOf(context) });
};

/** What is known stays: a webhook that is ours has to be recognised when the registration is repeated. */
export const markPending = (context: Context): void => {
	Object.assign(staticDataOf(context), { isPending: true });
};

export const forgetPending = (context: Context): void => {
	delete staticDataOf(context).isPending;
};

export const replaceIds = (context: Context, webhookIds: string[]): void => {
	Object.assign(staticDataOf(context), { webhookIds });
};
