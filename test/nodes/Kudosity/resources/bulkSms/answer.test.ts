import { expect, it } from 'vitest';
import {
	ApiError,
	CancelledError,
	InputError,
	NoAnswerError,
	NotSentError,
	answerOf,
	requestsOf,
} from '../../../../seams.ts';

const inputTo = (numbers: string[]) => ({
	message: 'Hi',
	sender: 'Acme',
	recipients: { numbers, refused: [] },
	options: {},
});

it('names the contacts of a list who got nothing, for the first item that sends to it', () => {
	const input = { message: 'Hi', sender: 'Acme', listId: '4100002', options: {} };
	const [request] = requestsOf([input, input]);
	const value = {
		message_id: '1',
		recipients: 3,
		fails: ['61000000'],
		optouts: ['61491570156'],
	};
	const answers = request?.shares.map(({ share }) =>
		answerOf(input, [{ share, result: { status: 'fulfilled', value } }]),
	);

	expect(answers).toMatchObject([
		{
			recipients: 3,
			not_sent: [
				{ number: '61000000', code: 'invalid_number' },
				{ number: '61491570156', code: 'opted_out' },
			],
		},
		{ recipients: 0, not_sent: [], duplicate: true },
	]);
});

it.each([
	[new NoAnswerError('ECONNREFUSED', false), 'unreachable'],
	[new NoAnswerError('ECONNRESET', true), 'outcome_unknown'],
	[new NotSentError(new Error('No credential')), 'credential'],
	[new CancelledError(), 'canceled'],
	[new InputError('Wrong', 'Mend it', 'guard'), 'guard'],
])('says why numbers were not sent beside others that were: %s', (reason, code) => {
	const [ana, ben] = ['61491570006', '61491570156'] as const;
	const value = { message_id: '1', recipients: 1 };
	const answer = answerOf(inputTo([ana, ben]), [
		{ share: { own: [ana], duplicates: [] }, result: { status: 'fulfilled', value } },
		{ share: { own: [ben], duplicates: [] }, result: { status: 'rejected', reason } },
	]);

	expect(answer).toMatchObject({ recipients: 1, not_sent: [{ number: ben, code }] });
});

it('takes a number that the service lists twice for one', () => {
	const numbers = ['61000001', '61491570156'];
	const value = { message_id: '1', recipients: 1, fails: ['61000001'], optouts: ['61000001'] };
	const share = { own: numbers, duplicates: [] };

	expect(
		answerOf(inputTo(numbers), [{ share, result: { status: 'fulfilled', value } }]),
	).toMatchObject({
		recipients: 1,
	});
});

it('names the numbers of the item only where its request was refused for them, and not those of others', () => {
	const numbers = ['61000001', '61491570156'];
	const reason = new ApiError({
		status: 400,
		code: 'RECIPIENTS_ERROR',
		failedRecipients: ['61000001', '62000002'],
		optedOutRecipients: ['61491570156'],
	});
	const result = { status: 'rejected', reason } as const;

	expect(() =>
		answerOf(inputTo(numbers), [{ share: { own: numbers, duplicates: [] }, result }]),
	).toThrow(
		expect.objectContaining({
			numbers: { failedRecipients: ['61000001'], optedOutRecipients: ['61491570156'] },
		}),
	);
});
