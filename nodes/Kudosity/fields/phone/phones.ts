import type { SkipCode } from '../../api/failureCodes';
import { shortNumber } from '../../api/privacy';
import { personOf } from '../../lib/personOf';
import { isBlank, joinSentences } from '../../lib/text';
import {
	certaintyOf,
	countriesOf,
	loadNumberingPlans,
	type NumberingPlans,
	describePhone,
	type PhoneType,
	splitNumber,
} from './numberingPlans';
import {
	isScientific,
	type PhoneRefusal,
	toAsciiPhone,
	readPhoneValue,
	refusePhone,
} from './phoneText';
import { type PhoneContext, readPhoneNumber } from './readPhoneNumber';

type RefusedRecipient = {
	/** The entry's position in the list, counted from 1, including empty entries. */
	position: number;
	/** The last characters of the entry. Empty if it was neither text nor a number. */
	number: string;
	reason: string;
	remedy: string;
};

export type Recipients = {
	/** E.164 digits, one number per person, in the order of the list. */
	numbers: string[];
	refused: RefusedRecipient[];
	/** Valid numbers that nevertheless get no message. */
	leftOut?: LeftOut[];
};

type LeftOut = { number: string; code: SkipCode };

const separators = /[,;\t\r\n\uff0c\uff1b\u3001]/;

function splitRecipients(value: unknown): unknown[] {
	if (Array.isArray(value)) return value.flatMap(splitRecipients);
	// A Windows line break is one separator, not two.
	return typeof value === 'string' ? value.replaceAll('\r\n', '\n').split(separators) : [value];
}

/** Returns the last characters of a text or number; an empty string for any other value. */
export function shortEntry(entry: unknown): string {
	const text =
		typeof entry === 'string' || typeof entry === 'number' ? String(entry).replace(/\s/g, '') : '';
	return text === '' ? '' : shortNumber(text);
}

/**
 * Reads recipients from a number, from text with numbers separated by commas, semicolons, tabs or line breaks, or from
 * an array of these, possibly nested. Empty entries are skipped. Invalid entries are returned in `refused`.
 */
function readRecipients(value: unknown, context: PhoneContext): Recipients {
	const numbers = new Map<string, string>();
	const refused: RefusedRecipient[] = [];
	for (const [index, entry] of splitRecipients(value).entries()) {
		const read = isBlank(entry) ? undefined : readPhoneNumber(entry, context);
		if (read && 'number' in read) {
			const person = personOf(read.number);
			if (!numbers.has(person)) numbers.set(person, read.number);
		} else if (read) {
			const { reason, remedy } = read;
			refused.push({ position: index + 1, number: shortEntry(entry), reason, remedy });
		}
	}
	return { numbers: [...numbers.values()], refused };
}

export const maxSenderNameLength = 11;
export const shortCode = /^\d{3,8}$/;

type Sender = { sender: string; kind: 'number' | 'shortCode' | 'name' };

/**
 * Whether digits can be one of the account's numbers. No numbering plan has to list them, and they are sent unchanged.
 */
const isPossibleNumber = (plans: NumberingPlans, digits: string): boolean =>
	certaintyOf(plans, splitNumber(plans, digits)) !== undefined;

function readName(name: string): Sender | PhoneRefusal {
	if (isScientific(toAsciiPhone(name))) return refusePhone('scientific');
	return name.length <= maxSenderNameLength
		? { sender: name, kind: 'name' }
		: {
				reason: `is longer than ${maxSenderNameLength} characters and not a phone number`,
				remedy: `Use one of your numbers, or a sender name of up to ${maxSenderNameLength} characters`,
			};
}

function readDigits(value: unknown, context: PhoneContext): Sender | PhoneRefusal {
	const text = readPhoneValue(value);
	const number = readPhoneNumber(value, context);
	const onlyDigits = 'digits' in text && !/[^\d.]/.test(toAsciiPhone(String(value)));
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
}

/**
 * Reads a sender: one of the account's numbers in any format, a short code of 3 to 8 digits, or a name of at most 11
 * characters.
 */
function readSender(value: unknown, context: PhoneContext): Sender | PhoneRefusal {
	const name = typeof value === 'string' ? value.trim() : '';
	const isNumber = name === '' || (/\p{Nd}/u.test(name) && !/\p{L}/u.test(name));
	return isNumber || /^tel:[+\d]/i.test(name) ? readDigits(value, context) : readName(name);
}

const digitsAlone = /^\d{3,15}$/;

/** Whether digits that aren't an international number of any plan may still be somebody's national number. */
function mayBeNational(digits: string, { defaultCountry = '' }: PhoneContext): boolean {
	return digits.startsWith('0') || (defaultCountry === '' && /^\d{7,10}$/.test(digits));
}

/**
 * Reads everybody whom an entry of a block list can mean. If the entry can be read as several numbers, all of them are
 * returned. Without a plus, an entry can also be a national number of any country, so its digits without a trunk zero
 * are returned, too (see `covering`). An entry that has only digits also means exactly these digits, even if no plan
 * has them, because Kudosity delivers messages from short codes and from new number ranges. A spreadsheet drops the
 * plus of `+610491570006`, so digits that are too long for a short code are also read with a plus.
 */
function readEveryone(value: unknown, context: PhoneContext): { numbers: string[] } | PhoneRefusal {
	const read = readPhoneNumber(value, context);
	const text = readPhoneValue(value);
	const national = 'digits' in text && !text.hasPlus ? [text.digits.replace(/^0+/, '')] : [];
	const digits = toAsciiPhone(String(value));
	const exact = digitsAlone.test(digits) ? [digits] : [];
	if ('number' in read) return { numbers: [read.number, ...exact, ...national] };
	const { candidates = [] } = read;
	if (candidates.length > 1) return { numbers: [...candidates, ...exact, ...national] };
	if (exact.length === 0 || mayBeNational(digits, context)) return read;
	if (shortCode.test(digits)) return { numbers: exact };
	const abroad = readPhoneNumber(`+${digits}`, { ...context, takesAsWritten: true });
	return 'number' in abroad ? { numbers: [abroad.number, ...exact] } : read;
}

const anyDigit = [...'0123456789'];

/**
 * Reads a prefix as E.164 digits. As in full phone numbers, a trunk zero after the calling code is omitted. Returns
 * undefined if no number begins with this prefix.
 */
function readPrefix(value: string, { plans }: PhoneContext): string | undefined {
	const digits = toAsciiPhone(value)
		.replace(/[\s().+-]/g, '')
		.replace(/^00/, '');
	if (!/^[1-9]\d*$/.test(digits)) return undefined;
	const { callingCode, national } = splitNumber(plans, digits);
	const [main] = plans.sharing(callingCode);
	if (!main) {
		const isBeginning = anyDigit.some((digit) => plans.isCallingCode(digits + digit));
		return isBeginning || digits.length === 1 ? digits : undefined;
	}
	const { trunkPrefix } = main;
	if (trunkPrefix === '1' && national.startsWith('1')) return undefined;
	if (!trunkPrefix.startsWith('0')) return digits;
	const rest = national.startsWith(trunkPrefix) ? national.slice(trunkPrefix.length) : national;
	return rest.startsWith('0') ? undefined : callingCode + rest;
}

/** The facts about a value that should be a phone number. */
export type CleanPhone = {
	/** E.164 digits. */
	number: string | null;
	/** ISO code; null if the number has no country, or could belong to several. */
	country: string | null;
	type: PhoneType;
	/** Tells users why the value isn't a phone number. */
	reason: string | null;
};

/** @param reason - the end of a sentence that begins with "The value" */
export function unusablePhone(reason: string, remedy = ''): CleanPhone {
	return {
		number: null,
		country: null,
		type: 'unknown',
		reason: joinSentences(`The value ${reason}`, remedy),
	};
}

function cleanPhone(value: unknown, context: PhoneContext): CleanPhone {
	const read = readPhoneNumber(value, context);
	if ('reason' in read) return unusablePhone(read.reason, read.remedy);
	const { country = null, type } = describePhone(context.plans, read.number);
	return { number: read.number, country, type, reason: null };
}

/** Loads the readers of phone numbers. `defaultCountry` is an ISO code; without one, national numbers are refused. */
export async function loadPhones() {
	const plans = await loadNumberingPlans();
	const reading =
		<Read>(read: (value: unknown, context: PhoneContext) => Read, takesAsWritten = false) =>
		(value: unknown, defaultCountry?: string): Read =>
			read(value, { plans, defaultCountry, takesAsWritten });
	return {
		/** Reads the number of a recipient, with all checks for typical mistakes. */
		number: reading(readPhoneNumber),
		/** Reads a number that no message is sent to: a sender, or an entry of Allowed Recipients. */
		named: reading(readPhoneNumber, true),
		/** Reads everybody whom an entry of Blocked Recipients can mean. */
		everyone: reading(readEveryone),
		/** Whether E.164 digits are a landline. If the plan can't tell, they count as a mobile. */
		isLandline: (number: string) => describePhone(plans, personOf(number)).type === 'landline',
		/** Describes any value as a phone number. Never refuses. */
		clean: reading(cleanPhone),
		prefix: (value: string) => readPrefix(value, { plans }),
		recipients: reading(readRecipients),
		sender: reading(readSender, true),
		/** Returns E.164 digits without their calling code. */
		national: (number: string) => splitNumber(plans, number).national,
		/** Returns the countries that E.164 digits can belong to. */
		countries: (number: string) => countriesOf(plans, number),
	};
}
export type Phones = Awaited<ReturnType<typeof loadPhones>>;
