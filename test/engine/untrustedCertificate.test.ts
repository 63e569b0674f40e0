import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSelfSigned } from '../helpers/selfSigned.ts';
import { continues, credentialsFor, runOperation, toPhone } from './emulator.ts';
import { require } from './engineModules.ts';
import { createContexts } from './harness.ts';
import { createTrigger } from './triggerNode.ts';

const { CredentialTestContext }: typeof import('n8n-core') = require('n8n-core');

let requests = 0;
const server = createServer(createSelfSigned(), (_, response) => {
	requests++;
	response.end('{}');
});
let credentials = credentialsFor('');
beforeAll(async () => {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	credentials = credentialsFor(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(() => void server.close());

const remedy = /NODE_EXTRA_CA_CERTS.*Base URL.*DEPTH_ZERO_SELF_SIGNED_CERT/;
const message = /^n8n does not trust the certificate/;

describe('a certificate that n8n does not trust', () => {
	it.each([
		['sms/send', { ...toPhone, options: { onOutcomeUnknown: 'fail' } }],
		['bulkSms/send', { sender: 'Acme', message: 'Hi', recipients: '61491570006' }],
		['sms/getAll', {}],
		['number/getAll', {}],
	])('is named by %s, which sent nothing', async (name, fields) => {
		const items = [{ phone: '61491570006' }];
		const { json, error } = await runOperation(name, fields, { credentials, items });
		expect(json).toEqual([]);
		expect(error).toMatchObject({
			code: 'unreachable',
			message: expect.stringMatching(message),
			description: expect.stringMatching(remedy),
		});

		const settings = continues;
		const [item] = (await runOperation(name, fields, { credentials, items, settings })).json;
		expect(item).toMatchObject({
			error: expect.stringMatching(/NODE_EXTRA_CA_CERTS/),
			details: { code: 'unreachable' },
		});
		expect(requests).toBe(0);
	});

	it.each(['account', 'webhook'])('is named by Check Setup of %s', async (resource) => {
		const { json } = await runOperation(`${resource}/checkSetup`, {}, { credentials });
		expect(json[0]).toMatchObject({
			ok: null,
			message: expect.stringMatching(message),
			whatToDo: expect.stringMatching(remedy),
		});
	});

	it('is named when a trigger is published', async () => {
		const trigger = await createTrigger({ credentials });
		await expect(trigger.activate()).rejects.toThrow(
			/^n8n does not trust the certificate.*NODE_EXTRA_CA_CERTS/,
		);
	});

	it.each(['kudosityBasicApi', 'kudosityKeyApi'])('is named by the test of %s', async (type) => {
		const { nodeType } = await createContexts('kudosity', { parameters: {}, credentials });
		const used = nodeType.description.credentials?.find(({ name }) => name === type);
		const told = await nodeType.methods!.credentialTest![String(used?.testedBy)]!.call(
			new CredentialTestContext() as never,
			{ id: '1', name: 'Mine', type, data: credentials[type] as ICredentialDataDecryptedObject },
		);
		expect(told.status).toBe('Error');
		expect(told.message).toMatch(/^n8n does not trust the certificate of 127\.0\.0\.1:\d+/);
		expect(told.message).toMatch(/DEPTH_ZERO_SELF_SIGNED_CERT.*NODE_EXTRA_CA_CERTS.*Base URL/);
	});
});
