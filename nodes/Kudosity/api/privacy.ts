import type { ApiErrorFields } from './errors';
import type { ApiRequest } from './transport';

/** Shorter values are ordinary words, or parts of them. */
const shortestPrivateText = 4;
const shortestSecret = 6;
const phoneNumbers = /\+?\d{8,}/g;

/** Enough to find a number in a list of one's own, too little to be one: n8n can log what errors say. */
export const shortNumber = (number: string): string => `…${number.slice(-4)}`;

/** What a request says of people, or lets others in with: n8n stores errors, and can log them. */
const privateTexts = ({ json, form }: ApiRequest): string[] =>
	['message', 'recipient', 'to', 'url']
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

const isWordAt = (text: string, index: number): boolean => /\w/.test(text[index] ?? '');

/** A service, or a proxy on the way, that repeats a secret must not bring it into an output or an error. */
export const withoutSecrets = (text: string, secrets: string[]): string =>
	secrets
		.filter((secret) => secret.length >= shortestSecret && text.includes(secret))
		.reduce(
			(cleaned, secret) =>
				cleaned.replaceAll(secret, (_, offset: number, whole: string) =>
					isWordAt(whole, offset - 1) || isWordAt(whole, offset + secret.length) ? secret : '***',
				),
			text,
		);
