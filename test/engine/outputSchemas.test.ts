import { describe, expect, it } from 'vitest';
import { Kudosity } from '../../nodes/Kudosity/Kudosity.node.ts';
import { operationsByName, workingFields } from '../helpers/exampleFields.ts';
import { schemaIssues, type OutputSchema } from '../helpers/jsonSchema.ts';
import { projectFiles } from '../helpers/projectFiles.ts';
import { credentialsOf } from '../project/operationsTable.ts';
import { useEmulator } from './emulator.ts';
import { runKudosity } from './harness.ts';

const schemaFolder = 'nodes/Kudosity/__schema__';
const schemas = projectFiles(schemaFolder, '.json');
const schemaOf = (name: string): OutputSchema | undefined => {
	const text = schemas[`${schemaFolder}/v1.0.0/${name}.json`];
	return text === undefined ? undefined : JSON.parse(text);
};

const service = useEmulator();

const message = { message: 'Hi', recipient: '61491570006', sender: 'Acme' };
const bulk = { message: 'Hi', to: '61491570006, 61491570156', from: 'Acme' };
const webhook = {
	name: 'Order events',
	url: 'https://example.com/events',
	eventTypes: ['SMS_STATUS'],
	filters: { sender: ['Acme'], messageRef: ['a'], status: ['SENT'], campaignId: ['b'] },
};
const delivered = { messageId: '5eeded00-0000-4000-8000-000000000001' };
const failed = { messageId: '5eeded00-0000-4000-8000-000000000002' };

const { description } = new Kudosity();

/** With only the credential that n8n asks for when the operation is chosen. */
const run = async (name: string, parameters: object) => {
	const [resource = '', operation = ''] = name.split('/');
	const types = credentialsOf(description, { resource, operation });
	return await runKudosity({
		parameters: { resource, operation, ...parameters } as never,
		credentials: Object.fromEntries(types.map((type) => [type, service.credentials[type]!])),
	});
};

const outputOf = async (name: string, parameters: object) => (await run(name, parameters)).json;

const createWebhook = async () => {
	const [created] = await outputOf('webhook/create', webhook);
	return { webhookId: String(created?.id) };
};

/** Where the examples of the panel do not bring about all that can come out: the fields of runs that do. */
const runs: Record<string, () => Promise<object[]> | object[]> = {
	'sms/send': () => [
		{ ...message, options: { messageRef: 'a', trackLinks: true, sendOnceKey: '' } },
	],
	'sms/sendBulk': () => [bulk, { ...bulk, to: '61491570006, 61000000' }],
	'number/getAll': () => [{ returnAll: true }, { filter: 'available' }],
	'rcs/get': () => [delivered, failed],
	'rcs/getAll': () => [{ returnAll: true }],
	'rcs/waitForStatus': () => [delivered, failed],
	'webhook/create': () => [webhook],
	'webhook/get': async () => [await createWebhook()],
	'webhook/getAll': async () => {
		await createWebhook();
		return [{}];
	},
	'webhook/update': async () => [{ ...(await createWebhook()), name: 'Other name' }],
	'webhook/delete': async () => [await createWebhook()],
};

describe('the output schema that the editor shows before the first run', () => {
	it.each(Object.keys(operationsByName))('describes each field of %s', async (name) => {
		const schema = schemaOf(name);
		expect(schema, `nodes/Kudosity/__schema__/v1.0.0/${name}.json`).toBeDefined();
		const prepared = (await runs[name]?.()) ?? [await workingFields(name, outputOf)];

		for (const parameters of prepared) {
			const { json, error } = await run(name, parameters);
			expect(error).toBeUndefined();
			expect(json).not.toEqual([]);
			expect(json.flatMap((record) => schemaIssues(schema!, record))).toEqual([]);
		}
	});
});
