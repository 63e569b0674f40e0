import { replyTypes } from '../events/question';
import { plainWords } from '../events/plainText';
import { answerable } from './answerable';
import { field, shownWhen } from './field';
import { oneOf } from './readers/choice';
import { textList, wordList } from './readers/list';
import { senderNumber } from './readers/phone';
import { refuse } from './refusal';
import { senderField } from './sender';
import { waitLimit } from './waitLimit';

/** A sender that can be answered. */
export const replySender = senderField(
	{
		description:
			'A number of your account that can receive SMS: the reply goes there. Nobody can answer a name.',
		hint: 'A number of your account that can receive SMS',
		by: 'Number',
	},
	senderNumber,
);

const replyType = field(
	{
		displayName: 'Reply Type',
		name: 'replyType',
		type: 'options',
		options: [
			{
				name: 'Approval',
				value: 'approval',
				description: 'A word for yes or no, e.g. “Yes” or “No thanks”',
			},
			{
				name: 'Choice',
				value: 'choice',
				description: 'One of the choices, by its words or by its number in the list',
			},
			{ name: 'Free Text', value: 'freeText', description: 'Any text' },
		],
		default: 'freeText',
		description:
			'What counts as an answer. Say in the message what to write, e.g. “Reply YES or NO”.',
	},
	oneOf(replyTypes),
);

const fewestChoices = 2;
const mostChoices = 99;

/** One text can hold all of them. Two that read the same to whoever answers would be one. */
const readChoices = (value: unknown): string[] => {
	const texts = textList(value);
	const choices = texts.length === 1 ? wordList(texts) : texts;
	if (choices.length < fewestChoices || choices.length > mostChoices) {
		return refuse(
			`does not have ${fewestChoices} to ${mostChoices} choices`,
			'Add the texts that people can answer, e.g. Morning and Afternoon',
		);
	}
	const plain = choices.map(plainWords);
	if (new Set(plain).size < choices.length || plain.includes('')) {
		return refuse('has choices that cannot be told apart', 'Use different words for each');
	}
	return answerable(choices);
};

const choices = shownWhen(
	{ replyType: ['choice'] },
	field(
		{
			displayName: 'Choices',
			name: 'choices',
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Choice' },
			required: true,
			default: [],
			placeholder: 'e.g. Morning, Afternoon',
			description:
				'What can be answered. Case, spaces and punctuation do not count, and a number stands for the place in the list: 2 is the second one, unless choices begin with numbers themselves. Several can also be separated by commas.',
		},
		readChoices,
	),
);

/** What a question asks for, on any channel. */
export const questionFields = [replyType, choices, ...waitLimit] as const;
