import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What stands in front of n8n's entry processes: hands each request to the next of them in turn.
 * Answers 502 when that one cannot be reached, as a proxy does; the sender then tries again later.
 */
export const startLoadBalancer = async () => {
	let ports: number[] = [];
	let turn = 0;
	const passed = new Map<number, number>();

	const server = http.createServer({ keepAliveTimeout: 0 }, (request, response) => {
		const port = ports[turn++ % ports.length] ?? 0;
		passed.set(port, (passed.get(port) ?? 0) + 1);
		const { method, url: path, headers } = request;
		// A connection of its own: whoever closes idle ones may do so just when one is used again.
		const upstream = http.request({
			...{ host: '127.0.0.1', port, method, path, headers },
			agent: false,
		});
		upstream.on('response', (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		upstream.on('error', () => {
			if (!response.headersSent) response.writeHead(502);
			response.end();
		});
		request.pipe(upstream);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		useUpstreams: (upstreams: number[]) => {
			ports = upstreams;
		},
		/** How many requests each upstream port was given. */
		passed: () => new Map(passed),
		stop: async () => {
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
};
