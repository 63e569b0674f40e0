import { expect, it } from 'vitest';
import {
	createWebhook,
	replaceWebhook,
	createService,
	createNodeClock,
	createTransports,
} from '../../../seams.ts';

/** A failure as it arrives: n8n's error around axios's error around the one of Node. */
const failure = (cause: object) => ({ name: 'NodeApiError', cause: { name: 'AxiosError', cause } });

const sendInto = async (error: object) => {
	const context = {
		getCredentials: async () => ({ baseUrl: 'https://kudosity.example', apiKey: 'made-up' }),
		helpers: { httpRequestWithAuthentication: async () => Promise.reject(error) },
	};
	const transport = createTransports(context as never, createNodeClock(undefined))(1000);
	return await transport({ connection: 'key', method: 'POST', path: '/v2/sms', repeatable: false });
};

it.each([
	['a refused connection', { code: 'ECONNREFUSED', syscall: 'connect' }, false],
	['refused connections to all addresses', { code: 'ECONNREFUSED' }, false],
	['a network that is not there', { code: 'ENETUNREACH', syscall: 'connect' }, false],
	['an unknown host name', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }, false],
	['an address that n8n blocks', { name: 'SsrfBlockedIpError' }, false],
	['a host name that n8n blocks', { name: 'SsrfBlockedHostnameError' }, false],
	['a network that goes away later', { code: 'ENETUNREACH', syscall: 'write' }, true],
	['a host that goes away later', { code: 'EHOSTUNREACH', syscall: 'read' }, true],
	['a reset', { code: 'ECONNRESET', syscall: 'read' }, true],
	['a time-out', { code: 'ECONNABORTED' }, true],
	['a stopped execution', { name: 'CanceledError', code: 'ERR_CANCELED' }, true],
	['a failure without a code', {}, true],
])('knows whether the request may have left: %s', async (_, cause, wasSent) => {
	expect(await sendInto(failure(cause))).toMatchObject({ kind: 'noAnswer', wasSent });
});

it('has an address of this machine delivered to only when it was there before', async () => {
	const sent: unknown[] = [];
	const webhook = { name: 'Events', url: 'http://localhost:5678/x' };
	const context = {
		getCredentials: async () => ({ baseUrl: 'https://kudosity.example', apiKey: 'made-up' }),
		helpers: {
			httpRequestWithAuthentication: async (_name: string, { body }: { body: unknown }) => {
				sent.push(body);
				return { body: JSON.stringify({ id: 'w', ...webhook }), headers: {}, statusCode: 200 };
			},
		},
	};
	const transport = createTransports(context as never, createNodeClock(undefined))(1000);
	const { call } = createService(transport);
	const create = call(createWebhook, webhook, { deliversTo: webhook.url });
	const replaced = { id: 'w', ...webhook };

	await expect(create).rejects.toThrow('Kudosity cannot reach the URL');
	await expect(call(replaceWebhook, replaced, { deliversTo: webhook.url })).rejects.toThrow(
		'cannot reach the URL',
	);
	expect(sent).toEqual([]);
	expect(await call(replaceWebhook, replaced)).toEqual(replaced);
});
