import { describe, expect, it } from 'vitest';
import { judge, readEvent, simplifyEvent, textOf, wordsOf } from '../../../seams.ts';

const [contact, sender] = ['61491570006', '61491570156'];
const text = { text: { message: 'Yes' } };
const button = { button: { text: 'Yes', payload: 'approve' } };
const reply = { reply: { id: 'slot-2', title: 'Yes' } };

describe('the words of a message', () => {
	it.each([
		['are its own text', { message: 'No', content: text }, 'No', 'No'],
		['are the text of its content', { message: null, content: text }, 'Yes', 'Yes'],
		['are that text also beside an empty one', { message: '', content: text }, '', 'Yes'],
		['are those of a button', { content: button }, undefined, 'Yes'],
		['are those of a chosen answer', { content: reply }, undefined, 'Yes'],
		['are none where there is only a file', { content: { image: {} } }, undefined, ''],
		['are none where there is nothing', {}, undefined, ''],
	])('%s', (_, message, itsText, itsWords) => {
		expect(textOf(message)).toBe(itsText);
		expect(wordsOf(message)).toBe(itsWords);
	});

	it.each([text, button, reply])('are the same for a record and for a question: %j', (content) => {
		const received = readEvent({
			event_type: 'WHATSAPP_INBOUND',
			timestamp: '2026-01-31T09:00:00Z',
			mo: { type: 'WHATSAPP', id: 'mo-1', sender: contact, recipient: sender, content },
		})!;
		const question = { ask: 'a', reference: 'r', contact, senders: [sender] };
		const verdict = judge(
			{ ...question, replyType: 'freeText', onNoMatch: 'keepWaiting' },
			received,
		);
		expect(verdict).toEqual({ kind: 'answer', text: 'Yes', answer: {} });
		expect(simplifyEvent(received.event!)).toMatchObject({ keyword: 'YES', isStopWord: false });
	});
});
