import { randomInt, randomUUID } from 'node:crypto';
import { numberedPage } from '../http/paging.ts';
import { problemRefusal } from '../http/refusal.ts';
import { acceptMessage, createMessage } from '../messages/messages.ts';
import { normalizeNumber } from '../messages/phoneNumber.ts';
import type { Registration, Verification } from '../model.ts';
import type { State } from '../state.ts';
import { wholeSeconds } from '../timestamps.ts';
import { wrapped } from './chat.ts';
import { readSender, type V2Call, type V2Route, validate } from './dialect.ts';

/** A name that is ready to use, and a mobile number that still has to be verified. */
export function seedRegistrations(state: State): void {
	const at = '2025-03-14T02:26:05Z';
	const common = {
		accountId: state.settings.accounts[0]?.id ?? '',
		country: 'AU',
		created_at: at,
		updated_at: at,
	};
	const seeded: Registration[] = [
		{
			...common,
			registration_id: randomUUID(),
			sender: 'GreenCafe',
			type: 'ALPHANUMERIC',
			status: 'VERIFIED',
			details: { alphanumeric: { registry: 'ACMA', status: 'READY_TO_USE' } },
		},
		{
			...common,
			registration_id: randomUUID(),
			sender: '61491579455',
			type: 'PERSONAL_MOBILE_NUMBER',
			status: 'PENDING_APPROVAL',
		},
	];
	state.registrations.clear();
	for (const one of seeded) state.registrations.set(one.registration_id, one);
}

const registrationRecord = (registration: Registration) => ({
	...registration,
	accountId: undefined,
	verification: undefined,
});

const MAX_ATTEMPTS = 5;

function findRegistration({ state, account, params }: V2Call): Registration {
	const registration = state.registrations.get(params.registration_id!);
	if (registration?.accountId === account.id) return registration;
	throw problemRefusal(404, undefined, { detail: 'sender registration not found' });
}

/** The code is free of charge. It appears on the phone page and in the account book. */
function sendCode({ state, account }: V2Call, sender: string, verification: Verification): void {
	const text = `Your verification code is ${verification.code}`;
	const message = createMessage(state, {
		api: 'v2',
		channel: 'SMS',
		accountId: account.id,
		sender: verification.originating_sender,
		recipients: [sender],
		text,
	});
	acceptMessage(state, message);
}

function requestVerification(call: V2Call) {
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
		attempts_remaining: MAX_ATTEMPTS,
	};
	registration.verification = verification;
	sendCode(call, registration.sender, verification);
	const { registration_id } = registration;
	return wrapped({ registration_id, ...verification, code: undefined });
}

/** Refuses when there is no code to confirm. */
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

function confirmVerification(call: V2Call) {
	const registration = findRegistration(call);
	const { code } = call.fields;
	const left = registration.verification?.attempts_remaining ?? MAX_ATTEMPTS;
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

const findRegistrations = ({ state, account }: V2Call) =>
	[...state.registrations.values()].filter(({ accountId }) => accountId === account.id);

function checkInteger(call: V2Call, name: string, max: number): void {
	const text = call.query[name];
	if (!text || (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= max)) return;
	const message = `${name} must be between 1 and ${max}`;
	throw problemRefusal(400, [{ name, message }]);
}

function listRegistrations(call: V2Call) {
	const { query, fault } = call;
	checkInteger(call, 'page', Number.MAX_SAFE_INTEGER);
	checkInteger(call, 'limit', 100);
	const statuses = query.status?.split(',').map((status) => status.trim());
	const rows = findRegistrations(call).filter(
		({ sender, status, child_account_id }) =>
			(!query.sender || sender === query.sender.replace(/^\+/, '')) &&
			(!statuses || statuses.includes(status)) &&
			(!query.child_account_id || child_account_id === query.child_account_id),
	);
	const size = { requested: query.limit, default: 25, max: 100 };
	const page = numberedPage({ rows, page: query.page, size, fault });
	const limit = Number(query.limit || size.default);
	const pagination = { type: 'page', page: page.number, limit, total_count: page.total };
	return wrapped({ registrations: page.rows.map(registrationRecord) }, { pagination });
}

function readRegistration({ fields }: V2Call) {
	const validation = validate(fields);
	const sender = normalizeNumber(validation.requiredText('sender'));
	if (!sender && validation.issues.length === 0) {
		validation.issues.push({ name: 'sender', message: 'sender is invalid' });
	}
	const country = validation.requiredText('country');
	if (country && !/^[A-Z]{2}$/.test(country)) {
		validation.issues.push({ name: 'country', message: 'country must be two capital letters' });
	}
	if (fields.type !== 'PERSONAL_MOBILE_NUMBER') {
		const message = 'type must be one of: PERSONAL_MOBILE_NUMBER';
		validation.issues.push({ name: 'type', message });
	}
	validation.refuseIfAny();
	return { sender: sender!, country };
}

/** Refuses a sender that is registered, or was attempted recently. */
function refuseKnown(call: V2Call, sender: string): void {
	const known = findRegistrations(call).filter(
		(one) => one.sender === sender && one.status !== 'CANCELLED',
	);
	if (known.some(({ status }) => status === 'VERIFIED')) {
		throw problemRefusal(409, undefined, { detail: 'sender is already registered' });
	}
	const newest = Math.max(...known.map(({ created_at }) => Date.parse(created_at)));
	if (Date.now() - newest < call.state.settings.verificationMs) {
		throw problemRefusal(429, undefined, {
			detail: 'the same sender was registered within the last 30 minutes',
		});
	}
}

function register(call: V2Call) {
	const { state, account, fields } = call;
	const { sender, country } = readRegistration(call);
	refuseKnown(call, sender);
	const now = wholeSeconds(new Date());
	const { child_account_id: child } = fields;
	const registration: Registration = {
		registration_id: randomUUID(),
		accountId: account.id,
		sender,
		country,
		type: 'PERSONAL_MOBILE_NUMBER',
		status: 'PENDING_APPROVAL',
		created_at: now,
		updated_at: now,
		...(typeof child === 'string' && { child_account_id: child }),
	};
	state.registrations.set(registration.registration_id, registration);
	return wrapped(registrationRecord(registration));
}

/** Only verified numbers can be deleted. */
function deleteNumber(call: V2Call): undefined {
	const digits = normalizeNumber(call.params.phone_number!);
	if (!digits) {
		throw problemRefusal(400, [{ name: 'phone_number', message: 'phone_number is invalid' }]);
	}
	const found = findRegistrations(call).filter(
		({ sender, status }) => sender === digits && status === 'VERIFIED',
	);
	if (found.length === 0) throw problemRefusal(404, undefined, { detail: 'sender not found' });
	for (const registration of found) registration.status = 'CANCELLED';
}

const registrations = '/v2/senders/registrations';
const verifications = `${registrations}/{registration_id}/verifications`;

export const senderRoutes: V2Route[] = [
	{ method: 'GET', path: registrations, run: listRegistrations },
	{ method: 'POST', path: registrations, status: 201, run: register },
	{ method: 'POST', path: verifications, status: 201, run: requestVerification },
	{ method: 'POST', path: `${verifications}/confirmation`, run: confirmVerification },
	{
		method: 'DELETE',
		path: '/v2/senders/phone-numbers/{phone_number}',
		status: 204,
		run: deleteNumber,
	},
];
