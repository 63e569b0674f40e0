import { describe, expect, it } from 'vitest';
import { changed, sampleEvent } from '../../../fixtures/events/index.ts';
import { readEvent, simplifyEvent } from '../../../seams.ts';

/** The record of an SMS with this text. */
const recordOf = (text: string) =>
	simplifyEvent(readEvent(changed(sampleEvent('smsInbound'), 'mo.message', text))!.event!);

describe('answer', () => {
	it.each([
		['Yes', 'yes'],
		['yes please!', 'yes'],
		['👍🏽', 'yes'],
		['Ok, thanks', 'yes'],
		['Sí', 'yes'],
		['no', 'no'],
		['No thanks', 'no'],
		['👎', 'no'],
		['Nein', 'no'],
	])('of %j is %s', (text, answer) => {
		expect(recordOf(text).answer).toBe(answer);
	});

	it.each([
		'',
		'Yes?',
		'Yes, but later',
		'Yes 👎',
		'STOP',
		'START',
		'Liked “Yes”',
		'x'.repeat(1e6),
	])('is absent where the words are neither yes nor no: %j', (text) => {
		expect(recordOf(text)).not.toHaveProperty('answer');
	});

	it('is that of the button that was tapped', () => {
		const event = changed(sampleEvent('whatsappInboundReaction'), 'mo.content_type', 'BUTTON');
		const tapped = changed(event, 'mo.content', { button: { text: 'Confirm', payload: 'c-1' } });
		expect(simplifyEvent(readEvent(tapped)!.event!)).toMatchObject({
			answer: 'yes',
			plainText: 'CONFIRM',
		});
	});
});

describe('plainText', () => {
	it.each([
		['Déjà vu', 'DEJA VU'],
		['  Pick-up,\nat   TEN! ', 'PICK UP AT TEN'],
		['See you 🎉🎉 soon 👍🏽', 'SEE YOU SOON'],
		['1️⃣', '1'],
		['٣', '3'],
		['ＳＴＯＰ', 'STOP'],
		['🏴󠁧󠁢󠁳󠁣󠁴󠁿 and 🇦🇺', 'AND'],
		['はい', 'はい'],
	])('has neither case, accents, punctuation nor emoji: %j is %j', (text, plainText) => {
		expect(recordOf(text).plainText).toBe(plainText);
	});

	it.each(['', ' ', '👍', '...'])('is absent where nothing is left of %j', (text) => {
		expect(recordOf(text)).not.toHaveProperty('plainText');
	});

	it('is absent for a reaction, of which no word may be acted on', () => {
		const quoted = 'Liked “Your table for four is booked…”';
		expect(recordOf(quoted)).toMatchObject({ isReaction: true, isOptInKeyword: false });
		expect(recordOf(quoted)).not.toHaveProperty('plainText');
	});
});

describe('isOptInKeyword', () => {
	it.each(['START', ' start. ', 'Unstop', '“UNSTOP”'])('is true of %j', (text) => {
		expect(recordOf(text)).toMatchObject({ isOptInKeyword: true, isOptOutKeyword: false });
	});

	it.each(['YES', 'SUBSCRIBE', 'Start?', 'Start 🚗', 'Start now', 'START STOP', 'STOP', ''])(
		'is not true of %j',
		(text) => {
			expect(recordOf(text)).toMatchObject({ isOptInKeyword: false });
		},
	);
});
