/**
 * Returns the one spelling of a number that stands for its person, as E.164 digits without a plus. WhatsApp writes
 * Mexicans with a 1 after 52, Argentines with a 9 after 54, and many Brazilians without the 9 of their mobile. The
 * numbering plans have 52 and ten digits in Mexico, both spellings in Argentina, and the 9 in Brazil. Numbers of other
 * countries stay unchanged.
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

/** Lists all spellings in which networks write a person's number, the one of `personOf` first. */
export function spellingsOf(number: string): string[] {
	const person = personOf(number);
	const other = person
		.replace(/^52(?=\d{10}$)/, '521')
		.replace(/^549(?=\d{10}$)/, '54')
		.replace(/^(55\d\d)9(?=[6-9]\d{7}$)/, '$1');
	return [...new Set([person, other])];
}
