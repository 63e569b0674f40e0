import { InputError } from '../api/errors';
import { charactersIn, messageParts, type MessageParts } from '../api/messageParts';
import { defaultMaxParts } from '../fields/sendOptions';

const remedies = {
	'GSM-7': "or raise 'Max Parts'",
	Unicode: "leave out emoji and other characters outside of the GSM alphabet, or raise 'Max Parts'",
};

/**
 * How many SMS a text takes; `field` is what the panel calls it.
 *
 * @throws InputError it takes more than Max Parts allows
 */
export const countParts = (
	text: string,
	mostParts = defaultMaxParts,
	field = 'Message',
): MessageParts => {
	const counted = messageParts(text);
	const { parts, encoding } = counted;
	if (parts <= mostParts) return counted;
	const room = charactersIn(mostParts, encoding);
	throw new InputError(
		`'${field}' takes ${parts} parts (${encoding}), and 'Max Parts' allows ${mostParts}`,
		`Nothing was sent. Shorten the message to ${room} characters, ${remedies[encoding]}`,
		'guard',
	);
};
