import { createHash } from 'crypto';
import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
} from 'n8n-workflow';
import { canReach, requireSecret } from '../api/credential';
import { InputError } from '../api/errors';
import { createRateLimiter, type RateLimiter } from '../api/rateLimiter';
import type { Connection } from '../api/transport';

/** An account among those that this process remembers, which holds no keys. */
export const accountOf = (apiKey: unknown): string =>
	createHash('sha256').update(String(apiKey)).digest('base64');

/** So long after its last request, a limiter has no more to say than a new one. */
const longestIdleMs = 3_600_000;

const limiters = new Map<string, RateLimiter>();

/** One limiter for each account in this process: both APIs of an account share its limit and its key. */
export const limiterFor = (apiKey: unknown, nowMs: number): RateLimiter => {
	const account = accountOf(apiKey);
	const known = limiters.get(account);
	if (known) return known;
	for (const [other, { isIdleSince }] of limiters) {
		if (isIdleSince(nowMs - longestIdleMs)) limiters.delete(other);
	}
	const limiter = createRateLimiter();
	limiters.set(account, limiter);
	return limiter;
};

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
	connection: Connection | undefined,
): Promise<unknown> => {
	const last = context.getInputData().length - 1;
	if (last < 1 || !connection) return undefined;
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

/** n8n before 2.30 reads the second name only. */
export const howToBeReached =
	'Set the environment variable N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL) to the https address by which the internet reaches n8n, e.g. https://n8n.example.com/, and restart n8n';

/** @throws what `refusal` says when the service of a credential cannot deliver to `url` */
export const requireReachable = async (
	context: CredentialContext,
	{ connection, url }: { connection: Connection; url: string },
	refusal: () => InputError,
): Promise<void> => {
	const { baseUrl } = await credentialOf(context, connection);
	if (!canReach(String(baseUrl), url)) throw refusal();
};
