import { v1FieldRefusal, v1Refusal } from '../http/refusal.ts';
import { getBalance } from '../messages/messages.ts';
import { required, type V1Call, type V1Route } from './dialect.ts';

export const accountRoutes: V1Route[] = [
	{
		method: 'GET',
		path: '/get-balance.json',
		run: ({ state, account }) => ({ balance: getBalance(state, account), currency: 'AUD' }),
	},
];

function addEmail({ state, fields }: V1Call) {
	const email = required(fields, 'email').toLowerCase();
	const { max_sms: maxSms = '1', number } = fields;
	if (!/^[^@\s]+@[^@\s]+$/.test(email)) {
		throw v1FieldRefusal('FIELD_INVALID', "Field 'email' is invalid");
	}
	if (!/^[1-4]$/.test(maxSms)) {
		throw v1FieldRefusal('FIELD_INVALID', "Field 'max_sms' must be between 1 and 4");
	}
	if (state.emailSenders.has(email)) throw v1Refusal(400, 'KEY_EXISTS');
	state.emailSenders.set(email, { maxSms: Number(maxSms), number });
	return { success: true };
}

function deleteEmail({ state, fields }: V1Call) {
	if (state.emailSenders.delete(required(fields, 'email').toLowerCase())) return { success: true };
	throw v1FieldRefusal('NOT_FOUND', 'Email does not exist');
}

export const emailSenderRoutes: V1Route[] = [
	{ method: 'POST', path: '/add-email.json', run: addEmail },
	{ method: 'POST', path: '/delete-email.json', run: deleteEmail },
];
