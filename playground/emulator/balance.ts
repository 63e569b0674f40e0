import type { Account } from './account.ts';
import type { State } from './state.ts';

/** What one SMS part to one recipient costs, in AUD. */
export const PRICE_PER_PART = 0.079;

const toMoney = (amount: number) => Math.round(amount * 1000) / 1000;

export const balanceOf = (state: State, account: Account) =>
	state.balances.get(account.id) ?? state.settings.balance;

/** Takes the price of so many parts and returns it; undefined = not enough money, nothing taken. */
export function charge(state: State, account: Account, parts: number): number | undefined {
	const balance = balanceOf(state, account);
	const cost = toMoney(parts * PRICE_PER_PART);
	if (cost > balance) return undefined;
	state.balances.set(account.id, toMoney(balance - cost));
	return cost;
}
