import { refuse } from '../refusal';

/** RFC 5321 allows no more; a pattern takes long for a text of many dots. */
const longest = 254;

/** Whether a text can be one at first sight; whether the address exists, nobody knows. */
export const isEmailAddress = (text: string): boolean =>
	text.length <= longest && /^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>]+$/.test(text);

/** One e-mail address. */
export const emailAddress = (text: string): string => {
	const address = text.trim();
	return isEmailAddress(address)
		? address
		: refuse('is not an e-mail address', 'Use one address like sam@example.com');
};
