import { getNumber } from '../../api/endpoints/number';
import { accountNumber } from '../../fields/accountNumber';
import { defineOperation } from '../../runtime/operation';

/** POST /get-number.json. */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get number',
	description: 'Get a number that the account has leased, with its price and its next charge',
	fields: [accountNumber],
	run: async ({ call }, { number }) => await call(getNumber, { number }),
});
