import { describe, expect, it } from 'vitest';
import { personOf, spellingsOf } from '../../../seams.ts';

/** Both spellings of one person, the canonical one last. */
const pairs: Array<[country: string, other: string, canonical: string]> = [
	['Mexico City', '5215512345678', '525512345678'],
	['Guadalajara', '5213312345678', '523312345678'],
	['Monterrey', '5218112345678', '528112345678'],
	['Tijuana', '5216641234567', '526641234567'],
	['Mérida', '5219991234567', '529991234567'],
	['Puebla', '5212221234567', '522221234567'],
	['Cancún', '5219981234567', '529981234567'],
	['León', '5214771234567', '524771234567'],
	['Mexico, with further ones', '5211111111111', '521111111111'],
	['Buenos Aires', '541123456789', '5491123456789'],
	['Córdoba', '543512345678', '5493512345678'],
	['Rosario', '543412345678', '5493412345678'],
	['Mendoza', '542612345678', '5492612345678'],
	['Mar del Plata', '542231234567', '5492231234567'],
	['Salta', '543871234567', '5493871234567'],
	['Ushuaia', '542901412345', '5492901412345'],
	['La Plata', '542211234567', '5492211234567'],
	['Tucumán', '543811234567', '5493811234567'],
	['São Paulo', '551197654321', '5511997654321'],
	['Rio de Janeiro', '552187654321', '5521987654321'],
	['Belo Horizonte', '553176543210', '5531976543210'],
	['Brasília', '556165432109', '5561965432109'],
	['Salvador', '557199999999', '5571999999999'],
	['Porto Alegre', '555160000000', '5551960000000'],
	['Curitiba', '554169999999', '5541969999999'],
	['Recife', '558170000000', '5581970000000'],
	['Fortaleza', '558579999999', '5585979999999'],
	['Manaus', '559280000000', '5592980000000'],
	['Goiânia', '556289999999', '5562989999999'],
	['Belém', '559190000000', '5591990000000'],
];

/** Numbers that are nobody else's, because they have another length, another first digit or another country. */
const alone = [
	['Mexico as in its plan', '525512345678'],
	['Mexico, whose area code begins with 1', '521512345678'],
	['Mexico, a digit too few after the 1', '521551234567'],
	['Mexico, a digit too many after the 1', '52155123456789'],
	['Mexico, another digit in place of the 1', '5225512345678'],
	['Argentina with the 9', '5491123456789'],
	['Argentina, nine digits', '54112345678'],
	['Argentina, eleven without a 9', '5401123456789'],
	['Argentina, twelve', '54911234567890'],
	['Brazil with the 9', '5511997654321'],
	['Brazil, a landline with 2', '551123456789'],
	['Brazil, a landline with 3', '551131234567'],
	['Brazil, a landline with 4', '551141234567'],
	['Brazil, a landline with 5', '551151234567'],
	['Brazil, a first digit of 1', '551112345678'],
	['Brazil, a first digit of 0', '551101234567'],
	['Brazil, seven digits', '55119765432'],
	['Brazil, nine digits without a 9', '5511876543210'],
	['Brazil, ten digits', '55119976543210'],
	['a Brazilian number with a plus', '+551197654321'],
	['an Australian mobile', '61491570006'],
	['an Australian landline', '61255501234'],
	['an American number', '12025550143'],
	['an American one that begins with 521', '15215551234'],
	['a British mobile', '447700900123'],
	['a German mobile', '4915112345678'],
	['a Spanish mobile', '34612345678'],
	['a Portuguese mobile', '351912345678'],
	['a Peruvian mobile', '51912345678'],
	['a Cuban mobile', '5351234567'],
	['a Chilean mobile', '56912345678'],
	['a Colombian mobile', '573211234567'],
	['a Guatemalan mobile', '50251234567'],
	['a Uruguayan mobile', '59894231234'],
	['a short code', '40404'],
	['a name', 'Acme'],
	['nothing', ''],
] as const;

describe('two spellings of one person', () => {
	it.each(pairs)('are the same for %s', (_, other, canonical) => {
		expect(personOf(other)).toBe(canonical);
		expect(personOf(canonical)).toBe(canonical);
		expect(spellingsOf(other)).toEqual([canonical, other]);
		expect(spellingsOf(canonical)).toEqual([canonical, other]);
	});
});

describe('a number with one spelling', () => {
	it.each(alone)('stays as it is: %s', (_, number) => {
		expect(personOf(number)).toBe(number);
	});
});
