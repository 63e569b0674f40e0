import { matchByValues, onNoMatchValues } from '../events/question';
import { defaultApproveWords, defaultDeclineWords } from '../events/replyWords';
import { answerable } from './answerable';
import { field } from './field';
import { maybeOneOf } from './readers/choice';
import { wordList } from './readers/list';
import { optionalText } from './readers/text';

const answerWords = (value: unknown): string[] | undefined => {
	const words = wordList(value);
	return words.length === 0 ? undefined : answerable(words);
};

const approveWords = field(
	{
		displayName: 'Approve Words',
		name: 'approveWords',
		type: 'string',
		default: defaultApproveWords.join(', '),
		placeholder: 'e.g. Yes, OK, Book it',
		description:
			'The replies that approve, separated by commas. Case, accents and punctuation do not count. For Reply Type Approval.',
	},
	answerWords,
);

const declineWords = field(
	{
		displayName: 'Decline Words',
		name: 'declineWords',
		type: 'string',
		default: defaultDeclineWords.join(', '),
		placeholder: 'e.g. No, Not now',
		description:
			'The replies that decline, separated by commas. Case, accents and punctuation do not count. For Reply Type Approval.',
	},
	answerWords,
);

const onNoMatch = field(
	{
		displayName: 'When the Reply Does Not Fit',
		name: 'onNoMatch',
		type: 'options',
		options: [
			{
				name: 'Continue',
				value: 'continue',
				description: 'Go on with <code>matched: false</code> and the text',
			},
			{
				name: 'Keep Waiting',
				value: 'keepWaiting',
				description: 'Wait for another reply until the time is over',
			},
		],
		default: 'keepWaiting',
		description: 'What to do with a reply that is no answer. For Reply Type Approval and Choice.',
	},
	maybeOneOf(onNoMatchValues),
);

const explanation = field(
	{
		displayName: 'Explanation',
		name: 'explanation',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. Please reply YES or NO',
		description:
			'Sent once, and charged, to whoever replies something that is no answer while the node keeps waiting. Leave empty to send nothing.',
	},
	optionalText,
);

/** Not on RCS and WhatsApp, whose replies do not name the message before them. */
export const matchBy = field(
	{
		displayName: 'Match Replies By',
		name: 'matchBy',
		type: 'options',
		options: [
			{
				name: 'Person',
				value: 'person',
				description: 'Any reply of the person to the sender. Safe.',
			},
			{
				name: 'This Message',
				value: 'message',
				description:
					'Only replies while this is the latest message to the person: for hundreds of open questions',
			},
		],
		default: 'person',
		description:
			'Which replies Kudosity delivers to this question. By Person, n8n gets each reply once for every question that is open on the sender. By This Message, it gets it once, but does not see a reply that comes after a later message to the same person.',
	},
	maybeOneOf(matchByValues),
);

/** The options of a question, on any channel. */
export const questionOptions = [approveWords, declineWords, explanation, onNoMatch] as const;
