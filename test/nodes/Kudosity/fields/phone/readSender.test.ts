import { describe, expect, it } from 'vitest';
import { loadPhones } from '../../../../seams.ts';

const { sender: read } = await loadPhones();

describe('a sender that is a number of the account', () => {
	it.each([
		['+61 491 570 156', undefined],
		['+61 (0)491 570 156', undefined],
		['0061491570156', undefined],
		['61491570156', undefined],
		[61491570156, undefined],
		['61491570156.0', undefined],
		["'61491570156", undefined],
		['tel:+61491570156', undefined],
		['0491 570 156', 'AU'],
		['491570156', 'AU'],
		['0011 61 491 570 156', 'AU'],
	])('is read from %j with Default Country %s', (value, country) => {
		expect(read(value, country)).toEqual({ sender: '61491570156', kind: 'number' });
	});

	it('is left as it is when no plan knows it, as long as its length is possible', () => {
		expect(read('61555000156')).toEqual({ sender: '61555000156', kind: 'number' });
	});

	it('is a mobile of the default country, even when it is as short as a short code', () => {
		expect(read('81234567', 'SG')).toEqual({ sender: '6581234567', kind: 'number' });
	});
});

describe('a short code', () => {
	it.each([
		['199', '199'],
		['19987', '19987'],
		[19987, '19987'],
		['19987.0', '19987'],
		['19901234', '19901234'],
	])('stays: %j', (value, sender) => {
		expect(read(value)).toEqual({ sender, kind: 'shortCode' });
		expect(read(value, 'AU')).toEqual({ sender, kind: 'shortCode' });
	});
});

describe('a name', () => {
	it.each(['Acme', 'Acme Shop', '4U', 'Elevenchars', '24/7 Help', 'Tel: us'])(
		'stays: %s',
		(name) => {
			expect(read(` ${name} `, 'AU')).toEqual({ sender: name, kind: 'name' });
		},
	);
});

describe('a sender', () => {
	it.each([
		['nothing', '', 'is empty'],
		['null', null, 'is empty'],
		['a list', ['Acme'], 'is not text'],
		['a fraction', '61491570156.5', 'has decimals'],
		['a rounded number', '6.149E+10', 'was rounded by a spreadsheet'],
		['a long name', 'Twelve chars', 'is longer than 11 characters and not a phone number'],
		['a national number', '0491 570 156', 'is not a valid number with a country code'],
		['two digits', '12', 'is not a valid number with a country code'],
		['digits too many', '1234567890123456', 'is not a valid number with a country code'],
	])('is refused when it is %s', (_, value, reason) => {
		expect(read(value)).toMatchObject({ reason, remedy: expect.any(String) });
	});

	it('is refused when its digits have two meanings', () => {
		expect(read('13125550123', 'CN')).toMatchObject({ isAmbiguous: true });
	});
});
