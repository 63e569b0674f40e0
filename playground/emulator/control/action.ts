import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod/v4';
import { Refusal } from '../http/refusal.ts';
import type { State } from '../state.ts';

/** One endpoint of the control interface, with its client method. */
export interface Action<Args extends unknown[], Output> {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	/** Relative to `/control`. */
	path: string;
	/** Turns the client method's arguments into the input. `:names` go into the path. */
	takes(...args: Args): object;
	run(state: State, input: unknown): Output;
}

interface ActionOptions<Args extends unknown[], Schema extends z.ZodType, Output> {
	takes(...args: Args): object;
	input: Schema;
	run(state: State, input: z.output<Schema>): Output;
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	throw new Refusal(400, { error: z.prettifyError(parsed.error) });
}

/** `route` is method and path, e.g. `POST /reset`. */
export function action<Args extends unknown[], Schema extends z.ZodType, Output>(
	route: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`,
	{ takes, input, run }: ActionOptions<Args, Schema, Output>,
): Action<Args, Output> {
	const [method, path] = route.split(' ') as ['GET', string];
	return { method, path, takes, run: (state, value) => run(state, parse(input, value)) };
}

const readInput = ({ params, query, body }: FastifyRequest): unknown =>
	Array.isArray(body) ? body : { ...(query as object), ...(body as object), ...(params as object) };

/** Actions need no credentials and are not logged. */
export function addActions(
	app: FastifyInstance,
	state: State,
	actions: Record<string, Action<unknown[], unknown>>,
): void {
	const byRoute = new Map(
		Object.values(actions).map((one) => [`${one.method} ${one.path}`, one] as const),
	);
	for (const { method, path, run } of byRoute.values()) {
		const url = path === '/' ? '/control' : `/control${path}`;
		app.route({ method, url, handler: async (request) => await run(state, readInput(request)) });
	}
}
