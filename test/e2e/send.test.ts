import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureN8n } from '../../playground/n8n/install.ts';
import type { Execution } from '../../playground/n8n/rest/executions.ts';
import { PLAYGROUND_API_KEY } from '../../playground/emulator/model.ts';
import { currentN8n } from '../../playground/n8n/versions.ts';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { startPlayground, type Playground } from './harness.ts';
import { runPartly } from './partialRun.ts';
import { kudosityType, manualTrigger, node, noOperation, workflow } from './workflow.ts';
import { withLimitsApart } from '../helpers/sendingLimits.ts';

let playground: Playground;
beforeAll(async () => {
	playground = await startPlayground({ settings: { autoStatus: false } });
});
beforeEach(async () => void (await playground.control.reset({ autoStatus: false })));
afterAll(async () => await playground.stop());

const sender = '61491570006';
/** One SMS with Smart Encoding, and two without. */
const typed = `It\u2019s ${'x'.repeat(100)}`;
const items = ['61491573087', '61491574118', '61491574632'].map((phone, index) => ({
	phone,
	text: index === 2 ? typed : `Message ${index + 1}`,
}));
const sentAs = (text: string) => text.replace('\u2019', "'");

const send = () =>
	playground.kudosity({
		resource: 'sms',
		operation: 'send',
		message: '={{ $json.text }}',
		sender,
		recipient: '={{ $json.phone }}',
		output: 'raw',
		options: { messageRef: '=ref-{{ $json.phone }}', trackLinks: true, smartEncoding: true },
	});

const sendBulk = () =>
	playground.kudosity({
		resource: 'bulkSms',
		operation: 'send',
		message: typed,
		recipients: '={{ $json.phone }}',
		sender,
		output: 'raw',
		options: { smartEncoding: true },
	});

/** Both nodes get the items; n8n runs a node again that fails. */
const runBoth = async (): Promise<Execution> => {
	const retries = { retryOnFail: true, maxTries: 5, waitBetweenTries: 100 };
	const nodes = [
		{ ...send(), ...retries, name: 'Key API' },
		{ ...sendBulk(), ...retries, name: 'Basic API' },
	];
	const main = [nodes.map(({ name }) => ({ node: name, type: 'main', index: 0 }))];
	const draft = workflow({
		nodes: [manualTrigger(), ...nodes],
		items,
		connections: { Start: { main } },
	});
	return await playground.rest.run((await playground.save(draft)).id);
};

const phones = items.map(({ phone }) => phone);
const pairs = items.map((_, item) => ({ item }));

it('reaches the service once, exactly as filled in, and comes out paired', async () => {
	const { status, nodes } = await runBoth();

	expect(status).toBe('success');
	const [byKey, byBasic] = [nodes['Key API']?.items, nodes['Basic API']?.items];
	expect(byKey?.map(({ pairedItem }) => pairedItem)).toEqual(pairs);
	expect(byKey?.map(({ json }) => json)).toMatchObject(
		items.map(({ phone, text }) => ({ recipient: phone, message: sentAs(text), sms_count: 1 })),
	);
	expect(byBasic?.map(({ pairedItem }) => pairedItem)).toEqual(pairs);
	const changesIn = (output = byKey) => output?.map(({ json }) => json.smartEncoding);
	const saved = expect.objectContaining({ partsSaved: 1 });
	expect(changesIn(byKey)).toEqual([undefined, undefined, saved]);
	expect(changesIn(byBasic)).toEqual([saved, saved, saved]);
	for (const { json } of byBasic ?? []) {
		expect(json).toMatchObject({ message_id: expect.any(String), recipients: 1 });
		expect(json).not.toHaveProperty('error');
	}
	const requests = await playground.control.requests();
	expect(requests.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
		...items.map(({ phone, text }) => ({
			method: 'POST',
			path: '/v2/sms',
			body: {
				message: sentAs(text),
				sender,
				recipient: phone,
				message_ref: `ref-${phone}`,
				track_links: true,
			},
		})),
		{
			method: 'POST',
			path: '/send-sms.json',
			body: { message: sentAs(typed), to: phones.join(','), from: sender },
		},
	]);
	const json = { accept: 'application/json' };
	expect(requests.map(({ headers }) => headers)).toMatchObject([
		...items.map(() => ({ ...json, 'content-type': 'application/json', 'x-api-key': '***' })),
		{
			...json,
			'content-type': expect.stringContaining('application/x-www-form-urlencoded'),
			authorization: '***',
		},
	]);
});

it('sends nothing twice when n8n runs a node again after a failure in the middle', async () => {
	for (const path of ['/v2/sms', '/send-sms.json']) {
		await playground.control.addFault({
			fault: 'status429',
			// Longer than the node waits for.
			retryAfter: 3600,
			match: { path, bodyIncludes: phones[1], count: 1 },
		});
	}
	const { status, nodes } = await runBoth();

	expect(status).toBe('success');
	expect(nodes['Key API']?.items).toHaveLength(3);
	expect(nodes['Basic API']?.items).toHaveLength(3);
	const recipients = (await playground.control.accepted()).map(({ recipient }) => recipient);
	expect(recipients.sort()).toEqual([...phones, ...phones].sort());
	expect(await playground.control.requests({ status: 429 })).toHaveLength(2);
});

const ana = '61491573087';
const toAna = (options: object) => ({
	resource: 'sms',
	operation: 'send',
	...withLimitsApart({ message: 'Hello', sender, recipient: ana, options }),
});
const recipients = async () =>
	(await playground.control.messages()).map(({ recipient }) => recipient);

it.each([
	['no connection comes about', 'key', "Kudosity can't be reached"],
	['the key has a line break', 'key\n1', expect.stringContaining('invisible character')],
])('says that nothing was sent where %s', async (_, apiKey, message) => {
	const data = { apiKey, baseUrl: 'http://localhost:9' };
	const { id, name } = await playground.rest.createCredential({
		name: 'Nobody there',
		type: 'kudosityKeyApi',
		data,
	});
	const { status, nodes } = await playground.run(items, {
		...send(),
		credentials: { kudosityKeyApi: { id, name } },
	});
	await playground.rest.deleteCredential(id);

	expect(status).toBe('error');
	expect(nodes.Kudosity?.error?.message).toEqual(message);
});

describe('a credential with an expression', () => {
	const runWith = async (apiKey: string, items: object[]) => {
		const type = 'kudosityKeyApi';
		const data = { apiKey, baseUrl: playground.emulator.url };
		const { id } = await playground.rest.createCredential({ name: 'By expression', type, data });
		const credentials = { [type]: { id, name: 'By expression' } };
		const result = await playground.run(items, playground.kudosity(toAna({}), { credentials }));
		await playground.rest.deleteCredential(id);
		return result;
	};
	const [half, rest] = [PLAYGROUND_API_KEY.slice(0, 3), PLAYGROUND_API_KEY.slice(3)];
	const mine = { key: PLAYGROUND_API_KEY };

	it.each([
		`={{ '${half}' + '${rest}' }}`,
		`={{ $vars.missing ?? '${PLAYGROUND_API_KEY}' }}`,
		`={{ $now.year > 2000 ? '${PLAYGROUND_API_KEY}' : '' }}`,
	])('is used for all items where it reads none of them: %s', async (apiKey) => {
		const { status } = await runWith(apiKey, [{}, {}, {}]);

		expect(status).toBe('success');
		expect(await recipients()).toHaveLength(3);
	});

	it.each([
		['other values', [mine, { key: 'of another account' }]],
		['the same first and last', [mine, { key: 'of another account' }, mine]],
		['all the same', [mine, mine, mine]],
	])('sends nothing where it reads several items: %s', async (_, items) => {
		const { error } = await runWith('={{ $json.key }}', items);

		expect(error?.message).toContain("The credential's expression depends on the item");
		expect(await playground.control.requests()).toEqual([]);
	});
});

/** What n8n's AI Assistant calls the workflow in which it runs a single node, by n8n's own file. */
const nameOfLoneRun = async (): Promise<string> => {
	const { folder } = await ensureN8n({ version: currentN8n });
	const file = 'node_modules/n8n/dist/node-execution/execute-node.service.js';
	const source = await readFile(join(folder, file), 'utf8');
	const [, name = ''] = /newWorkflow\.name = `([^`]+)`/.exec(source) ?? [];
	expect(source).toContain("executionMode: 'manual'");
	return name.replace('${node.type}', kudosityType);
};

const all = {
	maxPerExecution: 1,
	maxPerRecipientPerDay: 1,
	deduplicationKey: 'order-1',
};

describe.runIf(isCurrent)("a workflow as n8n's AI Assistant makes it for a single node", () => {
	const runLone = async (parameters: object) => {
		const nodes = [manualTrigger(), playground.kudosity({ ...parameters })];
		const draft = workflow({ name: await nameOfLoneRun(), nodes, items: [{}] });
		return await playground.rest.run((await playground.save(draft)).id);
	};

	it.each(Object.entries(all))('refuses %s, which would begin anew', async (name, value) => {
		const { error } = await runLone(toAna({ [name]: value }));

		expect(error?.message).toMatch(/doesn't work in n8n's AI Assistant.*ask the owner/);
		expect(await playground.control.requests()).toEqual([]);
	});

	it('asks nobody, and makes no webhook', async () => {
		const { error } = await runLone({ ...toAna({}), operation: 'sendAndWait', sender });

		expect(error?.message).toContain(
			"'Send and Wait for Response' doesn't work in n8n's AI Assistant",
		);
		expect(await playground.control.requests()).toEqual([]);
	});

	it('sends a message without them', async () => {
		expect((await runLone(toAna({ allowedRecipients: 'AU' }))).status).toBe('success');
		expect(await recipients()).toEqual([ana]);
	});
});

it('keeps them in a sub-workflow that is written into its node, whatever its name', async () => {
	const inner = workflow({
		name: `Execute node ${kudosityType}`,
		nodes: [
			node({
				name: 'Called',
				type: 'n8n-nodes-base.executeWorkflowTrigger',
				parameters: { inputSource: 'passthrough' },
				typeVersion: 1.1,
			}),
			playground.kudosity(toAna(all)),
		],
	});
	const call = node({
		name: 'Call',
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: { source: 'parameter', workflowJson: JSON.stringify(inner) },
	});
	const draft = workflow({ nodes: [manualTrigger(), call], items: [{}] });
	const { id } = await playground.save(draft);
	const [first, second] = [await playground.rest.run(id), await playground.rest.run(id)];

	expect(first.status, first.error?.message).toBe('success');
	expect(second.nodes.Call?.items[0]?.json).toMatchObject({ code: 'already_messaged' });
	expect(await recipients()).toEqual([ana]);
});

it('stays a dry run when an execution from the editor failed, and is retried', async () => {
	const check = playground.kudosity(
		{ resource: 'account', operation: 'getBalance' },
		{ name: 'Before' },
	);
	const match = { path: '/get-balance.json', count: 1 };
	await playground.control.addFault({ fault: 'status403', match });
	const dry = playground.kudosity({ ...toAna({}), options: { dryRun: 'manual' } });
	const draft = workflow({ nodes: [manualTrigger(), check, dry], items: [{}] });
	const { id } = await playground.save(draft);
	const { status, id: failed } = await playground.rest.run(id);
	await playground.rest.retry(failed);
	const [, retried] = await playground.rest.waitForExecutions(id, 2);

	expect(status).toBe('error');
	expect(retried?.nodes.Kudosity?.items).toMatchObject([{ json: { outcome: 'dryRun' } }]);
	expect(await recipients()).toEqual([]);
});

// Last: what it leaves on a busy machine would reach the tests after it.
it('ends within a second when it is stopped', async () => {
	const startSending = async (count: number, text: string) => {
		const many = Array.from({ length: count }, (_, index) => ({
			phone: String(61491000000 + index),
			text,
		}));
		const draft = workflow({ nodes: [manualTrigger(), send()], items: many });
		return await playground.rest.runWorkflow((await playground.save(draft)).id);
	};
	const sent = async (text: string) => (await playground.control.messages({ text })).length;

	const stopped = await startSending(500, 'Stopped');
	await playground.control.waitForMessages({ text: 'Stopped' }, { count: 10 });
	await playground.rest.stopExecution(stopped);
	const before = await sent('Stopped');
	expect((await playground.rest.waitForExecution(stopped)).status).toBe('canceled');

	// Executions take turns: one that goes on would send as many as the next one meanwhile.
	const next = await startSending(28, 'Next');
	expect((await playground.rest.waitForExecution(next)).status).toBe('success');
	expect((await sent('Stopped')) - before).toBeLessThan(14);
});

it('sends nothing when only the previous nodes are to run, after a step of an earlier one', async () => {
	const send = playground.kudosity({
		resource: 'sms',
		operation: 'send',
		message: 'Hello',
		sender: '61491570006',
		recipient: '61491570156',
	});
	const nodes = [manualTrigger(), noOperation('Middle'), send];
	const { id } = await playground.save(workflow({ nodes }));
	const destination = { nodeName: send.name, mode: 'exclusive' } as const;
	const { error, nodes: ran } = await runPartly(playground, id, destination);

	expect(error?.message).toBe(
		"This node did not run, because you selected 'Execute previous nodes'. Nothing was sent or changed",
	);
	expect(ran.Middle?.items).toHaveLength(1);
	expect(await playground.control.messages({ text: 'Hello' })).toEqual([]);
});
