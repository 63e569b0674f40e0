import type { ApiErrorFields } from './errors';
import { maxDepth, parseJson } from '../lib/json';
import type { ApiRequest } from './transport';

/** Shorter values are ordinary words or parts of words. */
const minPrivateText = 4;
const minSecret = 6;
const phoneNumbers = /\+?\d{8,}/g;

/** Enough to recognize a number in one's own list, too little to identify anyone: n8n can log errors. */
export const shortNumber = (number: string): string => `…${number.slice(-4)}`;

/** The last digits of up to five numbers, or how many there are. */
export const shortNumbers = (numbers: string[]): string =>
	numbers.length > 5 ? `${numbers.length} numbers` : numbers.map(shortNumber).join(', ');

/** Including everything nested in them, such as message content in another service's format. */
const privateFields = [
	'message',
	'subject',
	'parameters',
	'custom',
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
	'content_urls',
	'tracked_link_url',
	'first_name',
	'last_name',
	'replies_to_email',
	'reply_callback',
	'dlr_callback',
	'link_hits_callback',
];

const isPrivateName = (name: string): boolean =>
	privateFields.includes(name) || /^field_\d+$/.test(name);

/** An email field can hold several addresses. */
const textsOf = (value: string, name: string): string[] =>
	name.endsWith('email') ? [value, ...value.split(',')] : [value];

/** The texts under a private name, at any depth, except for `type`, which is the service's own word. */
const privateTextsIn = (value: unknown, name = '', isPrivate = false): string[] => {
	if (typeof value === 'string') return isPrivate && name !== 'type' ? textsOf(value, name) : [];
	return Object.entries(value ?? {}).flatMap(([inner, part]) =>
		privateTextsIn(part, inner, isPrivate || isPrivateName(inner)),
	);
};

/** What a request reveals about people, or grants access with: n8n stores errors and can log them. */
const privateTexts = ({ json, form }: ApiRequest): string[] =>
	privateTextsIn([json, form])
		.map((text) => text.trim())
		.filter((text) => text.length >= minPrivateText)
		.sort((a, b) => b.length - a.length);

const isInWord = (text: string, index: number): boolean =>
	/^\w\w$/.test(text.slice(index - 1, index + 1));

/** Masks the parts, but not within a longer word: "send" reveals nothing in "sender". */
const masked = (text: string, parts: string[], mask: string): string =>
	parts.reduce(
		(cleaned, part) =>
			cleaned.replaceAll(part, (_, start: number, whole: string) =>
				isInWord(whole, start) || isInWord(whole, start + part.length) ? part : mask,
			),
		text,
	);

/** The service's words about a request, without private texts quoted from it and without phone numbers. */
export const withoutPrivateTexts = (
	fields: Omit<ApiErrorFields, 'status'>,
	request: ApiRequest,
): Omit<ApiErrorFields, 'status'> => {
	const texts = privateTexts(request);
	const clean = (words: string): string =>
		masked(words, texts, '…').replaceAll(phoneNumbers, shortNumber);
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

/** Applies `clean` to all texts and keys of a JSON value. A value nested too deeply stays too deep to be used. */
const cleanJson = (value: unknown, clean: (text: string) => string, levels = maxDepth): unknown => {
	if (typeof value === 'string') return clean(value);
	if (typeof value !== 'object' || value === null) return value;
	if (levels === 0) return [];
	const inner = (part: unknown) => cleanJson(part, clean, levels - 1);
	return Array.isArray(value)
		? value.map(inner)
		: Object.fromEntries(Object.entries(value).map(([name, part]) => [clean(name), inner(part)]));
};

/**
 * Masks secrets that the service, or a proxy, repeats in an answer. JSON can escape them, so its parsed texts are
 * searched. A user-chosen secret may be an ordinary word, so it is masked only as a whole word.
 */
export const withoutSecrets = (text: string, secrets: string[], chosen: string[] = []): string => {
	const isLong = (secret: string) => secret.length >= minSecret;
	const [known, words] = [secrets.filter(isLong), chosen.filter(isLong)];
	if (![...known, '\\', ...words].some((secret: string) => text.includes(secret))) return text;
	const clean = (part: string): string =>
		masked(
			known.reduce((cleaned, secret) => cleaned.replaceAll(secret, '***'), part),
			words,
			'***',
		);
	const json = parseJson(text);
	if (json === undefined) return clean(text);
	let isChanged = false;
	const cleaned = cleanJson(json.value, (inner) => {
		const after = clean(inner);
		isChanged ||= after !== inner;
		return after;
	});
	return isChanged ? JSON.stringify(cleaned) : text;
};
