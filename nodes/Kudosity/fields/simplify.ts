import type { Json } from '../api/json';
import { mapRecords } from '../api/pagination';
import { simplifyMessage, type Channel } from '../events/simplifyMessage';
import { field } from './field';
import { trueOrFalse } from './readers/number';

/** Of every operation that gets messages, in n8n's fixed wording. */
export const simplify = field(
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	trueOrFalse,
);

/** A message as the field wants it. */
export const inForm =
	(channel: Channel, isSimple = true) =>
	(message: Json): Json =>
		isSimple ? simplifyMessage(channel, message) : message;

/** Each message of a list as the field wants it. */
export const allInForm = (
	channel: Channel,
	isSimple: boolean | undefined,
	messages: AsyncIterable<Json>,
): AsyncGenerator<Json> => mapRecords(messages, inForm(channel, isSimple));
