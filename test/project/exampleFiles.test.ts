import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { properties as pollingProperties } from '../../nodes/Kudosity/polling/panel.ts';
import { properties as triggerProperties } from '../../nodes/Kudosity/trigger/panel.ts';
import { resources } from '../../nodes/Kudosity/resources/index.ts';
import { projectFolder } from '../../playground/n8n/pack.ts';
import type { Workflow, WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { tableMadeBy } from '../../playground/n8n/tables.ts';
import {
	exampleFiles,
	examplePaths,
	isKudosity,
	isKudosityTrigger,
	onlyForN8n2,
} from '../helpers/exampleFiles.ts';

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8');
const readme = read('examples/README.md');

const isCalledFromOutside = ({ type }: WorkflowNode) =>
	/\.(kudosityTrigger|chatTrigger|webhook|formTrigger|shopifyTrigger)$/.test(type);

const fieldsOfTools = ['descriptionType', 'toolDescription'];

const propertiesOf = ({ parameters }: WorkflowNode): INodeProperties[] =>
	resources
		.find(({ value }) => value === parameters.resource)
		?.operations.find(({ value }) => value === parameters.operation)?.properties ?? [];

const namesIn = (properties: INodeProperties[]): string[] =>
	properties.flatMap(({ name, type, options = [] }) =>
		type === 'collection' ? [name, ...options.map((each) => `${name}.${each.name}`)] : [name],
	);

/** The fields that a node has values for, and those within its collections. */
const usedFields = ({ parameters }: WorkflowNode): string[] =>
	Object.entries(parameters).flatMap(([name, value]) => {
		const isCollection = ['options', 'limits', 'filters'].includes(name);
		return [
			name,
			...(isCollection ? Object.keys(value as object).map((each) => `${name}.${each}`) : []),
		];
	});

describe.each(Object.entries(exampleFiles))('examples/%s', (file, workflow) => {
	const { nodes, connections, pinData } = workflow;
	const names = nodes.map(({ name }) => name);

	it('is explained by notes, and listed in the readme', () => {
		const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		expect(notes.map(({ parameters }) => parameters.content)).toContainEqual(
			expect.stringMatching(/^## .+/),
		);
		const link = `[${file}](${examplePaths[file]!.replace('examples/', '')})`;
		expect(readme.includes(link), `examples/README.md has ${link}`).toBe(true);
	});

	it('refers only to examples that exist', () => {
		const titles = Object.values(exampleFiles).map(({ name }) => name);
		const notes = nodes.map(({ parameters }) => String(parameters.content ?? '')).join('\n');
		const named = [...notes.matchAll(/\bexamples? [*"]+([^*"]+)(?:" and "([^"]+))?/g)]
			.flatMap(([, ...found]) => found)
			.filter((title) => title !== undefined);
		expect(titles).toEqual(expect.arrayContaining(named));
	});

	it('has an address of its own for each trigger that is called from outside', () => {
		for (const { name, webhookId } of nodes.filter(isCalledFromOutside)) {
			expect(webhookId, name).toMatch(/^[0-9a-f-]{36}$/);
		}
	});

	it('has sample events of the chosen types for each Kudosity Trigger', () => {
		for (const { name, parameters } of nodes.filter(isKudosityTrigger)) {
			const pinned = pinData?.[name] as Array<{ json: { eventType: string } }>;
			expect(pinned.length, name).toBeGreaterThan(0);
			const chosen = parameters.events as string[];
			const types = chosen.map((event) => (event === 'ANY_OPT_OUT' ? 'OPT_OUT' : event));
			for (const { json } of pinned) expect(types).toContain(json.eventType);
		}
	});

	// The editor's import drops all others, whichever way the file comes in.
	it('has no setting but the order of execution', () => {
		expect(workflow.settings).toEqual({ executionOrder: 'v1' });
	});

	it('names no credential, since those exist in one n8n only', () => {
		for (const { name, credentials } of nodes) expect(credentials, name).toBeUndefined();
	});

	it('has only what somebody else needs of what n8n exports', () => {
		const known = ['name', 'nodes', 'connections', 'pinData', 'settings'];
		expect(Object.keys(workflow).filter((key) => !known.includes(key))).toEqual([]);
	});

	it('uses operations and fields that exist', () => {
		for (const node of nodes.filter(isKudosity)) {
			const known = ['resource', 'operation', ...fieldsOfTools, ...namesIn(propertiesOf(node))];
			expect(known, node.name).toEqual(expect.arrayContaining(usedFields(node)));
		}
		for (const node of nodes.filter(isKudosityTrigger)) {
			const isPolling = node.type.endsWith('.kudosityPollingTrigger');
			const known = isPolling
				? ['pollTimes', ...namesIn(pollingProperties)]
				: namesIn(triggerProperties);
			expect(known, node.name).toEqual(expect.arrayContaining(usedFields(node)));
			expect(node.typeVersion, node.name).toBe(isPolling ? 1 : 1.1);
		}
	});

	// A row that comes or goes meanwhile: "synchronization error: result count changed during pagination". Or a busy
	// database: "Timeout waiting for lock SqliteWriteConnectionMutex".
	it('tries again where it reads or writes a Data Table', () => {
		const tables = nodes.filter(({ type }) => type === 'n8n-nodes-base.dataTable');
		for (const node of tables) expect(node, node.name).toMatchObject({ retryOnFail: true });
	});

	it('is connected throughout', () => {
		const targets = Object.values(connections).flatMap((byKind) =>
			Object.values(byKind as Record<string, Array<Array<{ node: string }>>>).flat(2),
		);
		expect(new Set(names).size).toBe(names.length);
		expect(names).toEqual(expect.arrayContaining(targets.map(({ node }) => node)));
		expect(names).toEqual(expect.arrayContaining(Object.keys(connections)));
	});
});

/** Ways in that nobody has to sign in for, each with the reason why. */
const openWaysIn: Record<string, string> = {
	'form-leads.json: Lead form': 'a form for strangers, whose limits are tested',
	'double-opt-in.json: Sign-up form': 'a form for strangers, who get one message',
};

const isWayIn = ({ type, parameters }: WorkflowNode) =>
	/\.(formTrigger|webhook|mcpTrigger)$/.test(type) ||
	(type.endsWith('.chatTrigger') && parameters.public === true);

// Whoever knows the file knows the address.
it('has no way in that is open to everybody', () => {
	const ways = Object.entries(exampleFiles).flatMap(([file, { nodes }]) =>
		nodes.filter(isWayIn).map(({ name, parameters }) => {
			const { authentication = 'none' } = parameters as { authentication?: string };
			return { at: `${file}: ${name}`, authentication };
		}),
	);
	expect(ways.map(({ at }) => at)).toContain('answer-as-a-person.json: Answer as a person');
	const open = ways.filter(({ authentication }) => authentication === 'none');
	expect(open.map(({ at }) => at).toSorted()).toEqual(Object.keys(openWaysIn).toSorted());
});

const maxNodes = 6;
const maxTables = 2;
const maxExpression = 80;
const maxWords = 120;

const isNote = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.stickyNote';

/** An agent's model, memory and tools hang below it. */
const isBelowAgent = ({ name }: WorkflowNode, { connections }: Workflow) =>
	Object.keys((connections[name] as object | undefined) ?? {}).some((kind) => kind !== 'main');

const textsIn = (value: unknown): string[] => {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

describe.each(Object.entries(exampleFiles))('examples/%s', (_file, example) => {
	const nodes = example.nodes.filter((node) => !isNote(node));

	it('can be read at a glance', () => {
		const tables = nodes.filter((node) => tableMadeBy(node) !== undefined);
		const others = nodes.filter((node) => !tables.includes(node) && !isBelowAgent(node, example));
		expect(others.map(({ name }) => name).slice(maxNodes)).toEqual([]);
		expect(tables.map(({ name }) => name).slice(maxTables)).toEqual([]);
		expect(nodes.filter(({ type }) => type.endsWith('.code'))).toEqual([]);
	});

	it('has no long expression', () => {
		const expressions = nodes
			.flatMap(({ parameters }) => textsIn(parameters))
			.filter((text) => text.startsWith('='))
			.flatMap((text) => [...text.matchAll(/\{\{(.*?)\}\}/gs)].map(([, code]) => code!.trim()));
		expect(expressions.filter((code) => code.length > maxExpression)).toEqual([]);
	});

	it('has one short note, which links to its page', () => {
		const notes = example.nodes.filter(isNote).map(({ parameters }) => String(parameters.content));
		expect(notes).toHaveLength(1);
		expect(notes[0]!.split(/\s+/).filter((word) => /\w/.test(word)).length).toBeLessThanOrEqual(
			maxWords,
		);
		expect(notes[0]).toMatch(/\]\(https:\/\/github\.com\/[^)]+\/docs\/[\w-]+\.md(#[\w-]+)?\)/);
	});
});

const sends = (node: WorkflowNode) =>
	isKudosity(node) && ['send', 'sendAndWait'].includes(String(node.parameters.operation));

const answersOnly = 'answers people who have just written, and no STOP';
const answersByHand =
	'a person answers somebody who has written, and Kudosity refuses after a STOP';

/** What sends without looking who has opted out, each with the reason. */
const sendsToAll: Record<string, string> = {
	'campaign-report.json: Text the count': 'the owner',
	'reply-routing.json: Answer YES': answersOnly,
	'reply-routing.json: Answer NO': answersOnly,
	'answer-without-public-address.json: Answer YES': answersOnly,
	'answer-without-public-address.json: Answer NO': answersOnly,
	'answer-first-contact.json: Answer by RCS': answersOnly,
	'answer-first-contact.json: Answer by WhatsApp': answersOnly,
	'answer-first-contact.json: Answer by SMS': answersOnly,
	'answer-as-a-person.json: Answer by RCS': answersByHand,
	'answer-as-a-person.json: Answer by WhatsApp': answersByHand,
	'answer-as-a-person.json: Answer by SMS': answersByHand,
	'ai-agent-replies.json: Send answer': answersOnly,
	'slack-replies.json: Send SMS': answersByHand,
	'delivery-watch.json: Tell the owner': 'to the owner',
	'first-sms.json: Send SMS': 'a first try, to a number of one’s own',
	'bulk-sms-to-list.json: Send bulk SMS': 'Kudosity leaves out who opted out of its list',
	'reviewed-agent.json: Ask the boss': 'to the boss',
	'reviewed-agent.json: Send SMS': 'a person approves each message, and sees the recipient',
	'ai-agent.json: Send SMS': 'to numbers that the node allows, which are one’s own team',
	'form-leads.json: Tell the owner': 'the owner',
	'hubspot-form-leads.json: Tell the owner': 'the owner',
	'missed-call.json: Tell the owner': 'the owner',
	'appointment.json: Thank them': 'customers who have just answered',
	'appointment.json: Tell the front desk': 'the front desk',
	'survey.json: What could we do better?': 'customers who have just answered',
	'purchase-approval.json: Ask the boss': 'the boss',
	'on-call-alert.json: Ask the first': 'who is on call',
	'on-call-alert.json: Ask the second': 'who is on call',
	'fill-a-shift.json: Ask': 'one’s own staff',
	'fill-a-shift.json: Tell the manager': 'the manager',
};

it('sends to nobody who opted out', () => {
	const guarded = "={{ $('Get opt-outs').all().map((row) => row.json.phone) }}";
	for (const [file, { nodes }] of Object.entries(exampleFiles)) {
		for (const node of nodes.filter(sends)) {
			const at = `${file}: ${node.name}`;
			if (at in sendsToAll) continue;
			const { limits } = node.parameters as { limits?: object };
			expect([at, limits]).toEqual([at, expect.objectContaining({ blockedRecipients: guarded })]);
			const readers = nodes.filter(({ name }) => name === 'Get opt-outs');
			expect([at, readers.length]).toEqual([at, 1]);
			expect(readers[0]!.parameters, at).toMatchObject({ returnAll: true });
		}
	}
});

it('has names that somebody would search for', () => {
	const names = Object.entries(exampleFiles).flatMap(([, { nodes }]) =>
		nodes.map(({ name }) => name),
	);
	expect(names.filter((name) => /^(Mine|Take|And now\?|Look at these)$/.test(name))).toEqual([]);
});

// The import drops a workflow's Timezone, and n8n's own is New York: 10 in the morning is night elsewhere.
it('leaves the hour of a message to Sending Hours, which have a time zone', () => {
	for (const [file, { nodes }] of Object.entries(exampleFiles)) {
		if (!nodes.some(sends)) continue;
		const text = JSON.stringify(nodes);
		expect(text, file).not.toMatch(/triggerAtHour|cronExpression/);
		expect(text, file).not.toMatch(/\$now\.(?!setZone)[^}]*hour: \d/);
	}
});

it('has the same columns wherever an example makes a Data Table', () => {
	const tables = Object.values(exampleFiles).flatMap(({ nodes }) =>
		nodes.flatMap((node) => tableMadeBy(node) ?? []),
	);
	const columns = new Map(tables.map((table) => [table.name, table.columns]));
	for (const table of tables) expect(table.columns, table.name).toEqual(columns.get(table.name));
});

// n8n 2 looks for a table by a part of its name, and takes one only.
it('has no Data Table whose name is a part of another one', () => {
	const tables = Object.values(exampleFiles).flatMap(({ nodes }) =>
		nodes.flatMap((node) => tableMadeBy(node)?.name ?? []),
	);
	for (const name of tables) {
		const alike = tables.filter((other) => other.toLowerCase().includes(name.toLowerCase()));
		expect([...new Set(alike)]).toEqual([name]);
	}
});

it('has in examples/n8n-1.md which examples are for n8n 2 only', () => {
	const [, named = ''] =
		/^- \*\*Examples that don't work\*\*: (.+)$/m.exec(read('examples/n8n-1.md')) ?? [];
	const files = [...named.matchAll(/`([\w-]+\.json)`/g)].map(([, file]) => file);
	expect(files).toEqual(Object.keys(onlyForN8n2));
});
