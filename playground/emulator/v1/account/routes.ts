import { balanceOf } from '../../messages/balance.ts';
import type { V1Route } from '../dialect.ts';

export const accountRoutes: V1Route[] = [
	{
		method: 'GET',
		path: '/get-balance.json',
		run: ({ state, account }) => ({ balance: balanceOf(state, account), currency: 'AUD' }),
	},
];
