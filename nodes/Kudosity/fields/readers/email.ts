import { refuse } from '../refusal';

/** One e-mail address. What is none at first sight is refused; whether it exists, nobody knows. */
export const emailAddress = (text: string): string => {
	const address = text.trim();
	return /^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>]+$/.test(address)
		? address
		: refuse('is not an e-mail address', 'Use one address like sam@example.com');
};
