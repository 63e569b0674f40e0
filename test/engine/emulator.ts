import { afterAll, beforeAll, beforeEach } from 'vitest';
import { PLAYGROUND_API_KEY, PLAYGROUND_API_SECRET } from '../../playground/emulator/account.ts';
import { createControl } from '../../playground/emulator/control.ts';
import { startEmulator, type Emulator } from '../../playground/emulator/server.ts';
import type { Settings } from '../../playground/emulator/settings.ts';
import { runKudosity, type CredentialData, type RunOptions } from './harness.ts';

/** No rate limit and no events by themselves: tests switch on what they look at. */
const quiet: Partial<Settings> = { requestsPerSecond: 0, autoStatus: false };

type Run = Partial<Omit<RunOptions, 'parameters' | 'items'>> & { items?: object[] };

/** Runs an operation, e.g. `sms/send`, with these fields. */
export const runOperation = async (
	name: string,
	fields: object,
	options: Run & Pick<RunOptions, 'credentials'>,
) => {
	const [resource, operation] = name.split('/');
	const parameters = { resource, operation, ...fields };
	return await runKudosity({ ...options, parameters } as RunOptions);
};

/** One emulator for a test file, as new before each test. Read its members inside tests only. */
export const useEmulator = (settings: Partial<Settings> = {}) => {
	let emulator: Emulator;
	const shared = {
		url: '',
		control: createControl(''),
		credentials: {} as CredentialData,
		/** Runs an operation, e.g. `sms/send`, with these fields, and both credentials unless told otherwise. */
		run: async (name: string, fields: object = {}, options: Run = {}) =>
			await runOperation(name, fields, { credentials: shared.credentials, ...options }),
	};
	beforeAll(async () => {
		emulator = await startEmulator();
		shared.url = emulator.url;
		shared.control = createControl(emulator.url);
		shared.credentials = credentialsFor(emulator.url);
	});
	beforeEach(async () => void (await shared.control.reset({ ...quiet, ...settings })));
	afterAll(async () => await emulator.close());
	return shared;
};

/** Both credentials of the emulator's account, as a user would fill them in. */
export const credentialsFor = (baseUrl: string, apiKey = PLAYGROUND_API_KEY): CredentialData => ({
	kudosityBasicApi: { apiKey, apiSecret: PLAYGROUND_API_SECRET, baseUrl },
	kudosityKeyApi: { apiKey, baseUrl },
});
