import type { ApiErrorFields } from './errors';
import type { ApiRequest } from './transport';

/** Shorter values are ordinary words, or parts of them. */
const shortestPrivateText = 4;
const shortestSecret = 6;
const phoneNumbers = /\+?\d{8,}/g;

/** Enough to find a number in a list of one's own, too little to be one: n8n can log what errors say. */
export const shortNumber = (number: string): string => `…${number.slice(-4)}`;

/** The last digits of a list, shown up to a handful: a list of 500 helps nobody. */
export const shortNumbers = (numbers: string[]): string =>
	numbers.length > 5 ? `${numbers.length} numbers` : numbers.map(shortNumber).join(', ');

const privateFields = [
	'message',
	'welcome_message',
	'members_message',
	'code',
	'email',
	'forward_email',
	'forward_url',
	'recipient',
	'to',
	'url',
	'file_url',
	'replies_to_email',
	'reply_callback',
	'dlr_callback',
	'link_hits_callback',
];

/** What a request says of people, or lets others in with: n8n stores errors, and can log them. */
const privateTexts = ({ json, form }: ApiRequest): string[] =>
	privateFields
		.flatMap((field) => [json?.[field], form?.[field]])
		.filter((value) => typeof value === 'string')
		.map((value) => value.trim())
		.filter((value) => value.length >= shortestPrivateText);

/** The service's own words about a request, without what they repeat of it, and without phone numbers. */
export const withoutPrivateTexts = (
	fields: Omit<ApiErrorFields, 'status'>,
	request: ApiRequest,
): Omit<ApiErrorFields, 'status'> => {
	const texts = privateTexts(request);
	const clean = (words: string): string =>
		texts
			.reduce((cleaned, text) => cleaned.replaceAll(text, '…'), words)
			.replaceAll(phoneNumbers, shortNumber);
	return {
		...fields,
		code: clean(fields.code),
		detail: fields.detail && clean(fields.detail),
		issues: fields.issues?.map(({ field, message }) => ({
			field: clean(field),
			message: clean(message),
		})),
	};
};

/** A number of the JSON itself: it is no secret that is repeated, and without it the answer is no JSON. */
const isBareNumber = (secret: string, [before, after]: [string, string]): boolean =>
	/^\d+$/.test(secret) && /[:[,]\s*$/.test(before) && /^\s*[,\]}]/.test(after);

const isWordAt = (text: string, index: number): boolean => /\w/.test(text[index] ?? '');

/** A service, or a proxy on the way, that repeats a secret must not bring it into an output or an error. */
export const withoutSecrets = (text: string, secrets: string[]): string =>
	secrets
		.filter((secret) => secret.length >= shortestSecret && text.includes(secret))
		.reduce(
			(cleaned, secret) =>
				cleaned.replaceAll(secret, (_, start: number, whole: string) => {
					const end = start + secret.length;
					const around: [string, string] = [
						whole.slice(Math.max(0, start - 9), start),
						whole.slice(end, end + 9),
					];
					const isPart = isWordAt(whole, start - 1) || isWordAt(whole, end);
					return isPart || isBareNumber(secret, around) ? secret : '***';
				}),
			text,
		);
