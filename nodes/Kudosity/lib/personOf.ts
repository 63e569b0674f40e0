/**
 * The one spelling that stands for a person, of E.164 digits without a plus. WhatsApp writes Mexicans with a 1 after 52,
 * Argentines with a 9 after 54, and many Brazilians without the 9 of their mobile, while the numbering plans have 52 and
 * ten digits, both, and the 9. All numbers of other countries stay as they are.
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

/** Every way in which networks write the number of the same person; the first is that of `personOf`. */
export function spellingsOf(number: string): string[] {
	const person = personOf(number);
	const other = person
		.replace(/^52(?=\d{10}$)/, '521')
		.replace(/^549(?=\d{10}$)/, '54')
		.replace(/^(55\d\d)9(?=[6-9]\d{7}$)/, '$1');
	return [...new Set([person, other])];
}
