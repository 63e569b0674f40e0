import { z } from 'zod/v4';
import { idString, read, send } from '../endpoint';

const path = '/v2/mms';

function mms() {
	return z.looseObject({ id: idString });
}

/** Sends a message to one recipient in Australia. `content_urls` must contain exactly one URL. */
export const sendMms = send({ path, answer: mms });

/** The service can only return single MMS messages; it has no list of them. */
export const getMms = read({ path: `${path}/{id}`, answer: mms });
