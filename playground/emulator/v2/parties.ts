import { hasOptedOut } from '../messages/optOuts.ts';
import { isAlphanumericSender, normaliseNumber } from '../messages/phoneNumber.ts';
import { ownsNumber } from '../v1/numbers/owned.ts';
import type { Fields, Validation } from './body.ts';
import type { V2Call } from './dialect.ts';

const MAX_REFERENCE_LENGTH = 500;

export const insufficientFunds = [{ name: 'account', message: 'Insufficient funds' }];

/** A number of the account, or a name. */
export function readSender({ state }: V2Call, validation: Validation): string {
	const sender = validation.requiredText('sender');
	const digits = normaliseNumber(sender);
	if (digits && ownsNumber(state, digits)) return digits;
	if (!digits && isAlphanumericSender(sender)) return sender;
	if (sender) validation.issues.push({ name: 'sender', message: 'Sender not found' });
	return '';
}

/** The one recipient of a v2 message, as international digits; whoever opted out is refused. */
export function readRecipient({ state, account }: V2Call, validation: Validation): string {
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
