import { randomUUID } from 'node:crypto';
import { request, type Agent } from 'node:http';
import { createControl } from '../../playground/emulator/control/client.ts';
import type { Rest } from '../../playground/n8n/rest/index.ts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { kudosityTriggerType, node, noOperation, workflow } from '../e2e/workflow.ts';
import { changed, sampleEvent } from '../fixtures/events/index.ts';
import { createCredentials } from './setup.ts';

export type Target = { url: string; headers?: Record<string, string> };

/**
 * Delivers an event.
 *
 * @returns after how many milliseconds n8n answered
 * @throws Error n8n did not accept it
 */
export const post = async (target: Target, body: string, agent: Agent): Promise<number> => {
	const begunMs = performance.now();
	await new Promise<void>((resolve, reject) => {
		const headers = {
			'content-type': 'application/json',
			'content-length': Buffer.byteLength(body),
			...target.headers,
		};
		const sending = request(target.url, { method: 'POST', agent, headers }, (response) => {
			const isAccepted = response.statusCode === 200;
			response.resume();
			response.on('end', () =>
				isAccepted ? resolve() : reject(new Error(`n8n answered ${response.statusCode}`)),
			);
		});
		sending.on('error', reject);
		sending.end(body);
	});
	return performance.now() - begunMs;
};

const publish = async (rest: Rest, trigger: WorkflowNode): Promise<string> => {
	const draft = workflow({ nodes: [trigger, noOperation('Go on')] });
	const { id } = await rest.createWorkflow(draft);
	await rest.activate(id);
	return id;
};

/** The core node with its own path; with a credential where it is to ask for one. */
const webhookNode = (path: string, credential?: { id: string; name: string }): WorkflowNode =>
	node({
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: {
			httpMethod: 'POST',
			path,
			responseMode: 'onReceived',
			options: {},
			...(credential && { authentication: 'headerAuth' }),
		},
		...(credential && { credentials: { httpHeaderAuth: credential } }),
	});

export const competitors = {
	ours: 'Kudosity Trigger',
	secured: 'core Webhook node with Header Auth',
	core: 'core Webhook node',
} as const;
export type Competitor = keyof typeof competitors;

/** Each with the same workflow behind it. */
export const publishAll = async (
	{ rest, url }: { rest: Rest; url: string },
	emulatorUrl: string,
) => {
	const { kudosityKeyApi } = await createCredentials(rest, emulatorUrl);
	const token = randomUUID();
	const headerAuth = await rest.createCredential({
		name: 'Token',
		type: 'httpHeaderAuth',
		data: { name: 'x-token', value: token },
	});
	const [open, secured] = [randomUUID(), randomUUID()];
	const core = await publish(rest, webhookNode(open));
	const header = { id: headerAuth.id, name: headerAuth.name };
	const withHeader = await publish(rest, webhookNode(secured, header));
	const ours = await publish(
		rest,
		node({
			name: 'Kudosity Trigger',
			type: kudosityTriggerType,
			typeVersion: 1.1,
			credentials: { kudosityKeyApi },
			parameters: { events: ['SMS_INBOUND'] },
		}),
	);
	const [webhook] = await createControl(emulatorUrl).webhooks();
	const targets: Record<Competitor, Target> = {
		ours: { url: webhook!.url },
		secured: { url: `${url}/webhook/${secured}`, headers: { 'x-token': token } },
		core: { url: `${url}/webhook/${open}` },
	};
	const event = changed(sampleEvent('smsInbound'), 'webhook_id', webhook!.id);
	return {
		targets,
		workflowIds: { ours, secured: withHeader, core } satisfies Record<Competitor, string>,
		bodyOf: () => JSON.stringify(changed(event, 'mo.id', randomUUID())),
	};
};
