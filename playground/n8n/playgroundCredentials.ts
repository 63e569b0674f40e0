import { PLAYGROUND_API_KEY, PLAYGROUND_API_SECRET } from '../emulator/account.ts';
import type { Rest } from './rest.ts';

export type CredentialReference = { id: string; name: string };
/** By credential type, as a node stores them. */
export type CredentialReferences = Record<string, CredentialReference>;

/** One credential of each type for the account that the emulator starts with. */
export const emulatorCredentials = (baseUrl: string) => [
	{
		name: 'Playground: API key and secret',
		type: 'kudosityBasicApi',
		data: { apiKey: PLAYGROUND_API_KEY, apiSecret: PLAYGROUND_API_SECRET, baseUrl },
	},
	{
		name: 'Playground: API key',
		type: 'kudosityKeyApi',
		data: { apiKey: PLAYGROUND_API_KEY, baseUrl },
	},
];

/** Somebody who points a playground credential at the real service wants it to stay so. */
const isLoopback = (baseUrl: unknown): boolean =>
	/^http:\/\/(127\.0\.0\.1|localhost)(:|\/|$)/.test(String(baseUrl));

/** Creates what is missing, and follows the emulator to another port. */
export const ensureCredentials = async (
	rest: Rest,
	baseUrl: string,
): Promise<CredentialReferences> => {
	const existing = await rest.listCredentials();
	const references: CredentialReferences = {};
	for (const credential of emulatorCredentials(baseUrl)) {
		const { name, type } = credential;
		const found = existing.find((other) => other.name === name && other.type === type);
		const { id } = found ?? (await rest.createCredential(credential));
		if (found !== undefined) {
			const stored = (await rest.readCredential(id)).data.baseUrl;
			const hasMoved = isLoopback(stored) && stored !== baseUrl;
			if (hasMoved) await rest.updateCredential(id, credential);
		}
		references[type] = { id, name };
	}
	return references;
};
