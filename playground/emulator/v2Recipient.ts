import type { Account } from './account.ts';
import { normaliseNumber } from './phoneNumber.ts';
import { hasOptedOut, type State } from './state.ts';
import type { Fields, Validation } from './v2Body.ts';

const MAX_REFERENCE_LENGTH = 500;

/** The one recipient of a v2 message, as international digits; whoever opted out is refused. */
export function readRecipient(state: State, account: Account, validation: Validation): string {
	const recipient = validation.requiredText('recipient');
	const digits = normaliseNumber(recipient);
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
