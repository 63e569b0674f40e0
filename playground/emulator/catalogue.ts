/** Numbers reserved for fictional use. */
const reservedOwned = [
	61491570006, 61491570156, 61491570157, 61491570158, 61491570159, 61491571266, 61491571491,
	61491571804, 61491572549, 61491572665, 61491572983, 61491573770,
];

/** Message recipients, who are also the members of the lists. */
export const contacts = [
	'61491573087',
	'61491574118',
	'61491574632',
	'61491575254',
	'61491575789',
	'61491576398',
	'61491576801',
	'61491577426',
	'61491577644',
	'61491578888',
	'61491578957',
	'61491579212',
	'61491579760',
	'61491579455',
] as const;

/** An owned number, the usual sender in tests. */
export const DEFAULT_SENDER = '61491570006';
/** The sender v1 uses when the request names none. */
export const SHARED_NUMBER = '61491570110';
export const RCS_AGENT = 'PlaygroundAgent';

export interface OwnedNumber {
	number: number;
	price: number;
	auto_renew: boolean;
	next_charge: string | null;
	status: 'active' | 'inactive';
}

/** Index of a number in the catalogue, or -1. */
export const ownedIndex = (digits: string): number => {
	const reserved = reservedOwned.indexOf(Number(digits));
	return reserved >= 0 ? reserved : Number(digits) - 61480000000;
};

/** Record `index` (from 0) of the account's leased numbers. Every tenth is inactive and has no next charge. */
export function ownedNumber(index: number): OwnedNumber {
	const isActive = index % 10 !== 9;
	return {
		number: reservedOwned[index] ?? 61480000000 + index,
		price: 15 + (index % 3) * 5,
		auto_renew: isActive,
		next_charge: isActive ? `2030-01-${String((index % 28) + 1).padStart(2, '0')}` : null,
		status: isActive ? 'active' : 'inactive',
	};
}

/** Available numbers only have the number and its price. */
export const availableNumber = (index: number) => ({
	number: 61485000000 + index,
	price: 15 + (index % 4) * 5,
});

const FIRST_LIST_ID = 4100001;
const listNames = ['Customers', 'Newsletter', 'Nobody yet'];

/** Record `index` (from 0) of the contact lists. Every third list has no active member. */
export function catalogueList(index: number) {
	const active = index % 3 === 2 ? 0 : 3 + (index % 5);
	return {
		id: FIRST_LIST_ID + index,
		name: listNames[index] ?? `List ${index + 1}`,
		created: index % 4 === 1 ? null : '2025-03-14 02:26:05',
		/** Field names by slot. Slots may be unused. */
		fields: (index % 2 === 0 ? {} : { field_1: 'Suburb', field_4: 'Postcode' }) as Record<
			string,
			string
		>,
		active,
		deleted: index % 3,
		optedOut: index % 3 === 2 ? 1 : 0,
	};
}

/** Member `index` of a list: first the usual recipients, then generated contacts. */
export const catalogueMember = (index: number): string =>
	contacts[index] ?? String(61482000000 + index);
