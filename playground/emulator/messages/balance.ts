import type { State } from '../state.ts';
import type { OutboundMessage } from './model.ts';

/** In AUD to one recipient; for SMS each part. */
const prices = { SMS: 0.079, MMS: 0.35, RCS: 0.1, WHATSAPP: 0.1 };

const toMoney = (amount: number) => Math.round(amount * 1000) / 1000;

export const balanceOf = (state: State, { id }: { id: string }) =>
	state.balances.get(id) ?? state.settings.balance;

/** Takes an amount; false = not enough money, nothing taken. A negative amount is given back. */
export function debit(state: State, accountId: string, amount: number): boolean {
	const balance = balanceOf(state, { id: accountId });
	if (amount > balance) return false;
	state.balances.set(accountId, toMoney(balance - amount));
	return true;
}

/** Takes the price of a message and returns it; undefined = not enough money. */
export function charge(state: State, message: OutboundMessage): number | undefined {
	const { accountId, channel, parts, recipients } = message;
	const cost = toMoney(prices[channel] * parts * recipients.length);
	return debit(state, accountId, cost) ? cost : undefined;
}
