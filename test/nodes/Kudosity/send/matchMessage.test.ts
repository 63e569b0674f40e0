import { describe, expect, it } from 'vitest';
import { matchMessages } from '../../../seams.ts';

type Sought = Parameters<typeof matchMessages>[0][number];
type Found = Parameters<typeof matchMessages>[1][number];

const message = {
	reference: 'n8n-1',
	recipient: '61491570006',
	sender: 'Acme',
	text: 'Hello Sam',
};
const span = { fromMs: 1_000, toMs: 2_000 };
const own: Sought = { ...message, isOwnReference: true };
/** With a reference of the user's, which others may have as well. */
const users: Sought = { ...message, reference: 'order-7', isOwnReference: false, span };

const recordOf = (sought: Sought, others: Partial<Found> = {}): Found => {
	const { reference, recipient, sender, text } = sought;
	return { reference, recipient, sender, text, id: 'a', createdMs: 1_500, answer: {}, ...others };
};
const idsOf = (sought: Sought[], found: Found[], taken: string[] = []) =>
	matchMessages(sought, found, (id) => taken.includes(id)).map((each) => each?.id);

const both: Array<[string, Sought]> = [
	['a reference of our own', own],
	["a reference of the user's", users],
];

describe.each(both)('a message with %s', (_, sought) => {
	it('is found when everything is the same', () => {
		expect(idsOf([sought], [recordOf(sought)])).toEqual(['a']);
	});

	it.each([
		{ reference: 'order-8' },
		{ reference: `${sought.reference} ` },
		{ recipient: '61491570156' },
		{ sender: 'Acme Inc' },
		{ text: 'Hello Ben' },
		{ text: '' },
	])('is not found when %j differs', (others) => {
		expect(idsOf([sought], [recordOf(sought, others)])).toEqual([undefined]);
	});

	it.each([{ recipient: '+61491570006' }, { sender: 'ACME' }])(
		'is found when the service writes %j',
		(others) => {
			expect(idsOf([sought], [recordOf(sought, others)])).toEqual(['a']);
		},
	);

	it('is found when the service writes the same person in another way', () => {
		const mexican = { ...sought, recipient: '525512345678' };
		const found = recordOf(mexican, { recipient: '5215512345678' });
		expect(idsOf([mexican], [found])).toEqual(['a']);
	});

	it('is not found when the service has two of them', () => {
		const records = [recordOf(sought), recordOf(sought, { id: 'b' })];
		expect(idsOf([sought], records)).toEqual([undefined]);
	});

	it('is found once when it was read twice', () => {
		expect(idsOf([sought], [recordOf(sought), recordOf(sought)])).toEqual(['a']);
	});

	it('is not what another item was answered with', () => {
		expect(idsOf([sought], [recordOf(sought)], ['a'])).toEqual([undefined]);
		const records = [recordOf(sought), recordOf(sought, { id: 'b' })];
		expect(idsOf([sought], records, ['a'])).toEqual(['b']);
	});

	it('is nobody’s when two items may have sent it', () => {
		expect(idsOf([sought, sought], [recordOf(sought)])).toEqual([undefined, undefined]);
		const records = [recordOf(sought), recordOf(sought, { id: 'b' })];
		expect(idsOf([sought, sought], records)).toEqual([undefined, undefined]);
	});

	it('is found beside others', () => {
		const other = { ...sought, text: 'Hello Ben' };
		const records = [recordOf(other, { id: 'b' }), recordOf(sought)];
		expect(idsOf([sought, other, own], records)[0]).toBe(sought === own ? undefined : 'a');
		expect(idsOf([sought, other], records)).toEqual(['a', 'b']);
	});
});

describe('the time at which a message was created', () => {
	it.each([
		[999, undefined],
		[1_000, 'a'],
		[2_000, 'a'],
		[2_001, undefined],
		[NaN, undefined],
	])("counts where the reference is the user's: %d", (createdMs, id) => {
		expect(idsOf([users], [recordOf(users, { createdMs })])).toEqual([id]);
	});

	it('tells nothing where the clocks cannot be compared', () => {
		const timeless = { ...users, span: undefined };
		expect(idsOf([timeless], [recordOf(users)])).toEqual([undefined]);
	});

	it('does not matter where nobody else can have the reference', () => {
		expect(idsOf([own], [recordOf(own, { createdMs: 0 })])).toEqual(['a']);
	});
});

describe('a text that comes back from the service', () => {
	/** Whether `sent` is taken for the message with this text. */
	const isFound = (text: string, sent: string, rewritten?: RegExp) =>
		idsOf([{ ...own, text, rewritten }], [recordOf(own, { text: sent })])[0] === 'a';

	it.each([
		['Hello  Sam\r\n', 'Hello Sam'],
		['Hello\u00a0Sam', 'Hello Sam'],
		['Cafe\u0301', 'Café'],
		['Hello Sam', 'Hello\n Sam '],
	])('is the same without differences of white space and encoding: %j', (text, sent) => {
		expect(isFound(text, sent)).toBe(true);
	});

	it.each([
		['Bye [opt-out-link]', 'Bye https://k.example/o/1', true],
		['Out: [opt-out-link]. Bye', 'Out: https://k.example/o/1. Bye', true],
		['[opt-out-link] or [opt-out-link]', 'https://k.example/1 or https://k.example/2', true],
		['Bye [opt-out-link]', 'Good bye https://k.example/o/1', false],
		['Out: [opt-out-link]. Bye', 'Out: https://k.example/o/1. See you', false],
		['a[opt-out-link]a', 'a', false],
		['See https://shop.example/7', 'See https://k.example/1', false],
	])('%j may be %j: %j', (text, sent, isIt) => {
		expect(isFound(text, sent)).toBe(isIt);
	});

	it('has other links where links are tracked', () => {
		const links = /https?:\/\/\S+/;
		expect(isFound('See https://shop.example/7 now', 'See https://k.io/1 now', links)).toBe(true);
		expect(isFound('See https://shop.example/7 now', 'Buy https://k.io/1 now', links)).toBe(false);
	});

	it('is compared in no time, whatever its length', () => {
		const text = '[opt-out-link]a'.repeat(5_000);
		expect(isFound(text, 'a'.repeat(100_000))).toBe(true);
		expect(isFound(`${text}b`, 'a'.repeat(100_000))).toBe(false);
	});
});
