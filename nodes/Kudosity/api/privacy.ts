import { isDeeperThan, mapTexts, maxDepth, parseJson } from '../lib/json';
import type { ApiErrorFields } from './errors';

/**
 * Shortens a phone number to its last digits, because n8n can log errors. They are enough to recognize the number in
 * one's own list, but don't identify anyone.
 */
export function shortNumber(number: string): string {
	return `…${number.slice(-4)}`;
}

/** Lists the last digits of up to five numbers. If there are more, only says how many. */
export function shortNumbers(numbers: string[]): string {
	return numbers.length > 5 ? `${numbers.length} numbers` : numbers.map(shortNumber).join(', ');
}

/**
 * Shorter secrets are not masked. They may be ordinary words or parts of words, so masking them would garble responses.
 */
const minSecretLength = 6;

/** Matches eight or more digits, possibly with spaces and dashes between them. */
const longNumbers = /\+?\d(?:[\s\p{Pd}]*\d){7,}/gu;

/** Matches the secret at the end of a trigger's or an open question's URL, even if that URL is part of another one. */
const tokens = /(token|signature)(=|%3D)[^\s&#"'<>]+/gi;

function mask(text: string): string {
	return text
		.replaceAll(tokens, '$1$2***')
		.replaceAll(longNumbers, (run) => shortNumber(run.replaceAll(/\D/g, '')));
}

type Refusal = Omit<ApiErrorFields, 'status'>;

/** Masks phone numbers, and secrets in URLs, in the service's error messages, because n8n stores errors. */
export function maskRefusal(refusal: Refusal): Refusal {
	return {
		...refusal,
		code: mask(refusal.code),
		detail: refusal.detail && mask(refusal.detail),
		issues: refusal.issues?.map(({ field, message }) => ({
			field: mask(field),
			message: mask(message),
		})),
	};
}

/**
 * Masks secrets that the service or a proxy repeats in a response. JSON can escape them, so the parsed strings are
 * searched. Phone numbers and names are not masked, because the response would be useless without them.
 */
export function maskSecrets(text: string, secrets: string[]): string {
	const long = secrets.filter(({ length }) => length >= minSecretLength);
	if (![...long, '\\'].some((part) => text.includes(part))) return text;
	const maskAll = (part: string): string =>
		long.reduce((masked, secret) => masked.replaceAll(secret, '***'), part);
	const json = parseJson(text);
	// JSON that is nested too deeply is rejected later, so masking its raw text is enough.
	if (json === undefined || isDeeperThan(maxDepth, json.value)) return maskAll(text);
	const masked = mapTexts(json.value, maskAll);
	return masked === json.value ? text : JSON.stringify(masked);
}
