import { z } from 'zod/v4';
import { anything, read } from '../endpoint';

/** The balance is in the account's currency. */
export const getBalance = read({
	path: '/get-balance.json',
	answer: () => z.looseObject({ balance: z.coerce.number(), currency: anything }),
});
