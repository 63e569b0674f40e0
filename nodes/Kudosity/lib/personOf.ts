/**
 * Returns the canonical form of a phone number, as E.164 digits without a plus. WhatsApp writes some mobile numbers
 * differently: it adds a 1 after 52 in Mexico and a 9 after 54 in Argentina, and often omits the 9 of Brazilian
 * mobiles. Officially, Mexican numbers have no such 1, Brazilian mobiles have the 9, and Argentina uses both forms. So
 * the canonical form has no 1 in Mexico, and has the 9 in Argentina and Brazil. Other countries' numbers remain
 * unchanged.
 */
export function personOf(number: string): string {
	return number
		.replace(/^521(?=\d{10}$)/, '52')
		.replace(/^54(?=\d{10}$)/, '549')
		.replace(/^(55\d\d)(?=[6-9]\d{7}$)/, '$19');
}

export function isSamePerson(one: string, other: string): boolean {
	return one === other || personOf(one) === personOf(other);
}

/** Lists all forms in which networks write a person's number, the canonical one first. */
export function spellingsOf(number: string): string[] {
	const person = personOf(number);
	const other = person
		.replace(/^52(?=\d{10}$)/, '521')
		.replace(/^549(?=\d{10}$)/, '54')
		.replace(/^(55\d\d)9(?=[6-9]\d{7}$)/, '$1');
	return [...new Set([person, other])];
}
