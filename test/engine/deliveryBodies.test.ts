import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleEvent } from '../fixtures/events/index.ts';
import { useEmulator } from './emulator.ts';
import { createContexts } from './harness.ts';
import { registerTrigger, webhookId, type Delivery } from './triggerNode.ts';

const service = useEmulator();

/** What becomes of a delivery that arrives so; its event is that of `event`. */
const deliver = async (delivery: (event: Buffer) => Delivery) => {
	const { trigger, query, deliveryOf } = await registerTrigger(service);
	const { body } = deliveryOf(sampleEvent('smsInbound'));
	const { status, started, outputs } = await trigger.receive({
		query,
		...delivery(Buffer.from(JSON.stringify(body))),
	});
	return { status, started, events: outputs.flat().length };
};

const taken = { status: 200, started: true, events: 1 };
const refused = { status: 400, started: false, events: 0 };

it.each([
	['another type', 'text/plain'],
	['a binary type', 'application/octet-stream'],
	['a kind of JSON that n8n does not know', 'application/vnd.event+json'],
	['JSON with a space that n8n does not expect', 'application/json ; charset=utf-8'],
	['no type', ''],
])('takes JSON that is declared as %s', async (_, type) => {
	const headers = { 'content-type': type };
	expect(await deliver((rawBody) => ({ headers, rawBody, body: 'unparsed' }))).toEqual(taken);
});

it('takes JSON with a byte order mark', async () => {
	const mark = Buffer.of(0xef, 0xbb, 0xbf);
	const headers = { 'content-type': 'text/plain' };
	const marked = (event: Buffer) => ({ headers, body: '', rawBody: Buffer.concat([mark, event]) });
	expect(await deliver(marked)).toEqual(taken);
});

it('takes what n8n has parsed, whatever its raw form', async () => {
	const headers = { 'content-type': 'application/json; charset=utf-8' };
	const parsed = (event: Buffer) => ({
		...{ headers, body: JSON.parse(String(event)) as object },
		rawBody: Buffer.from('other'),
	});
	expect(await deliver(parsed)).toEqual(taken);
});

it('takes what n8n has left unread, and refuses what cannot be read', async () => {
	const headers = { 'content-type': '' };
	const reading = (event: Buffer) => ({
		headers,
		async readRawBody(this: { rawBody?: Buffer }) {
			this.rawBody = event;
		},
	});
	expect(await deliver(reading)).toEqual(taken);
	const readRawBody = async () => await Promise.reject(new Error('too large'));
	expect(await deliver(() => ({ headers, readRawBody }))).toEqual(refused);
});

it('answers 500 where an event cannot be taken, so that it comes again', async () => {
	const fail = () => {
		throw new Error('no memory');
	};
	const body = new Proxy({}, { get: fail, has: fail, ownKeys: fail });
	const failed = { status: 500, started: false, events: 0 };
	expect(await deliver((rawBody) => ({ body, rawBody }))).toEqual(failed);
});

describe('a status whose connection breaks before n8n answers', () => {
	const server = createServer();
	beforeAll(async () => await new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
	afterAll(() => void server.close());

	/** The status is delivered by a client that has gone by then, and n8n answers so. */
	const deliverBroken = async (context: (response: ServerResponse) => Promise<void>) => {
		let gone: () => void;
		const isGone = new Promise<void>((resolve) => (gone = resolve));
		const handled = new Promise<void>((resolve, reject) => {
			server.once('request', (_, response: ServerResponse) => {
				response.once('close', () => void context(response).then(resolve, reject));
				gone();
			});
		});
		const { port } = server.address() as AddressInfo;
		const client = connect(port, '127.0.0.1').on('error', () => undefined);
		client.write('POST / HTTP/1.1\r\nhost: n8n\r\ncontent-length: 0\r\n\r\n');
		await isGone;
		client.destroy();
		await handled;
	};

	it.each([
		[200, false],
		[500, true],
	])('starts the workflow again after a %i: %s', async (n8nStatus, started) => {
		const parameters = { events: ['SMS_STATUS'], options: { skipOutdatedStatuses: true } };
		const settings = { webhookId, id: `answered-${n8nStatus}` };
		const options = { parameters, credentials: service.credentials, settings };
		const { trigger, deliveryOf } = await registerTrigger(service, options);
		const delivery = deliveryOf(sampleEvent('smsStatusDelivered'));
		const headers = { 'content-type': 'application/json' };
		const request = { method: 'POST', headers, ...delivery };
		const contexts = await createContexts('kudosityTrigger', options);
		contexts.workflow.staticData = trigger.staticData();
		await deliverBroken(async (response) => {
			await contexts.nodeType.webhook!.call(contexts.webhook(request, response) as never);
			const hasEnded = once(response, 'prefinish');
			response.writeHead(n8nStatus).end('done');
			await hasEnded;
		});

		expect(await trigger.receive(delivery)).toMatchObject({ status: 200, started });
	});
});
