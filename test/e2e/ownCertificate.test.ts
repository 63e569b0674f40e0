/** A proxy that reads encrypted connections, and shows n8n a certificate of its own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PLAYGROUND_API_KEY } from '../../playground/emulator/model.ts';
import { createSelfSigned } from '../helpers/selfSigned.ts';
import { startPlayground, type Playground } from './harness.ts';

const { key, cert } = createSelfSigned();

let playground: Playground;
let folder: string;
const proxy = createServer({ key, cert }, (incoming, outgoing) => {
	const { method, headers, url = '' } = incoming;
	const passedOn = request(`${playground.emulator.url}${url}`, { method, headers }, (answer) => {
		outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
		answer.pipe(outgoing);
	});
	incoming.pipe(passedOn);
});

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'kudosity-certificate-'));
	await writeFile(join(folder, 'proxy.pem'), cert);
	playground = await startPlayground({ ownN8n: {} });
	await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
	proxy.close();
	await playground.stop();
	await rm(folder, { recursive: true, force: true });
});

it('is trusted by a real n8n that has its certificate in NODE_EXTRA_CA_CERTS', async () => {
	const { rest, n8n, control } = playground;
	const baseUrl = `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
	const data = { apiKey: PLAYGROUND_API_KEY, baseUrl };
	const credential = { name: 'Behind a proxy', type: 'kudosityKeyApi', data };
	const { id, name } = await rest.createCredential(credential);
	const send = playground.kudosity(
		{
			...{ resource: 'sms', operation: 'send', message: 'Hi', sender: 'Acme' },
			recipient: '61491570006',
		},
		{ credentials: { kudosityKeyApi: { id, name } } },
	);
	const before = await playground.run([{}], send);
	expect(before.nodes.Kudosity?.error?.message).toMatch(/^n8n does not trust the certificate/);
	expect(await control.messages()).toEqual([]);

	await n8n.restart?.({ NODE_EXTRA_CA_CERTS: join(folder, 'proxy.pem') });
	const after = await playground.run([{}], send);
	expect([after.status, after.error]).toEqual(['success', undefined]);
	expect(await control.messages()).toHaveLength(1);
});
