import { InputError } from '../api/errors';
import type { NoAnswer } from '../api/transport';

/** Failures of the connection itself: the request never reached the service. */
const neverSentCodes = [
	'EAI_AGAIN',
	'ECONNREFUSED',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ENOTFOUND',
	'CERT_HAS_EXPIRED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

const property = (value: unknown, name: string): unknown =>
	typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** An error and what it wraps, at most this deep: n8n's, axios's, Node's, with one to spare. */
const causesOf = (error: unknown, depth = 4): unknown[] =>
	error === undefined || depth === 0
		? []
		: [error, ...causesOf(property(error, 'cause') ?? property(error, 'errorResponse'), depth - 1)];

const firstText = (errors: unknown[], name: string): string | undefined =>
	errors.map((error) => property(error, name)).find((value) => typeof value === 'string');

/** n8n's protection against requests into its own network stops them before they leave. */
const isBlockedByN8n = (error: unknown): boolean =>
	String(property(error, 'name')).startsWith('SsrfBlocked');

/** What is known of a failed request. Its message is not passed on, as it can hold the key. */
const describeFailure = (error: unknown): { code: string; wasSent: boolean } => {
	const causes = causesOf(error);
	if (causes.some(isBlockedByN8n)) return { code: 'BLOCKED_BY_N8N', wasSent: false };
	const code = firstText(causes, 'code') ?? 'NO_ANSWER';
	// The network can also go away under a connection that has carried the request.
	const wasConnected = ['read', 'write'].includes(firstText(causes, 'syscall') ?? '');
	return { code, wasSent: wasConnected || !neverSentCodes.includes(code) };
};

/**
 * What n8n's helper threw, as an answer that did not come.
 *
 * @throws InputError that the credential raised before anything was sent
 */
export const noAnswer = (error: unknown): NoAnswer => {
	const wrongInput = causesOf(error).find((cause) => cause instanceof InputError);
	if (wrongInput) throw wrongInput;
	return { kind: 'noAnswer', ...describeFailure(error) };
};
