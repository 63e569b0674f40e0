import { z } from 'zod/v4';

/** n8n's REST interface refused a call. */
export class RestError extends Error {
	override name = 'RestError';
	constructor(
		readonly call: string,
		readonly status: number,
		/** n8n's message. */
		readonly reason: string,
	) {
		super(`${call} answered ${status}: ${reason}`);
	}
}

const refusal = z.object({ message: z.string() });
const envelope = z.object({ data: z.unknown() });

const parseJson = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
};

const refusalReason = (text: string): string =>
	refusal.safeParse(parseJson(text)).data?.message ?? text.replace(/<[^>]*>|\s+/g, ' ').trim();

/** Cookies by name. A session that receives another session's cookies is logged in too. */
export type Cookies = Map<string, string>;

export type Session = {
	/** Calls `/rest<path>` and returns the parsed `data` of the answer. */
	call<Schema extends z.ZodType>(
		method: string,
		path: string,
		schema: Schema,
		body?: object,
	): Promise<z.infer<Schema>>;
	/** Reads a path outside `/rest`, e.g. the list of node types. */
	read(path: string): Promise<unknown>;
};

/** Calls n8n like a browser, keeping cookies between calls. */
export const createSession = (url: string, cookies: Cookies): Session => {
	const send = async (method: string, path: string, body?: object): Promise<string> => {
		const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
		const response = await fetch(`${url}${path}`, {
			method,
			headers: {
				'content-type': 'application/json',
				// n8n closes connections that were idle for five seconds. A request that arrives on one at that moment
				// fails, so each request gets a connection of its own.
				connection: 'close',
				...(cookie && { cookie }),
			},
			body: body && JSON.stringify(body),
		});
		for (const line of response.headers.getSetCookie()) {
			const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
			if (name !== undefined && value !== undefined) cookies.set(name, value);
		}
		const text = await response.text();
		if (response.ok) return text;
		throw new RestError(`${method} ${path}`, response.status, refusalReason(text));
	};

	return {
		call: async (method, path, schema, body) => {
			const { data } = envelope.parse(JSON.parse(await send(method, `/rest${path}`, body)));
			return schema.parse(data);
		},
		read: async (path) => JSON.parse(await send('GET', path)),
	};
};
