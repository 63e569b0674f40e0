import { expect, it } from 'vitest';
import { answerOf } from '../../../../../nodes/Kudosity/resources/bulkSms/answer.ts';
import { requestsOf } from '../../../../../nodes/Kudosity/resources/bulkSms/combine.ts';

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
