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
	if (!node.type.endsWith('.httpRequest')) return node;
	const url = String(node.parameters.url).replace('https://api.hubapi.com', hubspot.url);
	return { ...node, parameters: { ...node.parameters, url, authentication: 'none' } };
};

const contact = '61491570156';
const other = '61491573770';
const from = (id: string, phone: string | null, mobilephone: string | null = null) => ({
	id,
	properties: { phone, mobilephone },
});

describe('opt-outs-to-hubspot.json', () => {
	const example = useExample({ file: 'opt-outs-to-hubspot.json', change });
	const write = async (words: string) =>
		await example.control.inbound({ from: contact, to: '61491570006', text: words });

	it('marks all who have the number, and nobody else', async () => {
		hubspot.has(
			from('101', '0491 570 156'),
			from('102', '+61 3 5550 0156', '+61 (0)491 570 156'),
			from('103', '0492 570 156'),
			from('104', null),
			from('105', '9157 0156'),
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
			{ method: 'PATCH', url: '/crm/v3/objects/contacts/105', body },
		]);
	});

	it('leaves alone who writes something else', async () => {
		hubspot.has(from('101', contact));
		await write('When do you open?');
		const [execution] = await example.executions(1);

		expect(execution?.status).toBe('success');
		expect(hubspot.requests).toEqual([]);
	});

	it.each([
		['OPT_OUT', { opt_out: null }],
		['SMS_INBOUND', { mo: null }],
	] as const)('fails loudly for an event %s that cannot be read', async (event_type, overrides) => {
		hubspot.has(from('101', contact));
		await example.control.emit({ event_type, overrides });
		const [execution] = await example.executions(1);

		expect(execution?.status).toBe('error');
		expect(execution?.error?.message).toMatch(/by hand/);
		expect(hubspot.requests).toEqual([]);
	});
});

describe('opt-outs-from-hubspot.json', () => {
	const table = 'Kudosity opt-outs';
	const example = useExample({ file: 'opt-outs-from-hubspot.json', change, publish: false });
	/** In lists of the emulator. */
	const listed = '61491573087';
	const optedOut = async () =>
		(await example.control.requests({ path: '/optout-list-member.json' })).map(
			({ body }) => (body as { msisdn: string }).msisdn,
		);

	it('opts them out in Kudosity, and notes them, each once', async () => {
		hubspot.has(from('101', '+61 491 573 087'), from('102', '+61 3 5550 0156', '+61491570156'));
		const first = await example.run();
		const second = await example.run();

		expect([first.status, second.status]).toEqual(['success', 'success']);
		expect(hubspot.requests[0]?.url).toBe('/search?by=true');
		expect(await optedOut()).toEqual([listed, contact]);
		const rows = await example.rows(table);
		expect(rows.map(({ phone, source }) => [phone, source]).sort()).toEqual([
			[contact, 'HUBSPOT'],
			[listed, 'HUBSPOT'],
		]);
	});

	it('says which contact it cannot read, after the others', async () => {
		hubspot.has(from('101', '0491 573 087'), from('102', '+61 491 573 770'));
		const { status, error } = await example.run();

		expect(status).toBe('error');
		expect(error?.message).toMatch(/^HubSpot contact 101: /);
		expect(await example.rows(table)).toMatchObject([{ phone: other }]);
	});

	it('notes at once whom Kudosity refuses, and tries again until it accepts', async () => {
		await example.control.addFault({ fault: 'status403', match: { count: 1 } });
		hubspot.has(from('101', '+61 491 573 087'));
		expect((await example.run()).status).toBe('error');
		expect(await example.rows(table)).toMatchObject([{ phone: listed, source: 'HUBSPOT_OPEN' }]);

		expect((await example.run()).status).toBe('success');
		expect(await example.rows(table)).toMatchObject([{ phone: listed, source: 'HUBSPOT' }]);
		const asked = (await optedOut()).length;
		expect((await example.run()).status).toBe('success');
		expect(await optedOut()).toHaveLength(asked);
	});

	it('notes who is new also while Kudosity goes on refusing somebody else', async () => {
		const match = { bodyIncludes: listed, count: 'forever' } as const;
		await example.control.addFault({ fault: 'status403', match });
		hubspot.has(from('101', '+61 491 573 087'));
		expect((await example.run()).status).toBe('error');
		hubspot.has(from('101', '+61 491 573 087'), from('102', '+61 491 573 770'));
		expect((await example.run()).status).toBe('error');

		const rows = await example.rows(table);
		expect(rows.map(({ phone, source }) => [phone, source])).toEqual([
			[listed, 'HUBSPOT_OPEN'],
			[other, 'HUBSPOT'],
		]);
	});
});
