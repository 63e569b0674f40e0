import { z } from 'zod/v4';
import { anything } from './common.schema';

/** Says what is wrong with a value, and how the user can put it right. Never quotes the value. */
export const refuse = (context: z.RefinementCtx, message: string, remedy: string): never => {
	// Without `continue: false` the next step of the schema would get the refused value.
	context.addIssue({ code: 'custom', message, params: { remedy }, continue: false });
	return z.NEVER;
};

/** E.164 allows 15 digits; shorter than 6 is no subscriber anywhere the service delivers. */
const subscriberDigits = { min: 6, max: 15 };

/** Short codes have as few as 3 digits. */
const senderDigits = { min: 3, max: 15 };

const longestSenderName = 11;
const longestMessageRef = 500;

/** The service takes at most this many recipients in one call. */
export const mostRecipients = 500;

const separators = /[\s().\-\u2010-\u2015\u00a0]/g;

/** The digits of a number as people write it, or undefined when it is something else. */
const phoneDigits = (value: string, { min, max }: typeof subscriberDigits): string | undefined => {
	const digits = value.replace(separators, '').replace(/^\+/, '');
	return /^\d+$/.test(digits) && digits.length >= min && digits.length <= max ? digits : undefined;
};

/** NaN comes from arithmetic with a missing value: as a text, it would be the same for every item. */
const isScalar = (value: unknown): value is string | number | boolean =>
	typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/** What an expression can deliver where text is expected: spreadsheets deliver numbers as numbers. */
const scalar = anything.transform((value, context) =>
	isScalar(value)
		? String(value)
		: value === undefined || value === null
			? ''
			: refuse(
					context,
					'is not text',
					'An expression delivered a list, an object or NaN: choose a field that has a value, e.g. {{ $json.name }}',
				),
);

/** Any text, untouched; whatever is only white space counts as empty. */
export const requiredText = scalar.transform((text, context) =>
	text.trim() === ''
		? refuse(context, 'is empty', 'Enter a value, or check that the expression delivers one')
		: text,
);

/** Optional text: an empty field counts as left out. */
export const optionalText = scalar.transform((text) => (text.trim() === '' ? undefined : text));

const phoneRemedy = `Use ${subscriberDigits.min} to ${subscriberDigits.max} digits in international format, e.g. 61491570006. Spaces, hyphens, dots, brackets and a leading + are fine`;

/** A phone number as people and spreadsheets write it, as the digits that the service wants. */
export const phoneNumber = requiredText.transform(
	(text, context) =>
		phoneDigits(text, subscriberDigits) ?? refuse(context, 'is not a phone number', phoneRemedy),
);

/** The digits of a sender that is a phone number; names and agents have none. */
export const senderDigitsOf = (sender: string): string | undefined =>
	phoneDigits(sender, senderDigits);

/** The sender: a number of the account, or a name of at most 11 characters. */
export const senderAddress = requiredText.transform((text, context) => {
	const digits = senderDigitsOf(text);
	if (digits !== undefined) return digits;
	return text.trim().length <= longestSenderName
		? text.trim()
		: refuse(
				context,
				`is longer than ${longestSenderName} characters and no phone number`,
				`Use a number of your account, or a sender name of at most ${longestSenderName} characters`,
			);
});

/** At most 500 characters; the service sends it back in every event about the message. */
export const messageRef = optionalText.transform((text, context) =>
	text !== undefined && text.length > longestMessageRef
		? refuse(context, `is longer than ${longestMessageRef} characters`, 'Use a shorter reference')
		: text,
);

const listRemedy =
	'Use one number, several separated by commas, or an expression that delivers a list of numbers';

const splitRecipients = (value: unknown): unknown[] =>
	Array.isArray(value)
		? value
		: String(value ?? '')
				.split(/[,;\n]/)
				.filter((part) => part.trim() !== '');

/** One number, a comma-separated text or an array: 1 to 500 numbers as digits, each once. */
export const phoneNumberList = anything.transform((value, context): string[] => {
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
		return refuse(context, 'is not a list of phone numbers', listRemedy);
	}
	const parts = splitRecipients(value);
	if (parts.length === 0) return refuse(context, 'is empty', listRemedy);
	if (parts.length > mostRecipients) {
		return refuse(
			context,
			`has ${parts.length} numbers, ${mostRecipients} are allowed`,
			`Split the list, e.g. with a Loop Over Items node, so that each item has at most ${mostRecipients} numbers`,
		);
	}
	const numbers = parts.map((part) => phoneNumber.safeParse(part).data);
	const wrong = numbers.indexOf(undefined);
	return wrong === -1
		? [...new Set(numbers.filter((number) => number !== undefined))]
		: refuse(context, `is not a phone number at position ${wrong + 1}`, phoneRemedy);
});
