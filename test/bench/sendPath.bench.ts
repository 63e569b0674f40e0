/**
 * How much of the package has to be read to follow one send: the files and functions that a real n8n calls, counted
 * by V8 in the second of two equal runs. Takes a minute; `--files` lists the files in the order of their first
 * call.
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { until } from '../../playground/n8n/until.ts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import {
	kudosityTriggerType,
	manualTrigger,
	node,
	noOperation,
	workflow,
} from '../e2e/workflow.ts';
import { changed, sampleEvent } from '../fixtures/events/index.ts';
import { defineBench, measureEach, type Figure } from './figure.ts';
import { createProbe } from './probe.ts';
import { kudosity, phones, withN8n, type Host } from './setup.ts';

const { values: flags } = parseArgs({ options: { files: { type: 'boolean' } }, strict: false });

type Called = Array<{ file: string; functions: number }>;
type Way = {
	what: string;
	/** Files at most: a few more than there are, so that another one is noticed. One subject to a file counts for more. */
	max?: number;
	/** Messages that both runs send. */
	sent: number;
	/** Makes what `run` runs. */
	prepare: (host: Host) => Promise<string>;
	run: (host: Host, id: string) => Promise<unknown>;
};

const sms = {
	message: 'Your order is ready',
	sender: '61491570156',
	recipient: '={{ $json.phone }}',
};

const create = async ({ rest, credentials }: Host, sending: WorkflowNode, people: number) => {
	const draft = workflow({
		nodes: [manualTrigger(), { ...sending, credentials }],
		items: phones(people),
	});
	return (await rest.createWorkflow(draft)).id;
};

/** An operation that has run, or waits. */
const operation = (
	what: string,
	parameters: WorkflowNode['parameters'],
	{ max, people = 1, sends = true }: { max?: number; people?: number; sends?: boolean } = {},
): Way => ({
	what,
	max,
	sent: sends ? 2 * people : 0,
	prepare: async (host) => await create(host, kudosity(parameters), people),
	run: async ({ rest }, id) => {
		const executionId = await rest.runWorkflow(id);
		const statuses = ['success', 'waiting', 'error'];
		const { status } = await rest.waitForExecution(executionId, { statuses });
		if (status === 'error') throw new Error(`${what} failed`);
	},
});

const delivery: Way = {
	what: 'a delivery to the trigger',
	max: 26,
	sent: 0,
	prepare: async ({ rest, credentials: { kudosityKeyApi } }) => {
		const trigger = node({
			type: kudosityTriggerType,
			typeVersion: 1.1,
			credentials: { kudosityKeyApi },
			parameters: { events: ['SMS_INBOUND'] },
		});
		const { id } = await rest.createWorkflow(workflow({ nodes: [trigger, noOperation('Go on')] }));
		await rest.activate(id);
		return id;
	},
	run: async ({ rest, control }, workflowId) => {
		const count = async () => (await rest.listExecutions({ workflowId })).length;
		const before = await count();
		const [webhook] = await control.webhooks();
		const event = changed(sampleEvent('smsInbound'), 'webhook_id', webhook!.id);
		const response = await fetch(webhook!.url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(changed(event, 'mo.id', randomUUID())),
		});
		if (!response.ok) throw new Error(`n8n answered ${response.status}`);
		await until({ what: 'the execution', timeoutMs: 10_000 }, async () =>
			(await count()) > before ? true : undefined,
		);
	},
};

const send = { resource: 'sms', operation: 'send', ...sms };
const { recipient: recipients, ...text } = sms;

const ways: Way[] = [
	operation('SMS → Send', send, { max: 77 }),
	operation(
		'SMS → Send with Deduplication Key and limits',
		{
			...send,
			options: { deduplicationKey: '={{ $execution.id }}' },
			limits: { maxPerExecution: 100, maxPerRecipientPerDay: 100, maxParts: 4 },
		},
		{ max: 81 },
	),
	operation(
		'Bulk SMS → Send to 3,000',
		{ resource: 'bulkSms', operation: 'send', ...text, recipients },
		{ people: 3000 },
	),
	operation('SMS → Send and Wait for Response, until it waits', {
		...send,
		operation: 'sendAndWait',
		responseType: 'freeText',
	}),
	operation(
		'SMS → Get Many',
		{ resource: 'sms', operation: 'getAll', limit: 50 },
		{ max: 47, sends: false },
	),
	delivery,
];

const figureOf = ({ what, max }: Way, called: Called): Figure => {
	const files = called.map(({ file }) => file);
	const functions = called.reduce((sum, each) => sum + each.functions, 0);
	if (flags.files) console.error([what, ...files].join('\n  '));
	return {
		what,
		by: 'this package',
		results: { files: String(files.length), functions: String(functions) },
		...(max && { bound: { text: `at most ${max} files`, isKept: files.length <= max } }),
	};
};

export default await defineBench(import.meta.filename, async () => {
	const probe = await createProbe('coverageProbe.mjs');
	const measure = async (host: Host): Promise<Figure[]> =>
		await measureEach(ways, async (way) => {
			await host.control.reset({ requestsPerSecond: 0, balance: 1_000_000, autoStatus: false });
			const id = await way.prepare(host);
			await way.run(host, id);
			await probe.read(host.n8n);
			await way.run(host, id);
			const called = await probe.read<Called>(host.n8n);
			const { length: sent } = await host.control.accepted();
			if (sent !== way.sent) throw new Error(`${way.what}: ${sent} messages were sent`);
			return figureOf(way, called);
		});
	try {
		return await withN8n(measure, {
			environment: { ...probe.environment, ...(flags.files && { KUDOSITY_PROBE_ORDER: 'true' }) },
		});
	} finally {
		await probe.remove();
	}
});
