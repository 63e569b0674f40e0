import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { useExample } from './useExample.ts';

type Contact = { id: string; properties: Record<string, string | null> };

/** Answers each GET with its contacts, and keeps what it was asked. */
const startHubSpot = async () => {
	const contacts: Contact[] = [];
	const requests: Array<{ method: string; url: string; body: string }> = [];
	const server = createServer(async (request, response) => {
		const { method = '', url = '' } = request;
		requests.push({ method, url, body: await text(request) });
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(method === 'GET' ? contacts : {}));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' ? address?.port : undefined;
	return {
		url: `http://127.0.0.1:${port}`,
		requests,
		/** Forgets what it was asked. */
		has: (...some: Contact[]) => {
			contacts.splice(0, Infinity, ...some);
			requests.length = 0;
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
};

let hubspot: Awaited<ReturnType<typeof startHubSpot>>;
beforeAll(async () => {
	hubspot = await startHubSpot();
});
beforeEach(() => hubspot.has());
afterAll(async () => await hubspot.close());

/** The first value that the node searches by. */
const searchedBy = ({ parameters }: WorkflowNode): string =>
	/"value":"=?([^"]+)"/.exec(JSON.stringify(parameters.filterGroupsUi))![1]!;

const change = (node: WorkflowNode): WorkflowNode => {
	if (node.type.endsWith('.hubspot'))
		return {
			...node,
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: { url: `=${hubspot.url}/search?by=${searchedBy(node)}`, options: {} },
		};
	if (node.name === 'Read the number')
		return { ...node, parameters: { ...node.parameters, defaultCountry: 'AU' } };
	if (!node.type.endsWith('.httpRequest')) return node;
	const url = String(node.parameters.url).replace('https://api.hubapi.com', hubspot.url);
	return { ...node, parameters: { ...node.parameters, url, authentication: 'none' } };
};

const contact = '61491570156';
const from = (id: string, phone: string | null, mobilephone: string | null = null) => ({
	id,
	properties: { phone, mobilephone },
});

describe('opt-outs-to-hubspot.json', () => {
	const example = useExample({ file: 'opt-outs-to-hubspot.json', change });
	const write = async (words: string, sender = contact) =>
		await example.control.inbound({ from: sender, to: '61491570006', text: words });

	it('marks all who have the number, and nobody else', async () => {
		hubspot.has(
			from('101', '0491 570 156'),
			from('102', '+61 3 5550 0156', '+61 (0)491 570 156'),
			from('103', '0492 570 156'),
			from('104', null),
			from('105', '(03) 9157 0156'),
			from('106', '570 156'),
		);
		await write('Unsubscribe');
		const [execution] = await example.executions(1);

		expect(execution?.status).toBe('success');
		const body = expect.stringMatching(/^\{ ?"properties": ?\{ ?"sms_opt_out": ?"true" ?\} ?\}$/);
		expect(hubspot.requests).toEqual([
			{ method: 'GET', url: '/search?by=*91570156', body: '' },
			{ method: 'PATCH', url: '/crm/v3/objects/contacts/101', body },
			{ method: 'PATCH', url: '/crm/v3/objects/contacts/102', body },
		]);
	});

	it('asks HubSpot for nobody who has no number', async () => {
		await write('STOP', 'MyShop');
		const executions = await example.executions(2);

		expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
		expect(hubspot.requests).toEqual([]);
	});
});
