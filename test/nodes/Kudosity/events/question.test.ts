import { describe, expect, it } from 'vitest';
import { judge, readQuestion, type Question, readEvent } from '../../../seams.ts';

const [contact, sender, stranger] = ['61491570006', '61491570156', '61491571266'];

const question = (changes: Partial<Question> = {}): Question => ({
	ask: 'a',
	reference: 'r',
	contact,
	senders: [sender],
	replyType: 'approval',
	onNoMatch: 'keepWaiting',
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

describe('judge', () => {
	it('takes the answer of whoever was asked, at the number that asked', () => {
		expect(judge(question(), inbound('Yes'))).toEqual({
			kind: 'answer',
			text: 'Yes',
			answer: { matched: true, approved: true },
		});
		expect(judge(question(), inbound('Yes', { sender: `+${contact}` })).kind).toBe('answer');
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
		expect(judge(question(), received)).toEqual({ kind: 'other' });
	});

	it.each([
		{ content_type: 'TEXT', content: { reaction: { action: 'react' } } },
		{ content_type: null, content: { reaction: { action: 'react' } } },
		{ content_type: 'TEXT', content: { text: 'STOP' } },
		{ content_type: 'TEXT', content: null },
	])('takes no answer from what nobody can read: %j', (changes) => {
		const anyText = question({ replyType: 'freeText' });
		const received = inbound('', { message: null, ...changes }, 'WHATSAPP_INBOUND');
		expect(judge(anyText, received)).toEqual({ kind: 'other' });
	});

	it.each([
		['without its channel', { type: null }],
		['with a text that is not there', { content_type: 'TEXT', content: null }],
		['with a picture that has no address', { content_type: 'IMAGE', content: { image: {} } }],
		['with a place in words', { content_type: 'LOCATION', content: { location: 'At home' } }],
	])('takes an answer %s', (_, changes) => {
		const anyText = question({ replyType: 'freeText' });
		expect(judge(anyText, inbound('Yes', changes, 'WHATSAPP_INBOUND'))).toEqual({
			kind: 'answer',
			text: 'Yes',
			answer: {},
		});
	});

	it('takes the words of a button that has nothing else', () => {
		const pressed = { message: null, content_type: 'BUTTON', content: { button: { text: 'Yes' } } };
		expect(judge(question(), inbound('', pressed, 'RCS_INBOUND'))).toMatchObject({
			kind: 'answer',
			answer: { approved: true },
		});
	});

	it('ends with an opt-out, in words or by a link', () => {
		expect(judge(question(), inbound(' Stop '))).toEqual({ kind: 'optOut', text: ' Stop ' });
		expect(judge(question(), optOut())).toEqual({ kind: 'optOut' });
	});

	it('waits on, or goes on, with what does not fit', () => {
		expect(judge(question(), inbound('Why?'))).toEqual({ kind: 'noMatch' });
		expect(judge(question({ onNoMatch: 'continue' }), inbound('Why?'))).toEqual({
			kind: 'answer',
			text: 'Why?',
			answer: { matched: false, approved: false },
		});
		const choice = question({ replyType: 'choice', choices: ['One', 'Other'] });
		expect(judge(choice, inbound('None')).kind).toBe('noMatch');
	});

	it('takes any text where free text is asked for, and a picture without one', () => {
		const free = question({ replyType: 'freeText' });
		expect(judge(free, inbound('Why?'))).toEqual({ kind: 'answer', text: 'Why?', answer: {} });
		const picture = inbound('', { type: 'MMS', message: null }, 'MMS_INBOUND');
		expect(judge(free, picture)).toEqual({ kind: 'answer', text: '', answer: {} });
	});

	it('reads the button that was pressed', () => {
		const content = { button: { text: 'Yes', payload: 'approve' } };
		const pressed = inbound(
			'',
			{ message: null, content_type: 'BUTTON', content },
			'WHATSAPP_INBOUND',
		);
		expect(judge(question(), pressed)).toMatchObject({ answer: { approved: true } });
	});
});

describe('readQuestion', () => {
	it('takes nothing that is no question', () => {
		expect(readQuestion(question())).toEqual(question());
		for (const value of [undefined, null, 'a', [], {}, { ...question(), senders: 'a' }]) {
			expect(readQuestion(value)).toBeUndefined();
		}
	});
});
