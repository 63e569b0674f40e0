import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ReceivedEvent, onAnswered, openDelivery } from '../../../seams.ts';
import { sampleEvent } from '../../../fixtures/events/index.ts';

const server = createServer();
beforeAll(async () => await new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
afterAll(() => void server.close());

const headers = { 'content-type': 'application/json' };

/** What a delivery is answered with, and what came in. */
const deliver = async (
	request: object,
	rightOf: () => Promise<true | undefined> = async () => true,
	take: () => Promise<object> = async () => ({}),
) => {
	const answer: { status?: number } = {};
	const taken: ReceivedEvent[] = [];
	const context = {
		getRequestObject: () => request,
		getResponseObject: () => ({
			status: (status: number) => void (answer.status = status),
			send: () => undefined,
		}),
		logger: { error: () => undefined },
	};
	const response = await openDelivery(context as never, {
		rightOf,
		take: async (received) => {
			taken.push(received);
			return await take();
		},
	});
	return { ...answer, response, taken };
};

it('reads nothing for who may not enter', async () => {
	const request = {
		headers: {},
		get body(): unknown {
			throw new Error('was read');
		},
		readRawBody: async () => {
			throw new Error('was read');
		},
	};
	expect(await deliver(request, async () => undefined)).toMatchObject({ status: 401, taken: [] });
});

it('asks once', async () => {
	let asked = 0;
	await deliver({ headers, body: sampleEvent('smsInbound') }, async () => {
		asked++;
		return true;
	});
	expect(asked).toBe(1);
});

it('hands over the event as it was sent, and what it says', async () => {
	const body = sampleEvent('smsInbound');
	const { taken, response, status } = await deliver({ headers, body });
	expect(taken).toEqual([
		{
			body,
			kind: 'inbound',
			event: expect.objectContaining({ event_type: 'SMS_INBOUND' }),
			readable: expect.objectContaining({ event_type: 'SMS_INBOUND' }),
			parseIssues: [],
			webhookId: body.webhook_id,
		},
	]);
	expect([response, status]).toEqual([{}, undefined]);
});

it.each([undefined, null, 'STOP', 7, [], {}])('refuses %j with 400', async (body) => {
	expect(await deliver({ headers, body })).toMatchObject({ status: 400, taken: [] });
});

it('answers 500 when the event cannot be taken, so that it comes again', async () => {
	const failing = async () => {
		throw new Error('no disk space');
	};
	const delivered = await deliver({ headers, body: sampleEvent('smsInbound') }, undefined, failing);
	expect(delivered).toMatchObject({ status: 500, response: { noWebhookResponse: true } });
});

it.each([
	[200, true],
	[500, false],
])(
	'knows whether n8n took it with %i, although the connection broke before',
	async (status, taken) => {
		const outcomes: boolean[] = [];
		let gone: () => void;
		const isGone = new Promise<void>((resolve) => (gone = resolve));
		const handled = new Promise<void>((resolve) => {
			server.once('request', (_, response: ServerResponse) => {
				response.once('close', () => {
					onAnswered({ getResponseObject: () => response } as never, (isTaken) => {
						outcomes.push(isTaken);
						resolve();
					});
					response.writeHead(status).end('done');
				});
				gone();
			});
		});
		const { port } = server.address() as AddressInfo;
		const client = connect(port, '127.0.0.1').on('error', () => undefined);
		client.write('POST / HTTP/1.1\r\nhost: n8n\r\ncontent-length: 0\r\n\r\n');
		await isGone;
		client.destroy();
		await handled;

		expect(outcomes).toEqual([taken]);
	},
);

it('learns once what n8n answered', async () => {
	let outcomes = 0;
	server.once('request', (_, response: ServerResponse) => {
		onAnswered({ getResponseObject: () => response } as never, () => void (outcomes += 1));
		response.end('done');
	});
	const { port } = server.address() as AddressInfo;
	await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
	expect(outcomes).toBe(1);
});
