import { describe, expect, it } from 'vitest';
import { phrasesWith } from '../../../seams.ts';

const phrases = phrasesWith({
	fruit: 'APPLES?|{berry}',
	berry: 'RED BERRIES|GRAPES',
});

describe('a phrase', () => {
	it.each([
		['EAT|BUY {fruit}', 'PLEASE BUY APPLES ', true],
		['EAT|BUY {fruit}', 'PLEASE BUY RED BERRIES NOW ', true],
		['EAT|BUY {fruit}', 'PLEASE BUY PEARS ', false],
		['EAT {fruit}', 'WHEAT APPLES ', false],
		['EAT {fruit}', 'EAT APPLESAUCE ', false],
		['EAT THE? {fruit}', 'EAT APPLES ', true],
		['EAT THE? {fruit}', 'EAT THE THE APPLES ', false],
		['EAT RED|RIPE* {fruit}', 'EAT RED RIPE APPLES ', true],
		['EAT RED|RIPE* {fruit}', 'EAT RED RAW APPLES ', false],
		['EAT ..2 {fruit}', 'EAT MORE RAW APPLES ', true],
		['EAT ..2 {fruit}', 'EAT MORE OF THE APPLES ', false],
		['EAT ..2 {fruit}', 'EAT NO / MORE APPLES ', false],
		['EAT {fruit}', 'EAT / APPLES ', false],
		['EAT /? {fruit}', 'EAT / APPLES ', true],
		['EAT /? {fruit}', 'EAT APPLES ', true],
		['EAT ..2 /? {fruit}', 'EAT NOW / APPLES ', true],
		['EAT !RED', 'EAT / RED ', true],
		['EAT !RED {fruit}', 'EAT RED BERRIES ', false],
		['EAT !RED {fruit}', 'EAT GRAPES ', true],
		['<DONT EAT {fruit}', 'DONT EAT GRAPES ', false],
		['<DONT EAT {fruit}', 'WE EAT GRAPES ', true],
		['^ EAT', 'EAT GRAPES ', true],
		['^ EAT', 'HELLO / EAT GRAPES ', true],
		['^ EAT', 'DONT EAT GRAPES ', false],
		['^^ EAT', 'EAT GRAPES ', true],
		['^^ EAT', 'HELLO / EAT GRAPES ', false],
		['{fruit} $', 'EAT GRAPES ', true],
		['{fruit} $', 'EAT GRAPES / THANKS ', true],
		['{fruit} $', 'EAT GRAPES TODAY ', false],
	])('%j matches %j: %j', (phrase, text, expected) => {
		expect(phrases([phrase]).test(text)).toBe(expected);
	});

	it('is one of several', () => {
		expect(phrases(['DRINK', 'EAT {fruit}']).exec('WE EAT GRAPES ')?.[0]).toBe('EAT GRAPES ');
	});

	it('cannot have a group that does not exist', () => {
		expect(() => phrases(['EAT {meat}'])).toThrow();
	});
});
