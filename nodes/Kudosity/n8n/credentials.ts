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
import { mapConcurrently, maxInFlight } from '../lib/async';
import { hourMs } from '../lib/time';

/** Identifies an account without keeping its key. */
export const accountOf = (apiKey: unknown): string =>
	createHash('sha256').update(String(apiKey)).digest('base64');

const limiters = new Map<string, RateLimiter>();

/** One limiter for each account in this process: both APIs of an account share its limit and its key. */
export const limiterFor = (apiKey: unknown, nowMs: number): RateLimiter => {
	const account = accountOf(apiKey);
	const known = limiters.get(account);
	if (known) return known;
	for (const [other, { isIdleSince }] of limiters) {
		// After an hour without a request, it is the same as a new one.
		if (isIdleSince(nowMs - hourMs)) limiters.delete(other);
	}
	const limiter = createRateLimiter();
	limiters.set(account, limiter);
	return limiter;
};

/** The credential type of each API. The only place that knows their names. */
export const credentialNames = {
	basic: 'kudosityBasicApi',
	key: 'kudosityKeyApi',
} as const satisfies Record<Connection, string>;

type CredentialContext = Pick<IAllExecuteFunctions, 'getCredentials'>;

type Credential = Promise<ICredentialDataDecryptedObject>;

const read = new WeakMap<CredentialContext, Map<Connection, Credential>>();

/** Read once for each run: n8n decrypts it at every call. @throws n8n's error if there is none */
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

const notTheSame = () =>
	new InputError(
		'The credential contains an expression that differs between items',
		'All items of a run use the same credential. Put Loop Over Items with Batch Size 1 before this node',
	);

/**
 * Reads a credential for an item, and whether it has an expression. n8n uses the index of the item for expressions
 * only, so that the index which it gets here notices one.
 */
const readNoticing = async (context: IExecuteFunctions, name: string, item: number) => {
	let hasExpression = false;
	const use = () => {
		hasExpression = true;
		return item;
	};
	const index = { [Symbol.toPrimitive]: use } as unknown as number;
	const value = await context.getCredentials(name, index);
	return { value, hasExpression };
};

/**
 * All items of a run share its credential. One without an expression is not read for each item, as that takes n8n a
 * millisecond. The first request reports a missing one.
 *
 * @throws InputError an expression in the credential returns something else for one of the items; n8n's error
 */
export const requireSharedCredential = async (
	context: IExecuteFunctions,
	connection: Connection | undefined,
): Promise<void> => {
	const [, ...others] = context.getInputData().keys();
	if (others.length === 0 || !connection) return;
	const name = credentialNames[connection];
	const first = await credentialOf(context, connection).catch(() => undefined);
	if (!first) return;
	const shared = JSON.stringify(first);
	const requireShared = (value: unknown): void => {
		if (JSON.stringify(value) !== shared) throw notTheSame();
	};
	const last = await readNoticing(context, name, others.length);
	requireShared(last.value);
	if (!last.hasExpression) return;
	const compare = async (item: number) => requireShared(await context.getCredentials(name, item));
	const stop = context.getExecutionCancelSignal();
	const isOver = (hasFailed: boolean) => hasFailed || stop?.aborted === true;
	const results = await mapConcurrently(others.slice(0, -1), compare, { maxInFlight, isOver });
	// Items after a failure have no result.
	for (const result of results) if (result?.status === 'rejected') throw result.reason;
};

/** The key of API v2, which signs webhooks and questions. @throws InputError it is empty, or was not copied well */
export const apiKeyOf = async (context: CredentialContext): Promise<string> => {
	const { apiKey } = await credentialOf(context, 'key');
	return requireSecret(apiKey, 'API Key');
};

/** For numbers without a country code. */
export const defaultCountryOf = async (
	context: CredentialContext,
	connection: Connection,
): Promise<string | undefined> => {
	const { defaultCountry } = await credentialOf(context, connection);
	return typeof defaultCountry === 'string' ? defaultCountry : undefined;
};

/** n8n before 2.30 reads only the second name. */
export const howToBeReached =
	"Set the environment variable N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.30) to n8n's public https address, e.g. https://n8n.example.com/, and restart n8n";

/** Whether the credential's service can deliver to `url`. @throws n8n's error if there is no credential */
export const isReachable = async (
	context: CredentialContext,
	{ connection, url }: { connection: Connection; url: string },
): Promise<boolean> => {
	const { baseUrl } = await credentialOf(context, connection);
	return canReach(String(baseUrl), url);
};

/** Where this n8n takes deliveries: what the addresses of all of its webhooks begin with. */
export const receiverOf = async (context: IExecuteFunctions) => {
	const resumeUrl = String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
	const url = resumeUrl.replace(/[^/]*\/[^/]*$/, '');
	return { url, isReachable: await isReachable(context, { connection: 'key', url }) };
};
