import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { Service } from '../../api/service';
import { readMedia } from '../../events/media';
import { judge, type Verdict } from '../../events/question';
import type { ReceivedEvent } from '../../events/readEvent';
import { replyIdOf } from '../../events/reply';
import { replyRecord } from '../../events/replyRecord';
import { itemWithFiles, mediaPrefix } from '../itemWithFiles';
import { createNodeClock } from '../nodeClock';
import { createNodeService, patient } from '../nodeService';
import { onAnswered, openDelivery } from '../openDelivery';
import { findOperation, type Asks, type Resource } from '../operation';
import { removeWebhook } from '../removeWebhook';
import { answers } from './claims';
import { explainOnce } from './explain';
import { judgeAmongOpen } from './newestQuestion';
import { readParked, type Parked } from './parked';

/** The execution stays as it is, and the service does not try again. */
const waiting = { webhookResponse: { waiting: true } } satisfies IWebhookResponseData;

/** So long, processes to which the same reply comes can see that this question was open when it was written. */
const keptMs = 5_000;

const removeLater = async (service: Service, webhookId: string): Promise<void> => {
	await createNodeClock(undefined).sleep(keptMs);
	await removeWebhook(service, webhookId);
};

type Reply = { verdict: Verdict & { kind: 'answer' | 'optOut' }; received: ReceivedEvent };

const toItem = async (
	context: IWebhookFunctions,
	parked: Parked,
	{ verdict, received }: Reply,
): Promise<INodeExecutionData> => {
	const record = replyRecord(parked, verdict, received);
	const item = await itemWithFiles(context, {
		files: readMedia(received.body),
		prefix: mediaPrefix,
		parseIssues: received.parseIssues,
		toJson: (media) => (media ? { ...record, media } : record),
	});
	return { ...item, pairedItem: { item: 0 } };
};

/** Goes on with the reply; only the first of several that arrive together does. */
const resume = async (
	context: IWebhookFunctions,
	parked: Parked,
	{ nowMs, ...reply }: Reply & { nowMs: number },
): Promise<IWebhookResponseData> => {
	const { webhookId, untilMs } = parked;
	const claim = { replyId: replyIdOf(reply.received), isAnswer: reply.verdict.kind === 'answer' };
	if (!answers.claim(webhookId, claim)) return waiting;
	const service = createNodeService(context);
	onAnswered(context, (isTaken) => {
		// Whoever delivers it again is to be heard; a webhook that is left is swept by a later run.
		if (!isTaken) answers.release(webhookId);
		else void removeLater(service, webhookId).catch(() => undefined);
	});
	const item = await toItem(context, parked, reply).catch((error: unknown) => {
		answers.release(webhookId);
		throw error;
	});
	// The execution has gone on by itself meanwhile, and n8n 1 would let it go on again.
	if (nowMs < untilMs && untilMs <= Date.now()) return waiting;
	return { webhookResponse: { waiting: false }, workflowData: [[item]] };
};

const asksOf = (context: IWebhookFunctions, resources: Resource[]): Asks<never> | undefined => {
	const found = findOperation(resources, {
		resource: context.getNodeParameter('resource', undefined),
		operation: context.getNodeParameter('operation', undefined),
	});
	return found?.operation.asks;
};

const take = async (
	context: IWebhookFunctions,
	resources: Resource[],
	received: ReceivedEvent,
): Promise<IWebhookResponseData> => {
	const parked = readParked(context);
	if (!parked) return waiting;
	const judged = judge(parked.question, received);
	if (judged.kind === 'other') return waiting;
	const service = createNodeService(context);
	const nowMs = Date.now();
	const verdict = await judgeAmongOpen(
		parked,
		{ verdict: judged, received },
		{ context, service, nowMs },
	);
	if (verdict.kind === 'other') return waiting;
	if (verdict.kind !== 'noMatch') {
		return await resume(context, parked, { verdict, received, nowMs });
	}
	const asks = asksOf(context, resources);
	onAnswered(context, () => {
		if (!asks) return;
		const speaking = createNodeService(context, patient);
		void explainOnce(speaking, parked, { received, say: asks.say }).catch(() => undefined);
	});
	return waiting;
};

/** Answers a delivery for an open question: the execution goes on with it, or stays as it is. */
export const receiveReply = async (
	context: IWebhookFunctions,
	resources: Resource[],
): Promise<IWebhookResponseData> =>
	await openDelivery(context, {
		// n8n itself has checked the signature of the address.
		rightOf: async () => true,
		take: async (received) => await take(context, resources, received),
	});
