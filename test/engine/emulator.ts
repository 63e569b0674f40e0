import { afterAll, beforeAll, beforeEach } from 'vitest';
import { PLAYGROUND_API_KEY, PLAYGROUND_API_SECRET } from '../../playground/emulator/account.ts';
import { createControl } from '../../playground/emulator/control.ts';
import { startEmulator, type Emulator } from '../../playground/emulator/server.ts';
import type { Settings } from '../../playground/emulator/settings.ts';
import type { CredentialData } from './harness.ts';

/** No rate limit and no events by themselves: tests switch on what they look at. */
const quiet: Partial<Settings> = { requestsPerSecond: 0, autoStatus: false };

/** One emulator for a test file, as new before each test. Read its members inside tests only. */
export const useEmulator = (settings: Partial<Settings> = {}) => {
	let emulator: Emulator;
	const shared = {
		url: '',
		control: createControl(''),
		credentials: {} as CredentialData,
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
