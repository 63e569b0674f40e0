import {
	confirmVerification as sendCode,
	deleteSender as removeSender,
	getRegistrations,
	registerSender,
	registrationStatuses,
	requestVerification as requestCode,
} from '../api/endpoints/sender';
import { country, senderFilter } from '../fields/recordFields';
import { filters, resourceLocator } from '../fields/collections';
import { field, type Field, refuse, textField } from '../fields/field';
import { readLimit, listing } from '../fields/listing';
import { senderField } from '../fields/message';
import { anyOf, phoneNumber, recordId, requiredText, senderPhoneNumber } from '../fields/readers';
import { statusOptionsOf } from '../fields/webhook';
import { defineOperation, type Resource } from '../fields/operation';

const registrationId = textField(recordId, {
	displayName: 'Registration ID',
	name: 'registrationId',
	required: true,
	placeholder: 'e.g. 7b1b2a0e-5f0a-4c53-9d0a-0d2f7b1a9c11',
	description: 'The ID of the registration, as returned by Register or Get Many',
});

const senderName = senderFilter('e.g. Acme', 'Only registrations for this number or sender name');

const status = field(anyOf(registrationStatuses), {
	displayName: 'Status',
	name: 'status',
	type: 'multiOptions',
	options: statusOptionsOf(registrationStatuses),
	default: [],
	description: 'Only registrations with one of these statuses',
});

export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many senders',
	description:
		'Get registered sender names and mobile numbers with their status. For leased numbers, use Virtual Number → Get Many.',
	fields: [...listing, filters(senderName, status)],
	run: ({ list }, { filters: { sender, status }, ...input }) => {
		const query = { sender, status: status?.length ? status : undefined };
		return list(getRegistrations, query, readLimit(input));
	},
});

const newSender = textField(phoneNumber, {
	displayName: 'Phone Number',
	name: 'phoneNumber',
	required: true,
	placeholder: 'e.g. 61491570156',
	description: 'The mobile number to register. It receives a verification code.',
});

export const register = defineOperation({
	value: 'register',
	name: 'Register',
	action: 'Register sender',
	description:
		'Register your own mobile number as a sender. Then verify it with Request Verification and Confirm Verification.',
	fields: [newSender, country('Country of the number')],
	once: true,
	run: async ({ call }, { phoneNumber: sender, country }) =>
		await call(registerSender, { sender, country, type: 'PERSONAL_MOBILE_NUMBER' }),
});

const originatingSender = senderField({
	displayName: 'Originating Sender',
	name: 'originatingSender',
	placeholder: 'e.g. 61491570006',
	description: 'Which of your numbers or verified senders to send the code from',
});

export const requestVerification = defineOperation({
	value: 'requestVerification',
	name: 'Request Verification',
	action: 'Request sender verification',
	description:
		'Send a code by SMS to a registered number. The code is valid for 30 minutes, and each registration gets only one code.',
	fields: [registrationId, originatingSender],
	once: true,
	run: async ({ call }, { registrationId, originatingSender }) =>
		await call(requestCode, {
			registration_id: registrationId,
			method: 'SMS',
			originating_sender: originatingSender,
		}),
});

/**
 * Reads a verification code. A wrong code uses up one of five attempts, so malformed codes are refused before they are
 * sent.
 */
function readCode(value: unknown): string {
	const code = requiredText(value).replace(/\s/g, '');
	return /^\d{6}$/.test(code)
		? code
		: refuse('is not a 6-digit code', 'Enter the code as text, including zeros at the start');
}

const code = textField(readCode, {
	displayName: 'Code',
	name: 'code',
	required: true,
	placeholder: 'e.g. 012345',
	description: 'The 6 digits sent to the number',
});

export const confirmVerification = defineOperation({
	value: 'confirmVerification',
	name: 'Confirm Verification',
	action: 'Confirm sender verification',
	description:
		'Confirm a registered number with the code that was sent to it. You have five attempts.',
	fields: [registrationId, code],
	once: 'countsRefusals',
	run: async ({ call }, { registrationId, code }) =>
		await call(sendCode, { registration_id: registrationId, code }),
});

const registeredSender: Field<'phoneNumber', string> = resourceLocator(senderPhoneNumber, {
	displayName: 'Phone Number',
	name: 'phoneNumber',
	noun: 'sender',
	searchListMethod: 'searchRegisteredNumbers',
	placeholder: 'e.g. 61491570156',
	description: "A registered and verified mobile number. Sender names can't be deleted.",
	by: 'Number',
});

export const deleteSender = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete sender',
	description:
		'Permanently remove a registered mobile number, for other apps as well. To use the number again, register and verify it again.',
	fields: [registeredSender],
	once: true,
	run: async ({ call }, { phoneNumber }) => {
		await call(removeSender, { phone_number: phoneNumber });
		return { deleted: true, id: phoneNumber };
	},
});

export const sender: Resource = {
	value: 'sender',
	name: 'Sender Registration',
	description: 'Sender names and mobile numbers that you register to send from',
	connection: 'key',
	operations: [getAll, register, requestVerification, confirmVerification, deleteSender],
};
