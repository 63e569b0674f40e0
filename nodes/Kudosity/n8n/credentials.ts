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

/** Identifies an account by a hash, so its key isn't stored. */
export function accountOf(apiKey: unknown): string {
	return createHash('sha256').update(String(apiKey)).digest('base64');
}

/**
 * The name of each API's credential type. The same names are in the files in `credentials/` and in the node
 * descriptions.
 */
export const credentialNames = {
	basic: 'kudosityBasicApi',
	key: 'kudosityKeyApi',
} as const satisfies Record<Connection, string>;

type CredentialContext = Pick<IAllExecuteFunctions, 'getCredentials'>;

type Credential = Promise<ICredentialDataDecryptedObject>;

/** Caches the credentials of a run. Keyed by the run's context, so they are dropped together with it. */
const read = new WeakMap<CredentialContext, Map<Connection, Credential>>();

/**
 * Reads a credential only once per run, because n8n decrypts it on every call.
 *
 * @throws n8n's error if there is no credential
 */
export async function credentialOf(context: CredentialContext, connection: Connection): Credential {
	const known = read.get(context) ?? new Map<Connection, Credential>();
	read.set(context, known);
	const credential = known.get(connection) ?? context.getCredentials(credentialNames[connection]);
	known.set(connection, credential);
	return await credential;
}

/**
 * Refuses a credential that differs between items, because all items of a run share one. To find out, the credential is
 * also read for an item that doesn't exist: an expression that reads the item then fails or returns another value. A
 * missing credential isn't refused here, because the first request reports it.
 *
 * @throws InputError - the run has several items, and an expression in the credential depends on the item
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
 * Returns the API key for v2, which also signs webhooks and questions.
 *
 * @throws InputError - the key is empty, or was not copied correctly
 */
export async function apiKeyOf(context: CredentialContext): Promise<string> {
	const { apiKey } = await credentialOf(context, 'key');
	return requireSecret(apiKey, 'API Key');
}

/** Returns the credential's default country, which applies to phone numbers without a country code. */
export async function defaultCountryOf(
	context: CredentialContext,
	connection: Connection,
): Promise<string | undefined> {
	const { defaultCountry } = await credentialOf(context, connection);
	return typeof defaultCountry === 'string' ? defaultCountry : undefined;
}

/** The remedy if Kudosity can't reach this n8n. n8n versions before 2.30 only read WEBHOOK_URL. */
export const howToBeReached =
	"Set the environment variable N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.30) to n8n's public https address, e.g. https://n8n.example.com/, and restart n8n";

/** Whether the service to which the credential belongs can call `url`. @throws n8n's error if there is no credential */
export async function isReachable(
	context: CredentialContext,
	{ connection, url }: { connection: Connection; url: string },
): Promise<boolean> {
	const { baseUrl } = await credentialOf(context, connection);
	return canReach(String(baseUrl), url);
}

/** Returns the URL at which this n8n receives events: the part that all its webhooks share. */
export async function receiverOf(context: IExecuteFunctions) {
	const resumeUrl = String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
	const url = resumeUrl.replace(/[^/]*\/[^/]*$/, '');
	return { url, isReachable: await isReachable(context, { connection: 'key', url }) };
}
