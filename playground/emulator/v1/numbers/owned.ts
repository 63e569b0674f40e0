import { ownedIndex, ownedNumber, type OwnedNumber } from '../../catalogue.ts';
import type { State } from '../../state.ts';

export function findOwned(state: State, digits: string): OwnedNumber | undefined {
	const index = ownedIndex(digits);
	const seeded = index >= 0 && index < state.settings.numbersOwned ? ownedNumber(index) : undefined;
	if (seeded && String(seeded.number) === digits) return seeded;
	return state.leasedNumbers.find(({ number }) => String(number) === digits);
}

/** Whether the account may send from this number: leased and active, or the holder's own and verified. */
export const ownsNumber = (state: State, digits: string): boolean =>
	findOwned(state, digits)?.status === 'active' ||
	[...state.registrations.values()].some(
		({ sender, status }) => sender === digits && status === 'VERIFIED',
	);
