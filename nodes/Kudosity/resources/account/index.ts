import type { Resource } from '../../runtime/operation';
import { getBalance } from './getBalance.operation';

export const account: Resource = {
	value: 'account',
	name: 'Account',
	connection: 'basic',
	operations: [getBalance],
};
