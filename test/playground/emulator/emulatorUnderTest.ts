import { afterAll, beforeAll, beforeEach } from 'vitest';
import { PLAYGROUND_API_KEY, PLAYGROUND_API_SECRET } from '../../../playground/emulator/model.ts';
import { createControl, type Settings } from '../../../playground/emulator/control/client.ts';
import { startEmulator, type Emulator } from '../../../playground/emulator/server.ts';

interface Call {
	/** GET, or POST with a body, unless told. */
	method?: string;
	json?: unknown;
	form?: Record<string, string>;
	headers?: Record<string, string>;
	signal?: AbortSignal;
}

export const basic = (apiKey: string, apiSecret: string) =>
	`Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString('base64')}`;

const credentials = {
	authorization: basic(PLAYGROUND_API_KEY, PLAYGROUND_API_SECRET),
	'x-api-key': PLAYGROUND_API_KEY,
};

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** `body` is undefined when the answer is not JSON. */
async function request<Body>(url: string, { json, form, headers, ...call }: Call) {
	const body = json === undefined ? form && new URLSearchParams(form) : JSON.stringify(json);
	const response = await fetch(url, {
		method: body === undefined ? 'GET' : 'POST',
		redirect: 'manual',
		headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
		body: body ?? null,
		...call,
	});
	const text = await response.text();
	const { status, headers: answered } = response;
	return { status, headers: answered, text, body: parseJson(text) as Body };
}

/** One emulator for a test file, as new before each test, without a rate limit and events by themselves. */
export function useEmulator(settings: Partial<Settings> = {}) {
	let emulator: Emulator;
	let control = createControl('');
	beforeAll(async () => {
		emulator = await startEmulator();
		control = createControl(emulator.url);
	});
	beforeEach(async () => {
		await control.reset({ requestsPerSecond: 0, autoStatus: false, ...settings });
	});
	afterAll(async () => await emulator.close());
	return {
		control: () => control,
		/** With the credentials of both hosts. */
		call: <Body>(path: string, call: Call = {}) =>
			request<Body>(emulator.url + path, {
				...call,
				headers: { ...credentials, ...call.headers },
			}),
		/** Without any credentials but those in `call`. */
		callBare: <Body>(path: string, call: Call = {}) => request<Body>(emulator.url + path, call),
	};
}

type EmulatorUnderTest = ReturnType<typeof useEmulator>;

/** Sends one v2 SMS that is valid unless changed. */
export const sendV2 = (emulator: EmulatorUnderTest, fields: Record<string, unknown> = {}) =>
	emulator.call<{ id: string }>('/v2/sms', {
		json: { message: 'Hello', sender: '61491570006', recipient: '61491578888', ...fields },
	});

/** Sends one v1 SMS that is valid unless changed. */
export const sendV1 = <Body>(emulator: EmulatorUnderTest, fields: Record<string, string> = {}) =>
	emulator.call<Body>('/send-sms.json', {
		form: { message: 'Hello', to: '61491578888', from: '61491570006', ...fields },
	});

/** Calls a v1 operation with a form. */
export const callV1 = <Body>(
	emulator: EmulatorUnderTest,
	operation: string,
	fields: Record<string, string | number> = {},
) => {
	const texts = Object.entries(fields).map(([name, value]) => [name, `${value}`]);
	const form = Object.fromEntries(texts) as Record<string, string>;
	return emulator.call<Body & { error: { code: string } }>(`/${operation}.json`, { form });
};
