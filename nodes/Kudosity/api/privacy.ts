import type { ApiErrorFields } from './errors';
import { maxDepth, parseJson } from '../lib/json';
import type { ApiRequest } from './transport';

/** Shorter values are ordinary words, or parts of them. */
const minPrivateText = 4;
const minSecret = 6;
const phoneNumbers = /\+?\d{8,}/g;

/** Enough to find a number in a list of one's own, too little to be one: n8n can log what errors say. */
export const shortNumber = (number: string): string => `…${number.slice(-4)}`;

/** The last digits of a list, shown up to a handful: a list of 500 helps nobody. */
export const shortNumbers = (numbers: string[]): string =>
	numbers.length > 5 ? `${numbers.length} numbers` : numbers.map(shortNumber).join(', ');

/** With all that is below them, such as the content of a message in the words of another service. */
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

/** One text can be a list of addresses. */
const textsOf = (value: string, name: string): string[] =>
	name.endsWith('email') ? [value, ...value.split(',')] : [value];

/** The texts below a private name, at any depth; a type is a word of the service. */
const privateTextsIn = (value: unknown, name = '', isPrivate = false): string[] => {
	if (typeof value === 'string') return isPrivate && name !== 'type' ? textsOf(value, name) : [];
	return Object.entries(value ?? {}).flatMap(([inner, part]) =>
		privateTextsIn(part, inner, isPrivate || isPrivateName(inner)),
	);
};

/** What a request says of people, or lets others in with: n8n stores errors, and can log them. */
const privateTexts = ({ json, form }: ApiRequest): string[] =>
	privateTextsIn([json, form])
		.map((text) => text.trim())
		.filter((text) => text.length >= minPrivateText)
		.sort((a, b) => b.length - a.length);

const isInWord = (text: string, index: number): boolean =>
	/^\w\w$/.test(text.slice(index - 1, index + 1));

/** The text with a mask for each of the parts, but not within a longer word: "send" says nothing of a "sender". */
const masked = (text: string, parts: string[], mask: string): string =>
	parts.reduce(
		(cleaned, part) =>
			cleaned.replaceAll(part, (_, start: number, whole: string) =>
				isInWord(whole, start) || isInWord(whole, start + part.length) ? part : mask,
			),
		text,
	);

/** The service's own words about a request, without what they repeat of it, and without phone numbers. */
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

/** All texts and names of a JSON, `clean`. One that is too deep to be used stays so. */
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
 * A service, or a proxy on the way, that repeats a secret must not bring it into an output or an error. JSON
 * can spell it with escapes, so it is looked for in the texts that are meant; its numbers are no secrets. What
 * users made up can be an ordinary word, so that it is no secret within a longer one.
 */
export const withoutSecrets = (text: string, secrets: string[], madeUp: string[] = []): string => {
	const isLong = (secret: string) => secret.length >= minSecret;
	const [known, words] = [secrets.filter(isLong), madeUp.filter(isLong)];
	const isThere = (secret: string) => text.includes(secret);
	if (![...known, '\\', ...words].some(isThere)) return text;
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
