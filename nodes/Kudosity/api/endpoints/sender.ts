import { z } from 'zod/v4';
import { countedList } from '../lists';
import { count, dataOf, idString, ifPossible, type ItemOf, send, textOrNone } from '../endpoint';

const path = '/v2/senders/registrations';
const verifications = `${path}/{registration_id}/verifications`;

export const registrationStatuses = [
	'CANCELLED',
	'PENDING_APPROVAL',
	'REJECTED',
	'VERIFIED',
] as const;

/** Numbers that are leased are not here, but among the numbers of v1. */
export const getRegistrations = countedList({
	path,
	records: 'registrations',
	record: () =>
		z.looseObject({ registration_id: ifPossible(idString), sender: ifPossible(idString) }),
	identify: ({ registration_id: id }) => textOrNone(id),
});
export type Registration = ItemOf<typeof getRegistrations>;

const registered = () => dataOf(z.looseObject({ registration_id: idString }));

/** Answers 429 when the same sender was registered within 30 minutes. */
export const registerSender = send({ path, answer: registered, hasOwnLimit: true });

/** Sends a code, valid for 30 minutes; there is one for each registration. */
export const requestVerification = send({
	path: verifications,
	answer: () =>
		dataOf(z.looseObject({ registration_id: idString, attempts_remaining: ifPossible(count) })),
});

/** Each wrong code takes one of five attempts; when none is left, it answers 429. */
export const confirmVerification = send({
	hasOwnLimit: true,
	path: `${verifications}/confirmation`,
	answer: registered,
});

/** Answers 204 with an empty body. A second one would not find it any more. */
export const deleteSender = send({
	method: 'DELETE',
	path: '/v2/senders/phone-numbers/{phone_number}',
	answer: () => z.looseObject({}),
});
