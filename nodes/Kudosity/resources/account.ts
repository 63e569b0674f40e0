import { getBalance as endpoint } from '../api/endpoints/account';
import { defineOperation, type Resource } from '../fields/operation';
import { checkAccountSetup } from './checkSetup';

export const getBalance = defineOperation({
	value: 'getBalance',
	name: 'Get Balance',
	action: 'Get balance',
	description: "Get the account's balance and currency, e.g. before a large send",
	fields: [],
	run: async ({ call }) => await call(endpoint),
});

export const account: Resource = {
	value: 'account',
	name: 'Account',
	description: 'Look up the balance, and check that everything is set up',
	connection: 'basic',
	operations: [getBalance, checkAccountSetup],
};
