import { randomUUID } from 'node:crypto';
import { numberedPage } from '../../http/collection.ts';
import { problemRefusal } from '../../http/refusal.ts';
import { normaliseNumber } from '../../messages/phoneNumber.ts';
import type { Registration } from '../../model.ts';
import { wholeSeconds } from '../../timestamps.ts';
import { validate } from '../body.ts';
import { wrapped } from '../chat/record.ts';
import type { V2Call, V2Route } from '../dialect.ts';
import { registrationRecord } from './registration.ts';
import { confirmVerification, requestVerification } from './verification.ts';

const registrationsOf = ({ state, account }: V2Call) =>
	[...state.registrations.values()].filter(({ accountId }) => accountId === account.id);

function readWhole(call: V2Call, name: string, largest: number): void {
	const text = call.query[name];
	if (!text || (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= largest)) return;
	const message = `${name} must be between 1 and ${largest}`;
	throw problemRefusal(400, [{ name, message }]);
}

function listRegistrations(call: V2Call) {
	const { query, fault } = call;
	readWhole(call, 'page', Number.MAX_SAFE_INTEGER);
	readWhole(call, 'limit', 100);
	const statuses = query.status?.split(',').map((status) => status.trim());
	const rows = registrationsOf(call).filter(
		({ sender, status, child_account_id }) =>
			(!query.sender || sender === query.sender.replace(/^\+/, '')) &&
			(!statuses || statuses.includes(status)) &&
			(!query.child_account_id || child_account_id === query.child_account_id),
	);
	const size = { asked: query.limit, usual: 25, largest: 100 };
	const page = numberedPage({ rows, page: query.page, size, fault });
	const limit = Number(query.limit || size.usual);
	const pagination = { type: 'page', page: page.number, limit, total_count: page.total };
	return wrapped({ registrations: page.rows.map(registrationRecord) }, { pagination });
}

function readRegistration({ fields }: V2Call) {
	const validation = validate(fields);
	const sender = normaliseNumber(validation.requiredText('sender'));
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

/** A registered sender, and one that was tried a short time ago, are refused. */
function refuseKnown(call: V2Call, sender: string): void {
	const known = registrationsOf(call).filter(
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

/** Only numbers, and only verified ones. */
function deleteNumber(call: V2Call): undefined {
	const digits = normaliseNumber(call.params.phone_number!);
	if (!digits) {
		throw problemRefusal(400, [{ name: 'phone_number', message: 'phone_number is invalid' }]);
	}
	const found = registrationsOf(call).filter(
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
