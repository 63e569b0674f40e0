import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FaultRule } from '../../playground/emulator/control/client.ts';
import type { Execution } from '../../playground/n8n/rest/executions.ts';
import type { CredentialReference } from '../../playground/n8n/setUp.ts';
import { allEvents } from '../e2e/triggerWorkflow.ts';
import { startPlayground, type Playground } from '../e2e/harness.ts';
import { kudosityTriggerType, kudosityType, node, workflow } from '../e2e/workflow.ts';
import { findMarks, privateMarks, secretForms, secretMarks } from './marks.ts';

const { apiKey, apiSecret } = secretMarks;
const account = { id: 'marked', apiKey, apiSecret };

let playground: Playground;
let credentials: Record<string, CredentialReference>;
let brokenCredentials: Record<string, CredentialReference>;

const createCredentials = async (baseUrl: string) => {
	const both = [
		{ type: 'kudosityBasicApi', data: { apiKey, apiSecret, baseUrl } },
		{ type: 'kudosityKeyApi', data: { apiKey, baseUrl } },
	];
	const created: Record<string, CredentialReference> = {};
	for (const { type, data } of both) {
		const name = `${type} ${baseUrl}`;
		const { id } = await playground.rest.createCredential({ name, type, data });
		created[type] = { id, name };
	}
	return created;
};

const { phone, text, name } = privateMarks;
const item = { phone, text, name };

type Operation = [name: string, parameters: Record<string, unknown>];

const sends: Operation[] = [
	[
		'sms/send',
		{
			message: '={{ $json.text }}',
			sender: 'Acme',
			recipient: '={{ $json.phone }}',
			options: { onOutcomeUnknown: 'fail' },
		},
	],
	[
		'bulkSms/send',
		{ message: '={{ $json.text }}', sender: 'Acme', recipients: '={{ $json.phone }}' },
	],
];
const writes: Operation[] = [
	[
		'contact/upsert',
		{ contact: '={{ $json.phone }}', listId: '4100001', firstName: '={{ $json.name }}' },
	],
];
const reads: Operation[] = [
	['number/getAll', {}],
	['list/getAll', {}],
	['rcs/getAll', {}],
	['webhook/getAll', {}],
];

const run = async (
	[name, parameters]: Operation,
	{ settings = {}, use = credentials, items = [item] as object[] } = {},
): Promise<Execution> => {
	const [resource, operation] = name.split('/');
	const action = node({
		type: kudosityType,
		name: 'Kudosity',
		parameters: { resource, operation, options: {}, ...parameters },
		credentials: use,
		...settings,
	});
	return await playground.run(items, action);
};

/** Whatever an error says, apart from the copy of the node that n8n keeps with it. */
const errorTexts = ({ error, nodes }: Execution): string[] =>
	[error, ...Object.values(nodes).map((result) => result.error)]
		.filter((found) => found !== undefined)
		.map((found) => JSON.stringify({ ...found, node: undefined }));

const errors: string[] = [];
const runAndCollect = async (...options: Parameters<typeof run>) => {
	const execution = await run(...options);
	errors.push(...errorTexts(execution));
	return execution;
};

const usesSecret = ([name]: Operation): boolean => /^(bulkSms|contact|number|list)/.test(name);

/** A service that repeats in its refusals all that it was sent. */
const echoes = (operation: Operation): FaultRule[] => {
	const grouped = phone.replaceAll(/(?<=^.{2}|^.{5}|^.{8})/g, ' ');
	const words = [
		...(sends.includes(operation) ? [text] : []),
		...(writes.includes(operation) ? [name] : []),
		...[phone, `+${grouped}`, grouped.replaceAll(' ', '-')],
	];
	const secret = usesSecret(operation) ? [apiSecret, btoa(`${apiKey}:${apiSecret}`)] : [];
	const echo = [...words, apiKey, ...secret].join(' and ');
	const refusedNumbers = { fails: [privateMarks.phone], optouts: [privateMarks.phone] };
	return [
		{ status: 400, body: { title: 'Bad', detail: echo, issues: [{ name: echo, message: echo }] } },
		{ status: 400, body: { error: { code: 'FIELD_INVALID', description: echo } } },
		{ status: 400, body: { error: { code: 'RECIPIENTS_ERROR', description: refusedNumbers } } },
		{ status: 200, body: { error: { code: echo, description: echo } } },
		{ status: 401, body: { error: echo } },
		{ status: 500, body: `<h1>${echo}</h1>` },
	].map((answer) => ({ fault: 'custom', ...answer }));
};

const faults: FaultRule[] = [
	...(['status403', 'status500', 'html', 'reset', 'malformedJson', 'emptyBody'] as const).map(
		(fault) => ({ fault }),
	),
	{ fault: 'redirect', location: 'https://elsewhere.example/' },
];

/** Runs an operation while the service behaves like that, whatever it is asked. */
const runUnder = async (fault: FaultRule, operation: Operation, settings = {}) => {
	await playground.control.addFault({ ...fault, match: { count: 'forever' } });
	await runAndCollect(operation, { settings });
	await playground.control.clearFaults();
};

beforeAll(async () => {
	playground = await startPlayground({
		ownN8n: { environment: { N8N_LOG_LEVEL: 'debug' } },
		settings: { accounts: [account], autoStatus: false, retryDelaysMs: [] },
	});
	credentials = await createCredentials(playground.emulator.url);
	brokenCredentials = await createCredentials('http://127.0.0.1:1');
});
afterAll(async () => await playground.stop());

const publishTrigger = async () => {
	const trigger = node({
		type: kudosityTriggerType,
		name: 'Kudosity Trigger',
		parameters: { events: allEvents },
		credentials: { kudosityKeyApi: credentials.kudosityKeyApi! },
	});
	const { id } = await playground.save(workflow({ nodes: [trigger] }));
	await playground.rest.activate(id);
	const [webhook] = await playground.control.webhooks();
	return { id, url: webhook!.url };
};

const deliver = async (url: string) => {
	const { control, rest } = playground;
	const mo = {
		message: privateMarks.inboundText,
		sender: privateMarks.inboundPhone,
		last_message: { message: privateMarks.text, recipient: privateMarks.inboundPhone },
	};
	const strange = { event_type: 'SMS_INBOUND', mo: { ...mo, id: { not: 'text' } } };
	await control.emit({ event_type: 'SMS_INBOUND', overrides: { mo }, wait: true });
	await control.emit({ raw: strange, wait: true });
	await control.emit({ raw: { event_type: 'NEWS', ...mo }, wait: true });
	await control.emit({ raw: `{"broken": "${privateMarks.inboundText}`, wait: true });
	const forged = url.replace(/token=.*/, `token=${apiKey}`);
	await control.emit({ raw: strange, to: forged, wait: true });
	return rest;
};

it('keeps secrets, message texts and numbers where they belong', async () => {
	const { control, rest, n8n } = playground;
	const { id, url } = await publishTrigger();
	const token = new URL(url).searchParams.get('token')!;
	await deliver(url);
	await rest.waitForExecutions(id, 3);

	for (const operation of [...sends, ...reads]) {
		expect((await runAndCollect(operation)).status).toBe('success');
		const retried = reads.includes(operation) ? [500] : [];
		for (const fault of echoes(operation)) {
			if (!retried.includes(fault.status ?? 0)) await runUnder(fault, operation);
		}
	}
	for (const operation of writes) {
		for (const fault of echoes(operation)) await runUnder(fault, operation);
	}
	for (const operation of sends) {
		for (const fault of faults) await runUnder(fault, operation);
		await runAndCollect(operation, { use: brokenCredentials });
	}
	const [send, sendBulk] = sends as [Operation, Operation];
	await runUnder(echoes(send)[0]!, send, { onError: 'continueRegularOutput' });
	await runUnder(echoes(send)[0]!, send, { onError: 'continueErrorOutput' });
	await runAndCollect(send, { items: [{ ...item, phone: `call ${item.phone}` }] });
	await runAndCollect(send, { items: [{ ...item, text: { text: item.text } }] });
	await runAndCollect(sendBulk, { items: [{ ...item, phone: [item.phone, item.text] }] });
	await control.settings({ accounts: [{ ...account, apiKey: 'rotated' }] });
	for (const operation of [...sends, ...reads]) await runAndCollect(operation);
	await rest.deactivate(id);
	await rest.activate(id).catch((error) => errors.push(String(error)));
	expect(errors.length).toBeGreaterThan(40);

	await n8n.current!().stop();
	const folder = n8n.userFolder!;
	// By design the database holds what the nodes were given, and the log tells of what failed.
	const isDatabase = (file: string) => file.includes('database');
	expect(await findMarks(folder, [text], { isWanted: isDatabase })).not.toEqual([]);
	expect(n8n.current!().logs()).toContain('Workflow execution finished with error');

	const secrets = [...secretForms(), token];
	expect(await findMarks(folder, secrets)).toEqual([]);
	const isWanted = (file: string) => file.endsWith('.log');
	const numbers = [phone, privateMarks.inboundPhone];
	expect(await findMarks(folder, numbers, { isWanted })).toEqual([]);
	// At its level debug, n8n itself repeats in its log the error with which an execution has ended.
	const without = /.*\bWorkflow execution finished with error\b.*/g;
	const places = { isWanted, without };
	expect(await findMarks(folder, Object.values(privateMarks), places)).toEqual([]);
	// An item's error may quote its text or name, because n8n keeps the item beside it.
	expect(errors.some((error) => error.includes(name))).toBe(true);
	const isInError = (mark: string) => errors.some((error) => error.includes(mark));
	const grouped = ['491 570 157', '491-570-157'];
	expect([...secrets, ...numbers, ...grouped].filter(isInError)).toEqual([]);
});
