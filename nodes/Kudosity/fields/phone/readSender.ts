import { callingCodeOf, certaintyOf, type NumberingPlans } from './numberingPlans';
import { refusePhone, type PhoneRefusal } from './refusalTexts';
import { isScientific, plainText, readPhoneValue } from './phoneText';
import { readPhoneNumber, type PhoneContext } from './readPhoneNumber';

const longestName = 11;
const shortCode = /^\d{3,8}$/;

export type Sender = { sender: string; kind: 'number' | 'shortCode' | 'name' };

/** The account may have numbers that no plan knows. These digits are sent as they are, never changed. */
const isPossibleNumber = (plans: NumberingPlans, digits: string): boolean => {
	const callingCode = callingCodeOf(plans, digits);
	if (callingCode === undefined) return false;
	const national = digits.slice(callingCode.length);
	return certaintyOf(plans, { callingCode, national }) !== undefined;
};

const readName = (name: string): Sender | PhoneRefusal => {
	if (isScientific(plainText(name))) return refusePhone('scientific');
	return name.length <= longestName
		? { sender: name, kind: 'name' }
		: {
				reason: `is longer than ${longestName} characters and no phone number`,
				remedy: `Use a number of your account, or a sender name of at most ${longestName} characters`,
			};
};

const readDigits = (value: unknown, context: PhoneContext): Sender | PhoneRefusal => {
	const text = readPhoneValue(value);
	const number = readPhoneNumber(value, context);
	const onlyDigits = 'digits' in text && !/[^\d.]/.test(plainText(String(value)));
	if (onlyDigits && shortCode.test(text.digits)) {
		// A mobile of the default country can be as short as a short code, e.g. in Singapore.
		const isMobile = 'number' in number && number.certainty === 'mobile';
		return isMobile
			? { sender: number.number, kind: 'number' }
			: { sender: text.digits, kind: 'shortCode' };
	}
	if ('number' in number) return { sender: number.number, kind: 'number' };
	return onlyDigits && !number.isAmbiguous && isPossibleNumber(context.plans, text.digits)
		? { sender: text.digits, kind: 'number' }
		: number;
};

/**
 * A sender: a number of the account in any spelling, a short code of 3 to 8 digits, or a name of at most 11
 * characters.
 */
export const readSender = (value: unknown, context: PhoneContext): Sender | PhoneRefusal => {
	const name = typeof value === 'string' ? value.trim() : '';
	const isNumber = name === '' || (/\p{Nd}/u.test(name) && !/\p{L}/u.test(name));
	if (isNumber || /^tel:[+\d]/i.test(name)) return readDigits(value, context);
	return readName(name);
};
