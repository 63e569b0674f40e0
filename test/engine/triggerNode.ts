import { EventEmitter } from 'node:events';
import type { IDataObject, INodeExecutionData, IWebhookResponseData } from 'n8n-workflow';
import type { Json } from '../fixtures/events/index.ts';
import type { useEmulator } from './emulator.ts';
import type { Process } from './engineModules.ts';
import { createContexts, type CredentialData, type NodeSettings } from './harness.ts';

export const webhookId = '6f0c6a52-0d52-4d8c-9f3c-1d0a7f0f2b11';

export type TriggerOptions = {
	credentials: CredentialData;
	parameters?: IDataObject;
	settings?: NodeSettings;
	workflowId?: string;
	webhook?: 'test' | 'production';
	/** What n8n has stored for the workflow, e.g. by an earlier process. */
	staticData?: IDataObject;
	/** What expressions see as `$vars`. */
	variables?: Record<string, unknown>;
	/** Why n8n activates the trigger. */
	activationMode?: 'init' | 'leadershipChange' | 'activate' | 'update';
	/** n8n's address as the internet sees it. */
	publicUrl?: string;
	/** Which n8n it is. */
	instanceId?: string;
	process?: Process;
};

export type Delivery = {
	body?: unknown;
	query?: Record<string, unknown>;
	headers?: Record<string, string>;
	rawBody?: Buffer;
	/** How the node reads a body that n8n leaves unread, since it does not know its content type. */
	readRawBody?: () => Promise<void>;
};

/** A response as Express has it, as far as a webhook needs it. */
const createResponse = () => {
	const response = Object.assign(new EventEmitter(), {
		statusCode: 200,
		body: undefined as unknown,
		status(code: number) {
			response.statusCode = code;
			return response;
		},
		send(body: unknown) {
			response.body = body;
			response.emit('finish');
			return response;
		},
	});
	return response;
};

export type Answer = {
	status: number;
	/** Whether n8n starts the workflow. */
	started: boolean;
	outputs: INodeExecutionData[][];
};

const toAnswer = (
	data: IWebhookResponseData,
	response: ReturnType<typeof createResponse>,
): Answer => {
	// n8n answers 200 itself unless the node has answered.
	if (!data.noWebhookResponse) response.send('');
	const outputs = (data.workflowData ?? []).map((items) => items ?? []);
	return { status: response.statusCode, started: data.workflowData !== undefined, outputs };
};

/** One trigger node as one n8n process has it: its registration, and what it makes of deliveries. */
export const createTrigger = async (options: TriggerOptions) => {
	const contexts = await createContexts('kudosityTrigger', {
		parameters: { events: ['SMS_INBOUND', 'OPT_OUT'], ...options.parameters },
		credentials: options.credentials,
		settings: { webhookId, ...options.settings },
		workflowId: options.workflowId,
		webhook: options.webhook,
		variables: options.variables,
		process: options.process,
	});
	const { workflow, nodeType, hook, webhook } = contexts;
	if (options.staticData) workflow.staticData = structuredClone(options.staticData);
	const methods = nodeType.webhookMethods!.default!;
	const warnings: unknown[][] = [];

	const hookContext = () => {
		const context = hook();
		const logger = { warn: (...args: unknown[]) => warnings.push(args) };
		Object.defineProperty(context, 'logger', { value: logger });
		const { publicUrl, activationMode, instanceId } = options;
		if (instanceId) Object.assign(context, { getInstanceId: () => instanceId });
		if (activationMode) Object.assign(context, { getActivationMode: () => activationMode });
		if (publicUrl === undefined) return context;
		const { pathname } = new URL(context.getNodeWebhookUrl('default')!);
		return Object.assign(context, { getNodeWebhookUrl: () => `${publicUrl}${pathname}` });
	};

	return {
		warnings,
		/** As n8n activates: ask, and create if there is none. */
		activate: async () => {
			if (await methods.checkExists!.call(hookContext())) return;
			await methods.create!.call(hookContext());
		},
		deactivate: async () => await methods.delete!.call(hookContext()),
		/** What n8n writes to its database. */
		staticData: (): IDataObject => JSON.parse(JSON.stringify(workflow.staticData)),
		receive: async (delivery: Delivery): Promise<Answer> => {
			const { body, query = {}, headers, rawBody, readRawBody } = delivery;
			const response = createResponse();
			const request = {
				method: 'POST',
				headers: { 'content-type': 'application/json', ...headers },
				query,
				body,
				rawBody: rawBody ?? (readRawBody ? undefined : Buffer.from(JSON.stringify(body) ?? '')),
				readRawBody,
			};
			const data = await nodeType.webhook!.call(webhook(request, response) as never);
			return toAnswer(data, response);
		},
	};
};

export type Trigger = Awaited<ReturnType<typeof createTrigger>>;

/** A trigger that is registered with the emulator, and how its webhook delivers. */
export const registerTrigger = async (
	{ credentials, control }: ReturnType<typeof useEmulator>,
	options: Partial<TriggerOptions> = {},
) => {
	const trigger = await createTrigger({ credentials, ...options });
	await trigger.activate();
	const webhook = (await control.webhooks())[0]!;
	const query = { token: tokenOf(webhook.url) };
	/** As the service delivers this event. */
	const deliveryOf = (event: Json) => ({ body: { ...event, webhook_id: webhook.id }, query });
	const deliver = async (event: Json, to: Trigger = trigger) => await to.receive(deliveryOf(event));
	return { trigger, webhook, query, deliveryOf, deliver };
};

/** The token in the URL of a registered webhook. */
export const tokenOf = (url: string | undefined): string | null =>
	new URL(url ?? 'http://none').searchParams.get('token');
