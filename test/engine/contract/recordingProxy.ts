import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as it came over the wire, and what was answered. */
export type Exchange = {
	/** Which API was meant, by the credential. */
	api: 'v1' | 'v2';
	method: string;
	path: string;
	query: Record<string, string | string[]>;
	/** Parsed by its type: a form has texts only. */
	body: unknown;
	status: number;
	answer: unknown;
};

const valuesOf = (params: URLSearchParams): Record<string, string | string[]> =>
	Object.fromEntries(
		[...new Set(params.keys())].map((name) => {
			const values = params.getAll(name);
			return [name, values.length > 1 ? values : values[0]!];
		}),
	);

const bodyOf = (content: string, type = ''): unknown => {
	if (content === '') return undefined;
	return type.includes('json') ? JSON.parse(content) : valuesOf(new URLSearchParams(content));
};

const asJson = (content: string): unknown =>
	content === '' ? undefined : (JSON.parse(content) as unknown);

const forwardedHeaders = ({ headers }: IncomingMessage): Record<string, string> =>
	Object.fromEntries(
		(['authorization', 'x-api-key', 'content-type', 'accept'] as const).flatMap((name) =>
			name in headers ? [[name, String(headers[name])]] : [],
		),
	);

const pass = async (
	target: string,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<Exchange> => {
	const { method = '', url = '', headers } = request;
	const content = await text(request);
	const answered = await fetch(`${target}${url}`, {
		method,
		headers: forwardedHeaders(request),
		...(content === '' ? {} : { body: content }),
	});
	const answer = await answered.text();
	const { pathname, searchParams } = new URL(url, target);
	const type = answered.headers.get('content-type');
	response.writeHead(answered.status, type === null ? {} : { 'content-type': type }).end(answer);
	return {
		api: 'authorization' in headers ? 'v1' : 'v2',
		method,
		path: decodeURIComponent(pathname),
		query: valuesOf(searchParams),
		body: bodyOf(content, headers['content-type']),
		status: answered.status,
		answer: asJson(answer),
	};
};

/** Stands before a service, and writes down what is asked and answered. */
export const startRecordingProxy = async (target: string) => {
	const exchanges: Exchange[] = [];
	const server = createServer((request, response) => {
		pass(target, request, response).then(
			(exchange) => exchanges.push(exchange),
			(error: unknown) => response.destroy(error as Error),
		);
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		/** What was recorded since the last call. */
		take: (): Exchange[] => exchanges.splice(0),
		close: async () => {
			server.closeAllConnections();
			await new Promise((closed) => server.close(closed));
		},
	};
};
