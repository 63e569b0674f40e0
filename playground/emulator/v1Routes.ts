import type { FastifyInstance, FastifyRequest } from 'fastify';
import { v1Body } from './refusal.ts';
import { accountOf } from './pipeline.ts';
import { balanceOf } from './balance.ts';
import type { State } from './state.ts';
import { getLists, getNumbers, type V1Parameters } from './v1Numbers.ts';
import { sendSms } from './v1SendSms.ts';

/** Form and query count alike; of a repeated parameter the last one does. */
function parametersOf({ query, body }: FastifyRequest): V1Parameters {
	const form = typeof body === 'object' ? body : {};
	const pairs = Object.entries({ ...(query as object), ...form });
	return Object.fromEntries(
		pairs.map(([name, value]) => [name, String(Array.isArray(value) ? value.at(-1) : value)]),
	);
}

type Operation = (state: State, request: FastifyRequest) => object;

const operations: Record<string, Operation> = {
	'get-balance': (state, request) => ({
		balance: balanceOf(state, accountOf(request)),
		currency: 'AUD',
	}),
	'get-numbers': (state, request) =>
		getNumbers(state, { parameters: parametersOf(request), fault: request.fault?.fault }),
	'get-lists': (state, request) =>
		getLists(state, { parameters: parametersOf(request), fault: request.fault?.fault }),
	'send-sms': (state, request) => sendSms(state, accountOf(request), parametersOf(request)),
};

/** Every v1 operation takes GET and POST, and answers with `error.code` SUCCESS when it succeeds. */
export function addV1Routes(app: FastifyInstance, state: State): void {
	for (const [name, run] of Object.entries(operations)) {
		app.route({
			method: ['GET', 'POST'],
			url: `/${name}.json`,
			handler: async (request) => ({ ...run(state, request), ...v1Body('SUCCESS', 'OK') }),
		});
	}
}
