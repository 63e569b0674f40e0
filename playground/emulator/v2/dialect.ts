import { type Issue, plainRefusal, problemRefusal } from '../http/refusal.ts';
import type { Call, Dialect, Route } from '../http/routes.ts';
import { hasOptedOut } from '../messages/messages.ts';
import { isAlphanumericSender, normalizeNumber } from '../messages/phoneNumber.ts';
import { ownsNumber } from '../v1/numbers.ts';

export type V2Call = Call<Fields>;
export type V2Route = Route<Fields>;

export const v2Dialect: Dialect<Fields> = {
	methods: ({ method }) => [method],
	fields: ({ body }) => toFields(body),
	answer: (result) => result,
};

export type Fields = Record<string, unknown>;

/** The JSON object of a v2 request. Anything else counts as an empty object. */
export const toFields = (body: unknown): Fields =>
	typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Fields) : {};

/** Collects all problems of a body, to report them together. */
export interface Validation {
	issues: Issue[];
	requiredText(name: string): string;
	refuseIfAny(): void;
}

export function validate(fields: Fields): Validation {
	const issues: Issue[] = [];
	return {
		issues,
		requiredText(name) {
			const value = fields[name];
			if (typeof value === 'string' && value !== '') return value;
			const isAbsent = value === undefined || value === null || value === '';
			issues.push({ name, message: `${name} ${isAbsent ? 'is required' : 'must be a string'}` });
			return '';
		},
		refuseIfAny() {
			if (issues.length > 0) throw problemRefusal(400, issues);
		},
	};
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export function requireUuid(id: string, error: string): void {
	if (!uuid.test(id)) throw plainRefusal(400, error);
}

const MAX_REFERENCE_LENGTH = 500;

export const insufficientFunds = [{ name: 'account', message: 'Insufficient funds' }];

/** A number of the account, or a sender name. */
export function readSender({ state }: V2Call, validation: Validation): string {
	const sender = validation.requiredText('sender');
	const digits = normalizeNumber(sender);
	if (digits && ownsNumber(state, digits)) return digits;
	if (!digits && isAlphanumericSender(sender)) return sender;
	if (sender) validation.issues.push({ name: 'sender', message: 'Sender not found' });
	return '';
}

/** The single recipient of a v2 message, as international digits. Refuses contacts that opted out. */
export function readRecipient({ state, account }: V2Call, validation: Validation): string {
	const recipient = validation.requiredText('recipient');
	const digits = normalizeNumber(recipient);
	if (recipient && !digits) {
		validation.issues.push({ name: 'recipient', message: 'recipient is invalid' });
	} else if (digits && hasOptedOut(state, account.id, digits)) {
		validation.issues.push({ name: 'recipient', message: 'recipient has opted out' });
	}
	return digits ?? '';
}

export function readMessageRef(fields: Fields, validation: Validation): string | undefined {
	const reference = fields.message_ref;
	if (reference === undefined || reference === null) return undefined;
	if (typeof reference === 'string' && reference.length <= MAX_REFERENCE_LENGTH) return reference;
	const message = `message_ref must be a string of at most ${MAX_REFERENCE_LENGTH} characters`;
	validation.issues.push({ name: 'message_ref', message });
	return undefined;
}
