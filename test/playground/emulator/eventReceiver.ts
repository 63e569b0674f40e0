import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';

export interface ReceivedEvent {
	method: string;
	url: string;
	headers: IncomingHttpHeaders;
	payload: string;
}

/** Somebody's webhook endpoint: keeps what arrives and answers with the queued statuses, then 200. */
export function useEventReceiver() {
	const received: ReceivedEvent[] = [];
	const statuses: number[] = [];
	const server = createServer((request, response) => {
		let payload = '';
		request.on('data', (chunk: Buffer) => (payload += chunk.toString()));
		request.on('end', () => {
			const { method = '', url = '', headers } = request;
			received.push({ method, url, headers, payload });
			response.statusCode = statuses.shift() ?? 200;
			response.end('seen');
		});
	});
	beforeAll(async () => {
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
	});
	beforeEach(() => {
		received.length = 0;
		statuses.length = 0;
	});
	afterAll(() => {
		server.close();
		server.closeAllConnections();
	});
	return {
		url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?token=t`,
		received,
		answerNext: (...next: number[]) => statuses.push(...next),
	};
}
