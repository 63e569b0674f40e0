import { afterAll, beforeAll, beforeEach } from 'vitest';
import { PLAYGROUND_API_KEY, PLAYGROUND_API_SECRET } from '../../playground/emulator/model.ts';
import { createControl, type FaultRule } from '../../playground/emulator/control/client.ts';
import { startEmulator, type Emulator } from '../../playground/emulator/server.ts';
import { withLimitsApart } from '../helpers/sendingLimits.ts';
import type { Settings } from '../../playground/emulator/settings.ts';
import {
	createContexts,
	createTool,
	installDeduplicationStore,
	runKudosity,
	shortenTimeouts,
	type CredentialData,
	type RunOptions,
	type ToolOptions,
} from './harness.ts';

/** No rate limit and no automatic events. Tests turn on what they check. */
const quiet: Partial<Settings> = { requestsPerSecond: 0, autoStatus: false };

type Run = Partial<Omit<RunOptions, 'parameters' | 'items' | 'settings'>> & {
	items?: object[];
	settings?: object;
};

/** The node setting Retry On Fail. */
export const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** The node setting On Error: Continue. */
export const continues = { onError: 'continueRegularOutput' } as const;

/** Fields for items with `phone` (one recipient) or `to` (several), and optionally `text`. */
const text = '={{ $json.text ?? "Hello" }}';
export const toPhone = { message: text, sender: 'Acme', recipient: '={{ $json.phone }}' };
export const toSeveral = { message: text, sender: 'Acme', recipients: '={{ $json.to }}' };

/** `count` different phone numbers. */
export const phones = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => String(61_491_000_000 + index));

const parametersOf = (name: string, fields: object) => {
	const [resource, operation] = name.split('/');
	// Most tests look at what Kudosity answered.
	const placed = operation?.startsWith('send')
		? { output: 'raw', ...withLimitsApart(fields) }
		: fields;
	return { resource, operation, ...placed } as RunOptions['parameters'];
};

/** Runs an operation, e.g. `sms/send`, with these fields. */
export const runOperation = async (
	name: string,
	fields: object,
	options: Run & Pick<RunOptions, 'credentials'>,
) => await runKudosity({ ...options, parameters: parametersOf(name, fields) } as RunOptions);

type Search = { resource?: string; operation?: string; credentials?: CredentialData };

/** One emulator per test file, reset before each test. Only read its members inside tests. */
export const useEmulator = (settings: Partial<Settings> = {}) => {
	let emulator: Emulator;
	const shared = {
		url: '',
		control: createControl(''),
		credentials: {} as CredentialData,
		/** Runs an operation, e.g. `sms/send`, with these fields. Default credentials: both. */
		run: async (name: string, fields: object = {}, options: Run = {}) =>
			await runOperation(name, fields, { credentials: shared.credentials, ...options }),
		/** Sends an SMS per item. */
		sms: async (items: object[], options: object = {}, run: Run = {}) =>
			await shared.run('sms/send', { ...toPhone, options }, { items, ...run }),
		/** Sends a bulk SMS with these items. */
		bulk: async (items: object[], options: object = {}, run: Run = {}) =>
			await shared.run('bulkSms/send', { ...toSeveral, options }, { items, ...run }),
		/** The recipient of each message. */
		recipients: async () => (await shared.control.messages()).map(({ recipient }) => recipient),
		/** Registers a webhook directly through the API, as another program would, or changes the one with this ID. */
		writeWebhook: async (body: object, id?: string): Promise<{ id: string }> => {
			const response = await fetch(`${shared.url}/v2/webhook${id ? `/${id}` : ''}`, {
				method: id ? 'PUT' : 'POST',
				headers: { 'content-type': 'application/json', 'x-api-key': PLAYGROUND_API_KEY },
				body: JSON.stringify(body),
			});
			return (await response.json()) as { id: string };
		},
		/** Resets the emulator as before each test. */
		reset: async () => void (await shared.control.reset({ ...quiet, ...settings })),
		/** The operation as a tool of an AI agent. */
		tool: async (
			name: string,
			fields: object,
			options: Pick<ToolOptions, 'settings' | 'isMcp' | 'agentItems' | 'earlier'> = {},
		) =>
			await createTool({
				parameters: parametersOf(name, fields),
				credentials: shared.credentials,
				...options,
			}),
		/** The search results of a drop-down. */
		search: async (list: string, filter?: string, { credentials, ...fields }: Search = {}) => {
			const { nodeType, loadOptions } = await createContexts('kudosity', {
				parameters: fields,
				credentials: credentials ?? shared.credentials,
			});
			const find = nodeType.methods!.listSearch![list]!;
			return (await find.call(loadOptions('/parameters/any') as never, filter)).results;
		},
		/** Makes the next matching request fail; `details` can make it more. */
		fault: async (
			fault: FaultRule['fault'],
			match: FaultRule['match'] = {},
			details: Omit<FaultRule, 'fault' | 'match'> = {},
		) => await shared.control.addFault({ fault, match, ...details }),
		/** Answers the next matching request with this body. */
		answer: async (body: unknown, match: FaultRule['match'] = {}, status = 200) =>
			await shared.control.addFault({ fault: 'custom', status, body, match }),
	};
	beforeAll(async () => {
		emulator = await startEmulator();
		shared.url = emulator.url;
		shared.control = createControl(emulator.url);
		shared.credentials = credentialsFor(emulator.url);
	});
	beforeEach(async () => await shared.reset());
	afterAll(async () => await emulator.close());
	return shared;
};

/** For tests that trigger the nodes' 30 s timeout. */
export const useShortTimeouts = (timeoutMs = 1_000): void => {
	let restore: () => void;
	beforeAll(() => void (restore = shortenTimeouts(timeoutMs)));
	afterAll(() => restore());
};

/** n8n's deduplication store, emptied before each test. */
export const useDeduplicationStore = () => {
	const store = installDeduplicationStore();
	beforeAll(async () => await store.install());
	beforeEach(() => {
		store.entries.clear();
		store.everTaken.clear();
		store.repair();
	});
	return store;
};

/** Both credentials of the emulator's account, as a user would fill them in. */
export const credentialsFor = (baseUrl: string, apiKey = PLAYGROUND_API_KEY): CredentialData => ({
	kudosityBasicApi: { apiKey, apiSecret: PLAYGROUND_API_SECRET, baseUrl },
	kudosityKeyApi: { apiKey, baseUrl },
});
