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

/** The credential type of each API. The only place that knows their names. */
export const credentialNames = {
	basic: 'kudosityBasicApi',
	key: 'kudosityKeyApi',
} as const satisfies Record<Connection, string>;

type CredentialContext = Pick<IAllExecuteFunctions, 'getCredentials'>;

type Credential = Promise<ICredentialDataDecryptedObject>;

/** Forgotten with the run that it belongs to. */
const read = new WeakMap<CredentialContext, Map<Connection, Credential>>();

/** Read once for each run: n8n decrypts it at every call. @throws n8n's error if there is none */
export async function credentialOf(context: CredentialContext, connection: Connection): Credential {
	const known = read.get(context) ?? new Map<Connection, Credential>();
	read.set(context, known);
	const credential = known.get(connection) ?? context.getCredentials(credentialNames[connection]);
	known.set(connection, credential);
	return await credential;
}

/**
 * All items of a run share its credential. An expression that reads an item has no value, or another one, for an item
 * that does not exist. The first request reports a missing credential.
 *
 * @throws InputError an expression in the credential reads an item, and there are several
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
		"The credential's expression reads an item, but all items of a run use the same credential. Nothing was sent",
		'Use one node for each account, or put Loop Over Items with Batch Size 1 before this node',
	);
}

/** The key of API v2, which signs webhooks and questions. @throws InputError it is empty, or was not copied well */
export async function apiKeyOf(context: CredentialContext): Promise<string> {
	const { apiKey } = await credentialOf(context, 'key');
	return requireSecret(apiKey, 'API Key');
}

/** For numbers without a country code. */
export async function defaultCountryOf(
	context: CredentialContext,
	connection: Connection,
): Promise<string | undefined> {
	const { defaultCountry } = await credentialOf(context, connection);
	return typeof defaultCountry === 'string' ? defaultCountry : undefined;
}

/** n8n before 2.30 reads only the second name. */
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

/** Where this n8n takes deliveries: what the addresses of all of its webhooks begin with. */
export async function receiverOf(context: IExecuteFunctions) {
	const resumeUrl = String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
	const url = resumeUrl.replace(/[^/]*\/[^/]*$/, '');
	return { url, isReachable: await isReachable(context, { connection: 'key', url }) };
}
