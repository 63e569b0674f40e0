import type { INodeProperties } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { operationsByName } from '../../../helpers/exampleFields.ts';
import { classifyReply, readEvent, readQuestion, type Question } from '../../../seams.ts';

const [contact, sender, stranger] = ['61491570006', '61491570156', '61491571266'];

const question = (changes: Partial<Question> = {}): Question => ({
	ask: 'a',
	reference: 'r',
	contact,
	senders: [sender],
	responseType: 'approval',
	onUnexpectedReply: 'keepWaiting',
	...changes,
});

const inbound = (text: string, changes: object = {}, eventType = 'SMS_INBOUND') =>
	readEvent({
		event_type: eventType,
		timestamp: '2026-01-31T09:00:00Z',
		mo: { type: 'SMS', id: 'mo-1', sender: contact, recipient: sender, message: text, ...changes },
	})!;

const optOut = (changes: object = {}) =>
	readEvent({
		event_type: 'OPT_OUT',
		timestamp: '2026-01-31T09:00:00Z',
		opt_out: {
			source: 'LINK_HIT',
			source_message: { id: 'm', type: 'SMS', sender, recipient: contact, ...changes },
		},
	})!;

/** What a text answers, where the question goes on with whatever comes. */
const answerTo = (changes: Partial<Question>, text: string) => {
	const verdict = classifyReply(
		question({ onUnexpectedReply: 'continue', ...changes }),
		inbound(text),
	);
	return verdict.kind === 'answer' ? verdict.answer : undefined;
};
const approvalOf = (text: string) => answerTo({}, text);
const choiceOf = (choices: string[], text: string, sent?: string[]) =>
	answerTo({ responseType: 'choice', choices, sent }, text)?.choice;

/** The words that the panel shows for an answer. */
const defaultWords = (name: string): string[] => {
	const options = operationsByName['sms/sendAndWait']!.properties.find(
		(property) => property.name === 'options',
	)!.options as INodeProperties[];
	return String(options.find((option) => option.name === name)?.default).split(', ');
};

/** Whom a question went to, and in which other spelling the answer comes. */
const spellings = [
	['525512345678', '5215512345678'],
	['5491123456789', '541123456789'],
	['541123456789', '5491123456789'],
	['5511997654321', '551197654321'],
	['551171234567', '5511971234567'],
];

describe('a person with two spellings of one number', () => {
	it.each(spellings)('answers as %s and as %s', (asked, other) => {
		const asking = question({ contact: asked });
		for (const sender of [asked, other, `+${other}`]) {
			const reply = inbound('Yes', { sender }, 'WHATSAPP_INBOUND');
			expect(classifyReply(asking, reply).kind).toBe('answer');
			expect(classifyReply(asking, optOut({ recipient: sender })).kind).toBe('optOut');
		}
	});

	it.each([
		['525512345678', '5215512345679'],
		['525512345678', '5255123456780'],
		['551131234567', '5511931234567'],
		['541123456789', '5411234567890'],
	])('is not the one who was asked as %s where the number is %s', (asked, other) => {
		const reply = inbound('Yes', { sender: other }, 'WHATSAPP_INBOUND');
		expect(classifyReply(question({ contact: asked }), reply).kind).toBe('other');
	});
});

describe('an event', () => {
	it('takes the answer of whoever was asked, at the number that asked', () => {
		expect(classifyReply(question(), inbound('Yes'))).toEqual({
			kind: 'answer',
			text: 'Yes',
			answer: { matched: true, approved: true },
		});
		expect(classifyReply(question(), inbound('Yes', { sender: `+${contact}` })).kind).toBe(
			'answer',
		);
	});

	it.each([
		['a stranger', inbound('Yes', { sender: stranger })],
		['another number of the account', inbound('Yes', { recipient: stranger })],
		['an opt-out of somebody else', optOut({ recipient: stranger })],
		['an opt-out at another number', optOut({ sender: stranger })],
		['an event of another kind', readEvent({ event_type: 'SMS_STATUS' })!],
		[
			'a reaction, which may be to any message',
			inbound(
				'',
				{ content_type: 'REACTION', content: { reaction: { action: 'react', emoji: '👍' } } },
				'WHATSAPP_INBOUND',
			),
		],
		[
			'a reaction of an odd shape',
			inbound('', { content_type: 'reaction', content: null }, 'WHATSAPP_INBOUND'),
		],
		['an event that nobody knows', readEvent({ event_type: 'NEW', mo: { sender: contact } })!],
	])('leaves the question open for %s', (_, received) => {
		expect(classifyReply(question(), received)).toEqual({ kind: 'other' });
	});

	it.each([
		{ content_type: 'TEXT', content: { reaction: { action: 'react' } } },
		{ content_type: null, content: { reaction: { action: 'react' } } },
		{ content_type: 'TEXT', content: { text: 'STOP' } },
		{ content_type: 'TEXT', content: null },
		{ content_type: 'TEXT', content: { text: { message: 7 } } },
		{ content_type: 'IMAGE', content: { image: {} } },
		{ content_type: 'LOCATION', content: { location: 'At home' } },
		{ content_type: 'TEXT', content: 'Yes' },
		{ content_type: 7, content: [] },
		{ content_type: {}, content: { text: { message: 'Yes' } } },
	])('takes no answer where its content cannot be read: %j', (changes) => {
		const anyText = question({ responseType: 'freeText' });
		for (const message of [null, 'Yes', 'STOP']) {
			const received = inbound('', { message, ...changes }, 'WHATSAPP_INBOUND');
			expect(classifyReply(anyText, received)).toEqual({ kind: 'other' });
		}
	});

	it.each([
		['without its channel', { type: null }],
		['with a quote of an odd shape', { last_message: 'Hi' }],
		['of a kind that nobody knows', { content_type: 'POLL', content: { poll: 7 } }],
	])('takes an answer %s', (_, changes) => {
		const anyText = question({ responseType: 'freeText' });
		expect(classifyReply(anyText, inbound('Yes', changes, 'WHATSAPP_INBOUND'))).toEqual({
			kind: 'answer',
			text: 'Yes',
			answer: {},
		});
	});

	it('takes an answer from content that names the kinds it is not', () => {
		const content = { text: { message: 'Yes' }, button: null, reaction: null, reply: null };
		const received = inbound('', { message: null, content_type: 'TEXT', content }, 'RCS_INBOUND');
		expect(classifyReply(question(), received)).toMatchObject({ kind: 'answer', text: 'Yes' });
	});

	it('takes an answer of digits that arrives as a number', () => {
		const choices = question({ responseType: 'choice', choices: ['Tuesday', 'Thursday'] });
		expect(classifyReply(choices, inbound('', { message: 2 }))).toMatchObject({
			kind: 'answer',
			text: '2',
			answer: { choice: 'Thursday' },
		});
	});

	it('takes the words of a button that has nothing else', () => {
		const pressed = { message: null, content_type: 'BUTTON', content: { button: { text: 'Yes' } } };
		expect(classifyReply(question(), inbound('', pressed, 'RCS_INBOUND'))).toMatchObject({
			kind: 'answer',
			answer: { approved: true },
		});
	});

	it('ends with an opt-out, in words or by a link', () => {
		expect(classifyReply(question(), inbound(' Stop '))).toEqual({
			kind: 'optOut',
			text: ' Stop ',
		});
		expect(classifyReply(question(), optOut())).toEqual({ kind: 'optOut' });
	});

	it('waits on, or goes on, with what does not fit', () => {
		expect(classifyReply(question(), inbound('Why?'))).toEqual({ kind: 'noMatch' });
		expect(classifyReply(question({ onUnexpectedReply: 'continue' }), inbound('Why?'))).toEqual({
			kind: 'answer',
			text: 'Why?',
			answer: { matched: false, approved: false },
		});
		const choice = question({ responseType: 'choice', choices: ['One', 'Other'] });
		expect(classifyReply(choice, inbound('None')).kind).toBe('noMatch');
	});

	it('takes any text where free text is asked for, and a picture without one', () => {
		const free = question({ responseType: 'freeText' });
		expect(classifyReply(free, inbound('Why?'))).toEqual({
			kind: 'answer',
			text: 'Why?',
			answer: {},
		});
		const picture = inbound('', { type: 'MMS', message: null }, 'MMS_INBOUND');
		expect(classifyReply(free, picture)).toEqual({ kind: 'answer', text: '', answer: {} });
	});

	it('reads the button that was pressed', () => {
		const content = { button: { text: 'Yes', payload: 'approve' } };
		const pressed = inbound(
			'',
			{ message: null, content_type: 'BUTTON', content },
			'WHATSAPP_INBOUND',
		);
		expect(classifyReply(question(), pressed)).toMatchObject({ answer: { approved: true } });
	});
});

describe('an approval', () => {
	it.each([
		['yes'],
		['YES'],
		[' Yes. '],
		['“Yes!”'],
		['Yes\nplease'],
		['ＹＥＳ'],
		['\u200bok\u200b'],
		['👍'],
		['👍🏿'],
		['👍\ufe0f'],
		['sí'],
		['Si'],
		['да'],
		['はい'],
		['हाँ'],
		['نعم'],
	])('finds a yes in “%s”', (text) => {
		expect(approvalOf(text)).toEqual({ matched: true, approved: true });
	});

	it.each([['No'], ['no, thanks'], ['NEIN!'], ['nao'], ['Não'], ['нет'], ['👎🏽'], ['いいえ']])(
		'finds a no in “%s”',
		(text) => {
			expect(approvalOf(text)).toEqual({ matched: true, approved: false });
		},
	);

	it.each([
		[''],
		['?'],
		['…'],
		['not ok'],
		['yes, but not today'],
		['yesterday'],
		['ok no'],
		['Yes 👎'],
		['👍👎'],
		['No, yes please'],
		['OK not ok'],
		['Y N'],
		['Yes?'],
		['OK?!'],
		['Yes ？'],
		['نعم؟'],
		['Yes\u037e'],
		['Ναι;'],
		['OK για σένα;'],
		['¿Sí'],
		['Yes ❓'],
		['No?'],
		['Yes please 👍?'],
	])('finds neither in “%s”, since a guess could buy something', (text) => {
		expect(approvalOf(text)).toEqual({ matched: false, approved: false });
	});

	it.each([
		['Yes please 👍', true],
		['Yes, yes!', true],
		['👍👍🏽', true],
		['Ok, sure 👍', true],
		['No, no thanks', false],
		['👎 nope', false],
	])('finds in “%s” what all of its words say: %s', (text, approved) => {
		expect(approvalOf(text)).toEqual({ matched: true, approved });
	});

	it.each([
		'Confirmed',
		'confirmed.',
		'Yeah',
		'YEAH!',
		'Yup',
		'yup 👍',
		'Yeah yeah',
		'Yes ;)',
		'Yes;',
		'ok ;-)',
		'да;',
		'はい；',
		'Yes 😊',
		'Yes thank you ❤️🙏🏽',
		'Sure 🙂 mate',
		'Yes thanks',
		'Yes, thanks!',
		'Yes thx',
		'Yes mate',
		'Yes thanks mate',
		'Yes please mate',
		'Yeah mate, thanks',
		'OK thank you',
		'Sure, thx',
		'Oui thanks',
		'はい thanks',
		'👍 thanks',
		'👍🏽 please',
		'ＹＥＳ ＴＨＡＮＫＳ',
		'Yés thánks',
		'yes\u200b thanks',
		'Approve please',
		'O.K.',
		'o k thanks',
		'Yesplease',
		'Confirmed, thanks mate ;)',
	])('finds a yes in “%s”, as people write it', (text) => {
		expect(approvalOf(text)).toEqual({ matched: true, approved: true });
	});

	it.each([
		'Nah',
		'nah!',
		'Nah mate',
		'Nah thanks',
		'No thanks',
		'No thanks mate',
		'No thank you mate',
		'No 🙏',
		'Nope, thx',
		'no please',
		'Nothanks',
		'No ;)',
		'👎 mate',
		'Nein thanks',
		'нет; thanks',
		'nah nah',
	])('finds a no in “%s”, as people write it', (text) => {
		expect(approvalOf(text)).toEqual({ matched: true, approved: false });
	});

	it.each([
		'😊',
		'Yes 😡',
		'No 👍',
		'Yes 😂',
		'thanks',
		'Thanks mate',
		'please',
		'Thank you',
		'mate',
		'thx!',
		'Thanks, yes',
		'Mate yes',
		'please approve it',
		'Yeah nah',
		'Nah yeah',
		'Yeah, nah, yeah mate',
		'Yes no thanks',
		'Yes, no thank you',
		'Not ok thanks',
		'not confirmed',
		'Unconfirmed',
		'Yes thanks?',
		'Yeah mate?',
		'Confirmed?',
		'Yes thanks but not today',
		'Yes thanks not today mate',
		'No worries mate',
		'No problem, thanks',
		'Yes mates',
		'Yes thankless',
		'Yes teammate',
		'Nahum',
		'yeahs',
		'Yuppie',
		'Ναι thanks;',
		'Yes \u037e)',
		'Yes ¿',
		`Yes${' thanks'.repeat(200)}`,
		';)',
	])('finds neither in “%s”, which says neither or asks', (text) => {
		expect(approvalOf(text)).toEqual({ matched: false, approved: false });
	});

	it('takes thanks and the like for what a word says', () => {
		const words = { approveWords: ['Go', 'Please'], declineWords: ['Thanks', 'Go mate'] };
		expect(answerTo(words, 'please')).toEqual({ matched: true, approved: true });
		expect(answerTo(words, 'go please')).toEqual({ matched: true, approved: true });
		expect(answerTo(words, 'thanks mate')).toEqual({ matched: true, approved: false });
		expect(answerTo(words, 'go mate')).toEqual({ matched: true, approved: false });
		expect(answerTo(words, 'go thanks')).toEqual({ matched: false, approved: false });
		expect(answerTo(words, 'go go mate')).toEqual({ matched: false, approved: false });
	});

	it('takes a word without its spaces, but not those between digits', () => {
		const words = { approveWords: ['PAY 4711'], declineWords: ['No'] };
		for (const text of ['PAY4711', 'pay-4711', 'pay 4711 please', 'Pay4711, thanks']) {
			expect(answerTo(words, text)).toEqual({ matched: true, approved: true });
		}
		for (const text of ['PAY 47 11', 'PAY 4 711', 'PAY 47111', '4711', 'pay4711?']) {
			expect(answerTo(words, text)).toEqual({ matched: false, approved: false });
		}
	});

	it('takes words that hold each other for neither, unless they are the whole text', () => {
		const words = { approveWords: ['Pay', 'Now'], declineWords: ['Pay now', 'No'] };
		expect(answerTo(words, 'pay now')).toEqual({ matched: true, approved: false });
		expect(answerTo(words, 'pay now pay')).toEqual({ matched: false, approved: false });
	});

	it('takes a question mark that the word itself has', () => {
		const words = { approveWords: ['Why not?'] };
		expect(answerTo(words, 'why not?')).toEqual({ matched: true, approved: true });
	});

	it('is ended by an opt-out with a question mark', () => {
		expect(classifyReply(question(), inbound('Stop?')).kind).toBe('optOut');
		expect(classifyReply(question(), inbound('Cancel?')).kind).toBe('optOut');
	});

	it.each([
		['approveWords', true],
		['declineWords', false],
	])('takes each word that the panel shows for what it is there: %s', (name, approved) => {
		const answers = defaultWords(name).map((word) => [word, approvalOf(word)]);
		expect(answers.length).toBeGreaterThan(10);
		expect(answers).toEqual(answers.map(([word]) => [word, { matched: true, approved }]));
	});
});

describe('a choice', () => {
	const days = ['Tuesday', 'Thursday, 3 pm', 'Neither'];

	it.each([
		['tuesday', 'Tuesday'],
		['THURSDAY 3PM', 'Thursday, 3 pm'],
		['thurs day 3 pm', 'Thursday, 3 pm'],
		['thursday 3 pm', 'Thursday, 3 pm'],
		['1', 'Tuesday'],
		['2.', 'Thursday, 3 pm'],
		['(3)', 'Neither'],
		['#3', 'Neither'],
		['３', 'Neither'],
		['٢', 'Thursday, 3 pm'],
		['۲', 'Thursday, 3 pm'],
		['२.', 'Thursday, 3 pm'],
		['2️⃣', 'Thursday, 3 pm'],
		['٣ Neither', 'Neither'],
		['1) Tuesday', 'Tuesday'],
		['1 Neither', undefined],
		['0', undefined],
		['4', undefined],
		['99999999999', undefined],
		['', undefined],
		['!', undefined],
		['Tuesday?', undefined],
		['2?', undefined],
		['1) Tuesday？', undefined],
	])('reads “%s” as %s', (text, choice) => {
		expect(choiceOf(days, text)).toBe(choice);
	});

	const times = [
		'9 am',
		'2pm',
		'24 Dec',
		'Pick up',
		'10:30 am',
		'Café Zoë',
		'No thanks',
		'午後 三時',
	];

	it.each([
		['9am', '9 am'],
		['9AM', '9 am'],
		['9 a m', '9 am'],
		['9a.m.', '9 am'],
		['９ａｍ', '9 am'],
		['٩am', '9 am'],
		['9am thanks', '9 am'],
		['9 am please', '9 am'],
		['9 am, thanks mate', '9 am'],
		['9am ;)', '9 am'],
		['2 pm', '2pm'],
		['2 PM!', '2pm'],
		['2 pm thx', '2pm'],
		['2 thanks', '2pm'],
		['9 please', '9 am'],
		['24dec', '24 Dec'],
		['24 Dec.', '24 Dec'],
		['24-dec', '24 Dec'],
		['Pickup', 'Pick up'],
		['pick-up', 'Pick up'],
		['PICKUP mate', 'Pick up'],
		['Pick\u200bup', 'Pick up'],
		['pick\u00a0up', 'Pick up'],
		['10:30am', '10:30 am'],
		['10.30am', '10:30 am'],
		['10 30 am', '10:30 am'],
		['cafezoe', 'Café Zoë'],
		['CAFÉ ZOË thank you', 'Café Zoë'],
		['No thanks', 'No thanks'],
		['nothanks', 'No thanks'],
		['No thanks mate', 'No thanks'],
		['午後三時', '午後 三時'],
		['午後三時 please', '午後 三時'],
	])('reads “%s” as %s, as people write it', (text, choice) => {
		expect(choiceOf(times, text)).toBe(choice);
	});

	it.each([
		'9am?',
		'9am or 2pm',
		'9am 2pm',
		'9 amen',
		'19am',
		'1 9am',
		'2 4 dec',
		'24 dece',
		'4dec',
		'2 4',
		'2 4 please',
		'pick',
		'up',
		'Pickup truck',
		'Pick me up',
		'10 30',
		'1030am',
		'10:3 0am',
		'thanks',
		'please',
		'mate',
		'thanks mate',
		'no',
		'please 9am',
		'mate 2pm',
		'9 am not thanks',
		'cafe',
		'三時',
		'9am\u037e',
		' ;) ',
		`9am${' thanks'.repeat(100_000)}`,
	])('reads “%s” as none of them', (text) => {
		expect(choiceOf(times, text)).toBeUndefined();
	});

	it('takes a text without its spaces only where one choice is meant', () => {
		const alike = ['Pick up', 'Pickup', 'Other'];
		expect(choiceOf(alike, 'pickup')).toBe('Pickup');
		expect(choiceOf(alike, 'pick-up')).toBe('Pick up');
		expect(choiceOf(alike, 'pic kup')).toBeUndefined();
	});

	it('takes digits apart for no number', () => {
		const twelve = Array.from(
			{ length: 12 },
			(_, index) => `Place ${String.fromCharCode(65 + index)}`,
		);
		for (const text of ['1 2', '1-2', '1, 2', '1.2', '１ ２', '1 2 please']) {
			expect(choiceOf(twelve, text)).toBeUndefined();
			expect(choiceOf(['12', '5', '7'], text)).toBeUndefined();
		}
		expect(choiceOf(twelve, '12 please')).toBe('Place L');
		expect(choiceOf(twelve, '2 placeb')).toBe('Place B');
		expect(choiceOf(twelve, '2 please')).toBe('Place B');
	});

	it('takes thanks and the like for what a choice says', () => {
		const choices = ['Tea', 'Tea please', 'Thanks', 'Mate'];
		expect(choiceOf(choices, 'tea please')).toBe('Tea please');
		expect(choiceOf(choices, 'tea thx')).toBe('Tea');
		expect(choiceOf(choices, 'thanks')).toBe('Thanks');
		expect(choiceOf(choices, 'mate please')).toBe('Mate');
		expect(choiceOf(choices, 'tea thanks')).toBeUndefined();
		expect(choiceOf(choices, 'tea mate')).toBeUndefined();
	});

	it.each(Intl.supportedValuesOf('numberingSystem'))('reads the digits of %s', (system) => {
		const places = Array.from({ length: 99 }, (_, place) => `Place ${'x'.repeat(place)}`);
		const digits = new Intl.NumberFormat('en', { numberingSystem: system } as object);
		for (const number of [10, 23, 45, 67, 89]) {
			const text = digits.format(number);
			if (/^\p{Nd}+$/u.test(text)) expect(choiceOf(places, text)).toBe(places[number - 1]);
		}
	});

	it('reads a question mark as part of a choice that has one', () => {
		expect(choiceOf(['Why?', 'Go on'], 'why?')).toBe('Why?');
		expect(choiceOf(['Why?', 'Go on'], '1. Why?')).toBe('Why?');
		expect(choiceOf(['Why?', 'Go on'], '1')).toBe('Why?');
		expect(choiceOf(['Why?', 'Go on'], '1?')).toBeUndefined();
		expect(choiceOf(['Why?', 'Go on'], '2. Go on?')).toBeUndefined();
	});

	it('takes neither CANCEL with a question mark for an opt-out, nor for the choice', () => {
		const choice = question({ responseType: 'choice', choices: ['Keep', 'Cancel'] });
		expect(classifyReply(choice, inbound('Cancel?'))).toEqual({ kind: 'noMatch' });
	});

	it('takes a number for no place where another choice has it, unless the message numbered them', () => {
		const slots = ['Mon 2pm', 'Mon 3pm', 'Mon 4pm'];
		for (const text of ['2', '3 please', '(2)']) {
			expect(choiceOf(slots, text, ['Mon 2pm, Mon 3pm or Mon 4pm?'])).toBeUndefined();
			expect(choiceOf(['Tue 2 Dec', 'Wed 3 Dec', 'Thu 4 Dec'], text)).toBeUndefined();
		}
		expect(choiceOf(slots, '1')).toBe('Mon 2pm');
		expect(choiceOf(slots, '2. Mon 3pm')).toBe('Mon 3pm');
		expect(choiceOf(slots, '2', ['1. Mon 2pm\n2. Mon 3pm\n3. Mon 4pm'])).toBe('Mon 3pm');
		expect(choiceOf(['Mon 9am', 'Wed 2pm'], '2')).toBe('Wed 2pm');
		expect(choiceOf(['Mon 2pm', 'Mon 3pm', 'Neither'], '2')).toBeUndefined();
	});

	it('takes a number for the place that the message gives it, also where choices begin with numbers', () => {
		const times = ['2pm', '3pm', '4pm'];
		expect(choiceOf(times, '2', ['Which time?\n1. 2pm\n2. 3pm\n3. 4pm'])).toBe('3pm');
		expect(choiceOf(times, '1', ['Which time?\n1. 2pm\n2. 3pm\n3. 4pm'])).toBe('2pm');
		expect(choiceOf(times, '2. 3pm', ['1. 2pm 2. 3pm 3. 4pm'])).toBe('3pm');
		expect(choiceOf(['2pm', '3pm'], '2', ['Reply 1 for 2pm or 2 for 3pm'])).toBe('3pm');
		const hours = ['9am', '10am', '11am', '1pm', '2pm'];
		expect(choiceOf(hours, '1', ['1) 9am 2) 10am 3) 11am 4) 1pm 5) 2pm'])).toBe('9am');
		expect(choiceOf(times, '2', ['2pm, 3pm or 4pm?'])).toBe('2pm');
		expect(choiceOf(['Mon 1pm', 'Mon 2pm'], '2', ['1 Mon 1pm, 2 Mon 2pm'])).toBe('Mon 2pm');
		expect(choiceOf(['2', '4', '6'], '2', ['1. 2 guests 2. 4 guests 3. 6 guests'])).toBe('4');
	});

	it.each([
		['Is 3 o’clock fine? 1 = yes, 2 = no'],
		['Yes (1) or no (2)?'],
		['For yes reply 1, for no reply 2'],
		['Yes or no? Reply 1 or 2'],
		['Yes or no on 3 May? Reply 1 or 2'],
		['1=yes, 2=no'],
		['For yes reply 1 (before 9 am). For no reply 2'],
		['Yes or no?'],
	])('takes a number for the place of a choice in “%s”', (message) => {
		expect(choiceOf(['Yes', 'No'], '1', [message])).toBe('Yes');
		expect(choiceOf(['Yes', 'No'], '2', [message])).toBe('No');
	});

	it.each([
		[['Dec 2', 'Dec 3', 'Dec 4'], '2', 'Dec 2, Dec 3 or Dec 4?'],
		[['Dec 2', 'Dec 3', 'Dec 4'], '3', 'Dec 2, Dec 3 or Dec 4?'],
		[['Mon at 2', 'Mon at 3'], '2', 'Mon at 2 or Mon at 3?'],
		[['9am', '1pm'], '1', 'For 9am reply 1, for 1pm reply 2'],
		[['Yes', 'No'], '1', 'Reply 1 to come or 2 to stay at home'],
		[['No', 'Yes'], '1', 'Reply 1 to confirm, 2 to decline'],
		[['Cancel', 'Keep'], '1', 'Reply 1 to stay, 2 if you cannot come'],
		[['9am', '10am', '1pm', '2pm'], '2', '9am (1), 10am (2), 1pm (3) or 2pm (4)'],
		[['9am', '1pm'], '1', '9am = 1, 1pm = 2'],
		[['Mon 2pm', 'Neither'], '2', 'Can you come Mon 2pm or neither?'],
		[['Now', 'In 1 hour', 'In 2 hours'], '1', 'Now, In 1 hour or In 2 hours?'],
		[['Yes', 'No'], '2', '2 tickets are left. Shall we book for you? Yes or no'],
		[['Yes', 'No'], '2', 'Will you bring 1 or 2 guests to dinner? Reply YES or NO'],
		[['Keep', 'Cancel'], '1', 'Reply 1 to cancel, 2 to keep your booking'],
		[['Great', 'OK', 'Terrible'], '1', 'How was your visit, from 1 (terrible) to 3 (great)?'],
		[['Yes', 'No'], '1', 'Reply 0 for yes, 1 for no'],
		[['Yes', 'No'], '1', 'Reply 0 for yes, 1 for no, 2 to talk to us'],
		[['Keep', 'Cancel'], '1', 'Reply 1=cancel, 2=keep'],
	])('of %j, takes %s for none where it may mean two', (choices, text, sent) => {
		expect(choiceOf(choices, text, [sent])).toBeUndefined();
	});

	it('goes by the numbers of the message about an unexpected reply, too', () => {
		const choice = question({
			...{ responseType: 'choice', choices: ['2pm', '3pm'], sent: ['2pm or 3pm?'] },
			unexpectedReplyMessage: 'Please reply 1 for 2pm or 2 for 3pm',
		});
		expect(classifyReply(choice, inbound('2'))).toMatchObject({ answer: { choice: '3pm' } });
	});

	it('takes a number for itself where the choices are numbers', () => {
		expect(choiceOf(['2', '4', '6'], '2')).toBe('2');
		expect(choiceOf(['2', '4', '6'], '3')).toBeUndefined();
	});

	it.each([
		['3', '3 pm'],
		['(3)', '3 pm'],
		['1', undefined],
		['10', undefined],
	])(
		'takes “%s” for the choice that begins with it, and never for a place beside such',
		(text, choice) => {
			expect(choiceOf(['2 pm', '3 pm', '4pm', '10:15', '10:45'], text)).toBe(choice);
		},
	);
});

describe('an opt-out keyword', () => {
	it.each([['STOP'], ['stop.'], ['Stop stop!'], ['Unsubscribe'], ['Opt-out'], ['Cancel']])(
		'“%s” ends the question',
		(text) => {
			expect(classifyReply(question(), inbound(text)).kind).toBe('optOut');
		},
	);

	it.each([['Stop texting me'], ['Please stop'], ['Please unsubscribe me']])(
		'“%s”, in other words, ends each kind of question, whatever else it would do',
		(text) => {
			const kinds: Array<Partial<Question>> = [
				{ responseType: 'freeText' },
				{ responseType: 'approval', onUnexpectedReply: 'keepWaiting' },
				{ responseType: 'choice', choices: ['Go', 'Stay'] },
			];
			for (const kind of kinds) {
				expect(classifyReply(question(kind), inbound(text))).toEqual({ kind: 'optOut', text });
			}
		},
	);

	it('is an answer where it is a choice, but STOP never is', () => {
		const answer = (choices: string[], text: string) =>
			classifyReply(question({ responseType: 'choice', choices }), inbound(text)).kind;
		expect(answer(['Keep', 'Cancel'], 'cancel')).toBe('answer');
		expect(answer(['Go', 'Stop'], 'stop')).toBe('optOut');
		expect(answer(['Keep the delivery', 'Stop the delivery'], 'stop the delivery!')).toBe('answer');
	});

	it('is an answer with an emoji, or at least no opt-out', () => {
		const cancel = question({
			...{ responseType: 'choice', choices: ['Keep', 'Cancel'] },
			onUnexpectedReply: 'keepWaiting',
		});
		for (const emoji of ['😢', '😔', '👍', '☹️', '❌']) {
			expect(classifyReply(cancel, inbound(`Cancel ${emoji}`)).kind).not.toBe('optOut');
		}
		expect(classifyReply(question(), inbound('Cancel 😢')).kind).toBe('optOut');
	});

	it.each(['Bad. Stop', 'BAD STOP', 'bad, please stop'])('counts after an answer: “%s”', (text) => {
		const survey = { responseType: 'choice', choices: ['Good', 'OK', 'Bad'] } as const;
		const keeps = { onUnexpectedReply: 'keepWaiting' } as const;
		const asked = question({ ...survey, choices: [...survey.choices], ...keeps });
		expect(classifyReply(asked, inbound(text)).kind).toBe('optOut');
	});

	it('is an answer without the spaces of the choice, too', () => {
		const choice = question({ responseType: 'choice', choices: ['Opt-out', 'Stay'] });
		expect(classifyReply(choice, inbound('optout')).kind).toBe('answer');
		expect(classifyReply(question(), inbound('opt out')).kind).toBe('optOut');
	});

	it('is an answer, too, where it says a word for no twice', () => {
		const approval = question({ responseType: 'approval', declineWords: ['No', 'Cancel'] });
		expect(classifyReply(approval, inbound('Cancel, cancel!'))).toMatchObject({
			kind: 'answer',
			answer: { approved: false },
		});
	});
});

describe('what is parked as a question', () => {
	it('is taken when it is one', () => {
		expect(readQuestion(question())).toEqual(question());
		for (const value of [undefined, null, 'a', [], {}, { ...question(), senders: 'a' }]) {
			expect(readQuestion(value)).toBeUndefined();
		}
	});
});
