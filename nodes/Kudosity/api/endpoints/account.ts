import { z } from 'zod/v4';
import { read } from '../endpoint';
import { anything } from '../schemas/common.schema';

/** In the currency of the account. */
export const getBalance = read({
	connection: 'basic',
	path: '/get-balance.json',
	answer: () => z.looseObject({ balance: z.coerce.number(), currency: anything }),
});
