import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { properties as pollingProperties } from '../../nodes/Kudosity/polling/panel.ts';
import { properties as triggerProperties } from '../../nodes/Kudosity/trigger/panel.ts';
import { resources } from '../../nodes/Kudosity/resources/index.ts';
import { projectFolder } from '../../playground/n8n/pack.ts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import {
	exampleFiles,
	examplePaths,
	isKudosity,
	isKudosityTrigger,
	onlyForN8n2,
	tableMadeBy,
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
		expect(readme).toContain(`[${file}](${examplePaths[file]!.replace('examples/', '')})`);
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
			for (const { json } of pinned) expect(parameters.events).toContain(json.eventType);
		}
	});

	// The editor's import drops all others, whichever way the file comes in.
	it('has no setting but the order of execution', () => {
		expect(workflow.settings).toEqual({ executionOrder: 'v1' });
	});

	it('names no credential, since those exist in one n8n only', () => {
		for (const { name, credentials } of nodes) expect(credentials, name).toBeUndefined();
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
	'form-leads.json: Lead form': 'a form for strangers, whose limits are tested below',
};

const isWayIn = ({ type, parameters }: WorkflowNode) =>
	/\.(formTrigger|webhook|mcpTrigger)$/.test(type) ||
	(type.endsWith('.chatTrigger') && parameters.public === true);

// Whoever knows the file knows the address.
it('has no way in that is open to everybody', () => {
	const ways = Object.entries(exampleFiles).flatMap(([file, { nodes }]) =>
		nodes.filter(isWayIn).map((node) => ({ at: `${file}: ${node.name}`, ...node.parameters })),
	);
	expect(ways.map(({ at }) => at)).toContain('conversations.json: Answer as a person');
	for (const { at, authentication = 'none' } of ways as Array<{
		at: string;
		authentication?: string;
	}>)
		if (!(at in openWaysIn)) expect([at, authentication]).not.toEqual([at, 'none']);
	for (const at of Object.keys(openWaysIn)) expect(ways.map((way) => way.at)).toContain(at);
});

/** What asks who has opted out before it sends, and the node that sends. */
const guarded: Record<string, string> = {
	'campaign.json': 'Send SMS',
	'campaign-bulk.json': 'Send bulk SMS',
	'send-to-contacts.json': 'Send SMS',
	'ask-thousands.json': 'Ask',
	'click-follow-up.json': 'Send SMS',
	'delivery-watch.json': 'Send as SMS',
	'google-sheets.json': 'Send SMS',
	'missed-call.json': 'Send SMS',
	'form-leads.json': 'Send SMS',
	'hubspot-form-leads.json': 'Send SMS',
	'review-request.json': 'Send SMS',
	'birthdays.json': 'Send SMS',
};

describe.each(Object.entries(guarded))('examples/%s', (file, sender) => {
	const { nodes, connections } = exampleFiles[file]!;
	const links = Object.entries(connections).flatMap(([from, byKind]) =>
		Object.values(byKind as Record<string, Array<Array<{ node: string }>>>).flatMap((outputs) =>
			outputs.flatMap((targets, output) =>
				targets.map(({ node }) => [from, node, output] as const),
			),
		),
	);
	/** All that come before it, unless they come before a door's first output only. */
	const before = (name: string, door: string, seen = new Set<string>()): Set<string> => {
		for (const [from, to, output] of links) {
			if (to !== name || (from === door && output === 0) || seen.has(from)) continue;
			before(from, door, seen.add(from));
		}
		return seen;
	};

	it(`comes to ${sender} only by those who have not opted out`, () => {
		expect(links).toContainEqual(['Ask who opted out', 'Not opted out', 0]);
		expect(links.filter(([, to]) => to === 'Not opted out')).toHaveLength(1);
		// In a loop, each round asks.
		if (nodes.some(({ type }) => type.endsWith('.splitInBatches')))
			expect([...before('Ask who opted out', '')]).toContain('Note the result');
		const ways = before(sender, 'Not opted out');
		const starts = nodes.filter(({ type }) => /trigger$/i.test(type)).map(({ name }) => name);
		expect(starts.filter((name) => ways.has(name))).toEqual([]);
		const first = exampleFiles['campaign.json']!.nodes;
		for (const name of ['Ask who opted out', 'Not opted out']) {
			const [own, other] = [nodes, first].map(
				(all) => all.find((node) => node.name === name)?.parameters,
			);
			expect(JSON.stringify(own).replace(/"id":"[^"]+"/, '')).toBe(
				JSON.stringify(other).replace(/"id":"[^"]+"/, ''),
			);
		}
	});
});

it.each(['campaign', 'campaign-bulk', 'send-to-contacts', 'ask-thousands'])(
	'says how to reach landlines, and has no name that two campaigns could share: %s',
	(file) => {
		const { nodes } = exampleFiles[`${file}.json`]!;
		const [note] = nodes.map(({ parameters }) => String(parameters.content));
		expect(note).toMatch(/To send to landlines too, remove the condition .* \*\*Can get it\?\*\*/);
		const settings = nodes.flatMap(({ parameters }) => {
			const { assignments = [] } = Object(parameters.assignments);
			return assignments as Array<{ name: string; value: unknown }>;
		});
		const names = settings.filter(({ name }) => name === 'campaign').map(({ value }) => value);
		expect(names).toEqual(file === 'campaign-bulk' ? [] : ['']);
	},
);

/** Examples with other apps, each with the most nodes that it may have. */
const withApps: Record<string, number> = {
	// One in case somebody renames its column, and two for the time zone.
	'google-sheets.json': 13,
	// One for the loop, since n8n 3 calls no workflow once for each item, and two for the time zone.
	'calendar-reminders.json': 13,
	'shopify-order-shipped.json': 10,
	'review-request.json': 10,
	// Two for the time zone.
	'birthdays.json': 12,
	// Strangers can come in.
	'missed-call.json': 15,
	'form-leads.json': 15,
	'hubspot-form-leads.json': 15,
};

it.each(Object.entries(withApps))('is small and safe as it comes: %s', (file, most) => {
	const nodes = exampleFiles[file]!.nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
	expect(nodes.length).toBeLessThanOrEqual(most);
	expect(nodes.filter(({ type }) => type.endsWith('.code'))).toEqual([]);
	const senders = nodes.filter(({ parameters }) => parameters.resource === 'sms');
	expect(senders.length).toBeGreaterThan(0);
	for (const { name, parameters } of senders) {
		expect(parameters, name).toMatchObject({
			options: {
				deduplicationKey: expect.any(String),
				dryRun: expect.stringMatching(/^(manual$|=)/),
			},
			limits: {
				maxParts: expect.any(Number),
				maxPerExecution: expect.any(Number),
				maxPerRecipientPerDay: expect.any(Number),
			},
		});
	}
});

it('lets strangers in by the same limits everywhere, with a text that has nothing of theirs', () => {
	const files = ['missed-call.json', 'form-leads.json', 'hubspot-form-leads.json'];
	const limits = files.map((file) => {
		const { nodes } = exampleFiles[file]!;
		const named = (name: string) => nodes.find((node) => node.name === name)!;
		expect(named('Send SMS').parameters).toMatchObject({
			message: expect.stringMatching(/^[^=]/),
			limits: { allowedRecipients: "={{ $('Settings').first().json.country }}" },
		});
		const names = ['Settings', 'Limits table', 'Not today yet', 'Counter', 'Count', 'Counted?'];
		const texts = names.map((name) => JSON.stringify(named(name).parameters));
		return texts.map((text) =>
			text
				.replace(/"id":"[^"]+"/g, '')
				.replace(/(missed call|form lead|HubSpot lead)/g, 'stranger')
				.replace("$('Clean').first().json.cleaned", '$json.cleaned')
				// HubSpot is asked for the leads of an hour, also after midnight.
				.replace('DateTime.fromISO($json.properties.recent_conversion_date)', '$now'),
		);
	});
	for (const each of limits.slice(1)) expect(each).toEqual(limits[0]);
	expect(limits[0]![0]).toMatch(/"per_hour","value":20,.*"per_day","value":200,/);
});

// The import drops a workflow's Timezone, and n8n's own is New York: 10 in the morning is night elsewhere.
it('keeps the hours of a time zone that a node names wherever a message goes out at an hour', () => {
	const texts = Object.entries(exampleFiles)
		.filter(([, { nodes }]) =>
			nodes.some(({ parameters }) => /^send/.test(String(parameters.operation))),
		)
		.map(([file, { nodes }]) => [file, JSON.stringify(nodes)] as const);
	for (const [file, text] of texts) {
		expect(text, file).not.toMatch(/triggerAtHour|cronExpression|\*\*Timezone\*\*/);
		expect(text, file).not.toMatch(/\$now\.(?!setZone)[^}]*hour: \d/);
	}
	const timed = texts.filter(([, text]) => text.includes('.setZone(')).map(([file]) => file);
	expect(timed.toSorted()).toEqual([
		'birthdays.json',
		'calendar-reminders.json',
		'campaign-bulk.json',
		'campaign.json',
		'delivery-watch.json',
		'google-sheets.json',
		'review-request.json',
	]);
});

// Somebody may correct a number while the campaign runs.
it.each([
	['campaign', 'Take'],
	['campaign-bulk', 'Take'],
	['ask-thousands', 'Note who is asked'],
])('takes a row only while its number is the one that was cleaned: %s, %s', (file, name) => {
	const taking = exampleFiles[`${file}.json`]!.nodes.find((node) => node.name === name);
	expect(taking?.parameters.filters).toMatchObject({
		conditions: expect.arrayContaining([
			{ keyName: 'phone', condition: 'eq', keyValue: '={{ $json.phone }}' },
		]),
	});
});

it("checks the rows of a campaign without n8n's regex operator, which fails when n8n pauses for 250 ms", () => {
	const withRegex = Object.entries(exampleFiles).filter(
		([file, example]) =>
			file.startsWith('campaign') && JSON.stringify(example).includes('"operation":"regex"'),
	);
	expect(withRegex.map(([file]) => file)).toEqual([]);
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

it('has in docs/compatibility.md which examples are for n8n 2 only', () => {
	const [, named = ''] = /^- \*\*Not at all\*\*: (.+)$/m.exec(read('docs/compatibility.md')) ?? [];
	const files = [...named.matchAll(/`([\w-]+\.json)`/g)].map(([, file]) => file);
	expect(files).toEqual(Object.keys(onlyForN8n2));
});
