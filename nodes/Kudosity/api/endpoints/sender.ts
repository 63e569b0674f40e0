import { z } from 'zod/v4';
import { countedList } from '../lists';
import {
	count,
	dataOf,
	idString,
	ifPossible,
	type ItemOf,
	send,
	textOrNone,
	anyObject,
} from '../endpoint';

const path = '/v2/senders/registrations';
const verifications = `${path}/{registration_id}/verifications`;

export const registrationStatuses = [
	'CANCELLED',
	'PENDING_APPROVAL',
	'REJECTED',
	'VERIFIED',
] as const;

/** The sender registrations. Leased numbers are not among them; v1 lists those. */
export const getRegistrations = countedList({
	path,
	records: 'registrations',
	record: () =>
		z.looseObject({ registration_id: ifPossible(idString), sender: ifPossible(idString) }),
	identify: ({ registration_id: id }) => textOrNone(id),
});
export type Registration = ItemOf<typeof getRegistrations>;

function registered() {
	return dataOf(z.looseObject({ registration_id: idString }));
}

/** The service responds with 429 if the same sender was registered within the last 30 minutes. */
export const registerSender = send({ path, answer: registered, isPerRecordLimit: true });

/** Sends a code that is valid for 30 minutes. Each registration gets only one code. */
export const requestVerification = send({
	path: verifications,
	answer: () =>
		dataOf(z.looseObject({ registration_id: idString, attempts_remaining: ifPossible(count) })),
});

/** Each wrong code uses up one of five attempts. After the fifth, the service responds with 429. */
export const confirmVerification = send({
	isPerRecordLimit: true,
	path: `${verifications}/confirmation`,
	answer: registered,
});

/**
 * The service responds with 204 and an empty body. The request is not idempotent: deleting a sender that doesn't exist
 * is an error.
 */
export const deleteSender = send({
	method: 'DELETE',
	path: '/v2/senders/phone-numbers/{phone_number}',
	answer: anyObject,
});
