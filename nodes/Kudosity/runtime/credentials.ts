import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
} from 'n8n-workflow';
import { requireSecret } from '../api/credential';
import { InputError } from '../api/errors';
import type { Connection } from '../api/transport';

/** The credential of each API. The only place that knows their names. */
export const credentialNames = {
	basic: 'kudosityBasicApi',
	key: 'kudosityKeyApi',
} as const satisfies Record<Connection, string>;

/** Only what reads credentials of a node. */
export type CredentialContext = Pick<IAllExecuteFunctions, 'getCredentials'>;

type Credential = Promise<ICredentialDataDecryptedObject>;

const read = new WeakMap<CredentialContext, Map<Connection, Credential>>();

/**
 * The credential of a node, read once for each run: n8n decrypts it with every call.
 *
 * @throws what n8n raises when it cannot be had
 */
export const credentialOf = async (
	context: CredentialContext,
	connection: Connection,
): Credential => {
	const known = read.get(context) ?? new Map<Connection, Credential>();
	read.set(context, known);
	const credential = known.get(connection) ?? context.getCredentials(credentialNames[connection]);
	known.set(connection, credential);
	return await credential;
};

/**
 * Why the items of a run cannot share its credential: an expression in it delivers something else for the last one.
 * What cannot be had for the first is said when a request needs it.
 */
export const notShared = async (
	context: IExecuteFunctions,
	connection: Connection,
): Promise<unknown> => {
	const last = context.getInputData().length - 1;
	if (last < 1) return undefined;
	const [one, other] = await Promise.allSettled([
		credentialOf(context, connection),
		context.getCredentials(credentialNames[connection], last),
	]);
	if (one.status === 'rejected') return undefined;
	if (other.status === 'rejected') return other.reason;
	if (JSON.stringify(one.value) === JSON.stringify(other.value)) return undefined;
	return new InputError(
		'The credential has an expression that is not the same for all items',
		'It is read once for all items. Put Loop Over Items before this node, with a batch size of 1',
	);
};

/**
 * The key of API v2, by which an account signs its webhooks and questions.
 *
 * @throws InputError when it is empty, or holds what was copied along with it
 */
export const apiKeyOf = async (context: CredentialContext): Promise<string> => {
	const { apiKey } = await credentialOf(context, 'key');
	return requireSecret(apiKey, 'API Key');
};

/** What numbers without a country code are read with. */
export const defaultCountryOf = async (
	context: CredentialContext,
	connection: Connection,
): Promise<string | undefined> => {
	const { defaultCountry } = await credentialOf(context, connection);
	return typeof defaultCountry === 'string' ? defaultCountry : undefined;
};
