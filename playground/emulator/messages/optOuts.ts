import type { State } from '../state.ts';

const keyOf = (accountId: string, contact: string) => `${accountId} ${contact}`;

export const hasOptedOut = (state: State, accountId: string, contact: string) =>
	state.optOuts.has(keyOf(accountId, contact));

/** From now on nothing is sent to the contact, who counts as opted out in every list. */
export function rememberOptOut(state: State, accountId: string, contact: string): void {
	state.optOuts.add(keyOf(accountId, contact));
	for (const { members } of state.lists.values()) {
		const member = members.get(contact);
		if (member?.status === 'active') member.status = 'optout';
	}
}

export interface OptedOutContact {
	accountId: string;
	contact: string;
}

export const optedOutContacts = (state: State): OptedOutContact[] =>
	[...state.optOuts].map((key) => {
		const end = key.lastIndexOf(' ');
		return { accountId: key.slice(0, end), contact: key.slice(end + 1) };
	});
