import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureN8n } from '../../playground/n8n/install.ts';
import { currentN8n } from '../../playground/n8n/versions.ts';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { startPlayground, type Playground } from './harness.ts';
import { kudosityType, node, workflow } from './workflow.ts';

type McpTool = { name: string; description?: string; inputSchema: { properties?: object } };

type McpClient = {
	connect(transport: object): Promise<void>;
	listTools(): Promise<{ tools: McpTool[] }>;
	callTool(call: {
		name: string;
		arguments: object;
	}): Promise<{ content: Array<{ text: string }>; isError?: boolean }>;
	close(): Promise<void>;
};

/** The protocol's own client, of the version that n8n brings along. */
const createClient = async (url: string): Promise<McpClient> => {
	const { folder } = await ensureN8n({ version: currentN8n });
	const load = createRequire(join(folder, 'package.json'));
	const { Client } = load('@modelcontextprotocol/sdk/client/index.js') as {
		Client: new (info: { name: string; version: string }) => McpClient;
	};
	const { StreamableHTTPClientTransport: Transport } = load(
		'@modelcontextprotocol/sdk/client/streamableHttp.js',
	) as { StreamableHTTPClientTransport: new (url: URL) => object };
	const client = new Client({ name: 'test', version: '1.0.0' });
	await client.connect(new Transport(new URL(url)));
	return client;
};

const toolDescription =
	'Sends one SMS. It costs money and cannot be taken back: only for a message that the user asks for.';

const path = randomUUID();
const trigger = node({
	name: 'MCP Server Trigger',
	type: '@n8n/n8n-nodes-langchain.mcpTrigger',
	typeVersion: 2,
	webhookId: path,
	parameters: { authentication: 'none', path },
});

describe.runIf(isCurrent)('through an MCP Server Trigger', () => {
	let playground: Playground;
	let client: McpClient;
	beforeAll(async () => {
		playground = await startPlayground({ settings: { autoStatus: false } });
		const send = node({
			name: 'Send SMS',
			type: `${kudosityType}Tool`,
			parameters: {
				descriptionType: 'manual',
				toolDescription,
				resource: 'sms',
				operation: 'send',
				message: "={{ $fromAI('message', 'The text', 'string') }}",
				sender: '61491570006',
				recipient: "={{ $fromAI('recipient', 'The number with country code', 'string') }}",
				limits: { maxPerRecipientPerDay: 1 },
			},
			credentials: { kudosityKeyApi: playground.credentials.key },
		});
		const connections = {
			[send.name]: { ai_tool: [[{ node: trigger.name, type: 'ai_tool', index: 0 }]] },
		};
		const { id } = await playground.save(workflow({ nodes: [trigger, send], connections }));
		await playground.rest.activate(id);
		client = await createClient(`${playground.n8n.url}/mcp/${path}`);
	});
	afterAll(async () => {
		await client.close();
		await playground.stop();
	});

	const call = async (args: object) => {
		const { content } = await client.callTool({ name: 'Send_SMS', arguments: args });
		return content.map(({ text }) => text).join();
	};

	it('shows a client what the tool does, when not to use it, and what it needs', async () => {
		const { tools } = await client.listTools();

		expect(tools).toMatchObject([{ name: 'Send_SMS', description: toolDescription }]);
		expect(Object.keys(tools[0]?.inputSchema.properties ?? {}).sort()).toEqual([
			'message',
			'recipient',
		]);
	});

	it('sends what the client asks for, and answers with what it needs to know', async () => {
		const answer = await call({ message: 'Hello', recipient: '+61 491 570 156' });

		const [sent, ...others] = await playground.control.messages();
		expect(others).toEqual([]);
		expect(sent).toMatchObject({ recipient: '61491570156', text: 'Hello', sender: '61491570006' });
		expect(JSON.parse(answer)).toEqual([
			{ id: sent?.id, recipient: '61491570156', status: 'pending', parts: 1 },
		]);
	});

	it('tells the client why it sends no second message to the number, in whatever spelling', async () => {
		const answer = await call({ message: 'Hello again', recipient: '0061491570156' });

		expect(await playground.control.messages()).toHaveLength(1);
		expect(answer).toContain('Max per Recipient per Day');
		expect(answer).toContain('Trying again today');
	});

	it('does not lead the client to guess a country code', async () => {
		const answer = await call({ message: 'Hello', recipient: '0491 570 157' });

		expect(await playground.control.messages()).toHaveLength(1);
		expect(answer).toContain("Don't change or complete the number. Ask for it");
		expect(answer).not.toContain('+61');
	});
});
