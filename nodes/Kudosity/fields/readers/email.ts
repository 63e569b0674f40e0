import { refuse } from '../refusal';

/** Whether a text can be one at first sight; whether the address exists, nobody knows. */
export const isEmailAddress = (text: string): boolean =>
	/^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>]+$/.test(text);

/** One e-mail address. */
export const emailAddress = (text: string): string => {
	const address = text.trim();
	return isEmailAddress(address)
		? address
		: refuse('is not an e-mail address', 'Use one address like sam@example.com');
};
