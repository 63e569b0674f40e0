import { createHash } from 'crypto';
import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
} from 'n8n-workflow';
import { canReach, requireSecret } from '../api/credential';
import { InputError } from '../api/errors';
import type { Connection } from '../api/transport';
import { settle } from '../lib/async';

/** Identifies an account without keeping its key. */
export function accountOf(apiKey: unknown): string {
	return createHash('sha256').update(String(apiKey)).digest('base64');
}

/** The credential type of each API. No other place knows their names. */
export const credentialNames = {
	basic: 'kudosityBasicApi',
	key: 'kudosityKeyApi',
} as const satisfies Record<Connection, string>;

type CredentialContext = Pick<IAllExecuteFunctions, 'getCredentials'>;

type Credential = Promise<ICredentialDataDecryptedObject>;

/** The credentials that were read, as long as the run that they belong to lasts. */
const read = new WeakMap<CredentialContext, Map<Connection, Credential>>();

/** Reads a credential once for each run, because n8n decrypts it at every call. @throws n8n's error if there is none */
export async function credentialOf(context: CredentialContext, connection: Connection): Credential {
	const known = read.get(context) ?? new Map<Connection, Credential>();
	read.set(context, known);
	const credential = known.get(connection) ?? context.getCredentials(credentialNames[connection]);
	known.set(connection, credential);
	return await credential;
}

/**
 * Refuses a credential that differs between items, because all items of a run share it. An expression that reads an
 * item has no value, or another one, for an item that does not exist, and so gives itself away. A missing credential is
 * not refused here: the first request reports it.
 *
 * @throws InputError - an expression in the credential reads an item, and there are several
 */
export async function requireSharedCredential(
	context: IExecuteFunctions,
	connection: Connection | undefined,
): Promise<void> {
	const { length } = context.getInputData();
	if (length < 2 || !connection) return;
	const first = await credentialOf(context, connection).catch(() => undefined);
	if (!first) return;
	const ofNoItem = await settle(context.getCredentials(credentialNames[connection], length));
	const isShared =
		ofNoItem.status === 'fulfilled' && JSON.stringify(ofNoItem.value) === JSON.stringify(first);
	if (isShared) return;
	throw new InputError(
		"The credential's expression depends on the item, but all items in a run use the same credential. Nothing was sent",
		'Use one node for each account, or put Loop Over Items with Batch Size 1 before this node',
	);
}

/**
 * Returns the key of API v2, which signs webhooks and questions.
 *
 * @throws InputError - it is empty, or was not copied well
 */
export async function apiKeyOf(context: CredentialContext): Promise<string> {
	const { apiKey } = await credentialOf(context, 'key');
	return requireSecret(apiKey, 'API Key');
}

/** The country of numbers without a country code. */
export async function defaultCountryOf(
	context: CredentialContext,
	connection: Connection,
): Promise<string | undefined> {
	const { defaultCountry } = await credentialOf(context, connection);
	return typeof defaultCountry === 'string' ? defaultCountry : undefined;
}

/** The remedy for an n8n that Kudosity can't reach. n8n before 2.30 reads only the second variable. */
export const howToBeReached =
	"Set the environment variable N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.30) to n8n's public https address, e.g. https://n8n.example.com/, and restart n8n";

/** Whether the credential's service can deliver to `url`. @throws n8n's error if there is no credential */
export async function isReachable(
	context: CredentialContext,
	{ connection, url }: { connection: Connection; url: string },
): Promise<boolean> {
	const { baseUrl } = await credentialOf(context, connection);
	return canReach(String(baseUrl), url);
}

/** The address at which this n8n takes deliveries: the beginning of the addresses of all its webhooks. */
export async function receiverOf(context: IExecuteFunctions) {
	const resumeUrl = String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
	const url = resumeUrl.replace(/[^/]*\/[^/]*$/, '');
	return { url, isReachable: await isReachable(context, { connection: 'key', url }) };
}
