import { randomInt } from 'node:crypto';
import { problemRefusal } from '../../http/refusal.ts';
import { messageFrom } from '../../messages/message.ts';
import { acceptMessage } from '../../messages/status.ts';
import type { Registration, Verification } from '../../model.ts';
import { wholeSeconds } from '../../timestamps.ts';
import { validate } from '../body.ts';
import { wrapped } from '../chat/record.ts';
import type { V2Call } from '../dialect.ts';
import { readSender } from '../parties.ts';

const ATTEMPTS = 5;

function findRegistration({ state, account, params }: V2Call): Registration {
	const registration = state.registrations.get(params.registration_id!);
	if (registration?.accountId === account.id) return registration;
	throw problemRefusal(404, undefined, { detail: 'sender registration not found' });
}

/** Nobody is charged for the code; it shows on the phone page and in the account book. */
function sendCode({ state, account }: V2Call, sender: string, verification: Verification): void {
	const text = `Your verification code is ${verification.code}`;
	const message = messageFrom(state, {
		api: 'v2',
		channel: 'SMS',
		accountId: account.id,
		sender: verification.originating_sender,
		recipients: [sender],
		text,
	});
	acceptMessage(state, message);
}

export function requestVerification(call: V2Call) {
	const registration = findRegistration(call);
	const validation = validate({ ...call.fields, sender: call.fields.originating_sender });
	if (call.fields.method !== 'SMS') {
		validation.issues.push({ name: 'method', message: 'method must be one of: SMS' });
	}
	const originating_sender = readSender(call, validation);
	for (const issue of validation.issues) {
		if (issue.name !== 'sender') continue;
		issue.name = 'originating_sender';
		issue.message = issue.message.replace(/^sender/, 'originating_sender');
	}
	validation.refuseIfAny();
	if (registration.verification) {
		throw problemRefusal(409, undefined, {
			detail:
				'a verification code has already been sent for this registration; wait 30 minutes and create a new sender registration to request a new code',
		});
	}
	const verification: Verification = {
		method: 'SMS',
		originating_sender,
		code: String(randomInt(0, 1_000_000)).padStart(6, '0'),
		status: 'SENT',
		expires_at: wholeSeconds(new Date(Date.now() + call.state.settings.verificationMs)),
		attempts_remaining: ATTEMPTS,
	};
	registration.verification = verification;
	sendCode(call, registration.sender, verification);
	const { registration_id } = registration;
	return wrapped({ registration_id, ...verification, code: undefined });
}

/** Refuses when no code can be confirmed any more. */
function openVerification({ verification }: Registration): Verification {
	if (!verification)
		throw problemRefusal(409, undefined, { detail: 'no verification code was sent' });
	if (verification.attempts_remaining === 0) {
		throw problemRefusal(429, undefined, { detail: 'no attempts remaining' });
	}
	if (Date.now() > Date.parse(verification.expires_at) + 1000) verification.status = 'EXPIRED';
	if (verification.status === 'SENT') return verification;
	const detail = `the verification code is ${verification.status.toLowerCase()}`;
	throw problemRefusal(409, undefined, { detail });
}

function refuseCode(message: string, attempts_remaining: number): never {
	throw problemRefusal(400, [{ name: 'code', message }], { attempts_remaining });
}

export function confirmVerification(call: V2Call) {
	const registration = findRegistration(call);
	const { code } = call.fields;
	const left = registration.verification?.attempts_remaining ?? ATTEMPTS;
	if (typeof code !== 'string' || !/^\d{6}$/.test(code)) refuseCode('code must be 6 digits', left);
	const verification = openVerification(registration);
	if (code !== verification.code) {
		verification.attempts_remaining -= 1;
		const { attempts_remaining } = verification;
		if (attempts_remaining === 0) verification.status = 'FAILED';
		refuseCode(
			`invalid verification code, you have ${attempts_remaining} attempts remaining`,
			attempts_remaining,
		);
	}
	const verified_at = wholeSeconds(new Date());
	verification.status = 'CONFIRMED';
	Object.assign(registration, { status: 'VERIFIED', updated_at: verified_at });
	return wrapped({
		registration_id: registration.registration_id,
		status: 'CONFIRMED',
		verified_at,
	});
}
