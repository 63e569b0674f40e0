import { z } from 'zod/v4';
import { idString, read, send } from '../endpoint';

const path = '/v2/mms';

function mms() {
	return z.looseObject({ id: idString });
}

/** Sends to one recipient in Australia. `content_urls` is a list of exactly one file. */
export const sendMms = send({ path, answer: mms });

/** The service cannot list MMS. */
export const getMms = read({ path: `${path}/{id}`, answer: mms });
