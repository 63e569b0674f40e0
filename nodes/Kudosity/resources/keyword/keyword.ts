import { field } from '../../fields/field';
import { atMostLong, optional, trimmedText } from '../../fields/readers/text';
import { refuse } from '../../fields/refusal';

/** The service tells keywords apart by the first word of a message. */
const readKeyword = (value: unknown): string => {
	const text = trimmedText(value);
	return /^\S{1,50}$/.test(text)
		? text
		: refuse('is not one word', 'Use a single word of at most 50 characters, e.g. JOIN');
};

export const keyword = field(
	{
		displayName: 'Keyword',
		name: 'keyword',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. JOIN',
		description: 'The first word of the messages it reacts to; upper and lower case are the same',
	},
	readKeyword,
);

export const reference = field(
	{
		displayName: 'Reference',
		name: 'reference',
		type: 'string',
		default: '',
		placeholder: 'e.g. spring-campaign',
		description: 'Your own reference of at most 100 characters',
	},
	optional(atMostLong(100)),
);
