import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../model.ts';
import type { State } from '../state.ts';
import type { FaultKind } from './faults.ts';
import { requireAccount } from './pipeline.ts';

export type Query = Record<string, string | undefined>;

/** A request, as passed to handlers. */
export interface Call<Fields> {
	state: State;
	account: Account;
	/** The `{names}` in the path. */
	params: Record<string, string>;
	query: Query;
	/** v1: query and form merged, as text. v2: the JSON object in the body. */
	fields: Fields;
	fault: FaultKind | undefined;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** An operation as the vendor documents it. The path has OpenAPI form. */
export interface Route<Fields> {
	method: Method;
	path: string;
	/** Default: 200. */
	status?: number;
	run(call: Call<Fields>): object | undefined | Promise<object>;
}

/** How one API's operations are routed, read and answered. */
export interface Dialect<Fields> {
	methods(route: Route<Fields>): Method[];
	fields(request: FastifyRequest): Fields;
	answer(result: object | undefined): unknown;
}

const lastText = (value: unknown) => String(Array.isArray(value) ? value.at(-1) : value);

/** Of a repeated parameter, the last value wins. */
export const toTexts = (values: unknown): Record<string, string> =>
	Object.fromEntries(
		Object.entries((values ?? {}) as object).map(([name, value]) => [name, lastText(value)]),
	);

export function addRoutes<Fields>(
	app: FastifyInstance,
	state: State,
	{ routes, dialect }: { routes: Array<Route<Fields>>; dialect: Dialect<Fields> },
): void {
	for (const route of routes) {
		const handler = async (request: FastifyRequest, reply: FastifyReply) => {
			const result = await route.run({
				state,
				account: requireAccount(request),
				params: request.params as Record<string, string>,
				query: toTexts(request.query),
				fields: dialect.fields(request),
				fault: request.fault?.fault,
			});
			reply.code(route.status ?? 200);
			return dialect.answer(result);
		};
		const url = route.path.replace(/\{(\w+)\}/g, ':$1');
		app.route({ method: dialect.methods(route), url, handler });
	}
}
