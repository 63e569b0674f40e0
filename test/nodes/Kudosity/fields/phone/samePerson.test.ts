import { describe, expect, it } from 'vitest';
import { loadPhones, personOf } from '../../../../seams.ts';

const { number: read, named, recipients, sender, clean } = await loadPhones();

const numberOf = (value: unknown, defaultCountry?: string): string | undefined => {
	const result = read(value, defaultCountry);
	return 'number' in result ? result.number : undefined;
};

/** As WhatsApp writes a person, and the number that the plan has of them. */
const asPlanned: Array<[string, string]> = [
	['5215512345678', '525512345678'],
	['5213312345678', '523312345678'],
	['5218112345678', '528112345678'],
	['5216641234567', '526641234567'],
	['5491123456789', '5491123456789'],
	['5493514123456', '5493514123456'],
	['541123456789', '541123456789'],
	['551197654321', '5511997654321'],
	['552187654321', '5521987654321'],
	['553168765432', '5531968765432'],
	['551171234567', '551171234567'],
	['5511997654321', '5511997654321'],
];

describe('a recipient as WhatsApp writes them', () => {
	it.each(asPlanned)('%s is sent to at the number that the plan has', (written, number) => {
		const spellings = [`+${written}`, `00${written}`, written, Number(written)];
		const spaced = `+${written.slice(0, 2)} ${written.slice(2, 4)} ${written.slice(4)}`;
		expect([...spellings, spaced].map((each) => numberOf(each))).toEqual(
			Array(spellings.length + 1).fill(number),
		);
		expect(numberOf(`0011 ${written}`, 'AU')).toBe(number);
	});

	it.each(asPlanned)('%s is accepted as the contact of its own event', (written, number) => {
		const contact = personOf(written);
		expect(personOf(numberOf(`+${contact}`)!)).toBe(contact);
		expect(personOf(number)).toBe(contact);
	});

	it.each(['+52155123456', '+52155123456789', '+5215012345678', '+55119765432100'])(
		'%s is still refused',
		(written) => expect(numberOf(written)).toBeUndefined(),
	);

	it('changes nothing in how national numbers are read', () => {
		// An American number, which Mexicans know with a 1.
		expect(numberOf('15512345678', 'MX')).toBe('15512345678');
		expect(numberOf('11 9765 4321', 'BR')).toBeUndefined();
		expect(numberOf('11 99765 4321', 'BR')).toBe('5511997654321');
	});
});

describe('a list of recipients', () => {
	it('has each person once, in the first of their spellings', () => {
		const { numbers } = recipients(
			'+5215512345678, 525512345678, +54 11 2345 6789, +54 9 11 2345 6789, +55 11 7123 4567, +55 11 97123 4567, 61491570006',
		);
		expect(numbers).toEqual(['525512345678', '541123456789', '551171234567', '61491570006']);
	});
});

describe('a number that is only named', () => {
	it('keeps its digits where a plan could know them', () => {
		expect(sender('551197654321')).toEqual({ sender: '551197654321', kind: 'number' });
		expect(sender('+551197654321')).toEqual({ sender: '551197654321', kind: 'number' });
		expect(named('+551197654321')).toMatchObject({ number: '551197654321' });
		expect(named('+5215512345678')).toMatchObject({ number: '525512345678' });
	});
});

it('is described as the number of the plan', () => {
	expect(clean('+5215512345678')).toMatchObject({ number: '525512345678', country: 'MX' });
	expect(clean('+551197654321')).toMatchObject({ country: 'BR', type: 'mobile' });
});
