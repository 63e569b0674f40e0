import { isSamePerson, personOf } from '../../lib/personOf';
import { countryCode, countryName } from './countries';
import {
	certaintyOf,
	type Certainty,
	type Country,
	isMistypedMobile,
	isShortMobile,
	type NumberingPlans,
	type SplitNumber,
	splitNumber,
} from './numberingPlans';
import {
	type PhoneRefusal,
	type PhoneText,
	readPhoneValue,
	refuseAmbiguous,
	refuseNational,
	refusePhone,
	refuseStrayPlus,
} from './phoneText';

export type PhoneContext = {
	plans: NumberingPlans;
	/** ISO code of the country whose national numbers are accepted; empty for none. */
	defaultCountry?: string;
	/**
	 * Whether digits after a plus are accepted as written. This is for senders, which belong to the account whatever
	 * the numbering plans say, and for lists of numbers that aren't sent to, such as Allowed Recipients. A recipient's
	 * number, in contrast, is checked for typical mistakes.
	 */
	takesAsWritten?: boolean;
};

type Reading = { number: string; callingCode: string; country: string; certainty: Certainty };

function readingOf(plans: NumberingPlans, split: SplitNumber): Reading[] {
	const { callingCode, national } = split;
	const found = certaintyOf(plans, split);
	if (!found) return [];
	const { certainty, country } = found;
	return [{ number: callingCode + national, callingCode, country: country.code, certainty }];
}

const isSure = ({ certainty }: Reading): boolean => certainty !== 'possible';

/** Removes a trunk prefix, which is only dialed within the country. */
function withoutTrunk(national: string, { trunk, trunkTransform }: Country): string {
	const match = trunk?.exec(national);
	if (!trunk || !match) return national;
	return trunkTransform && match.at(-1) !== undefined && match.length > 1
		? national.replace(trunk, trunkTransform)
		: national.slice(match[0].length);
}

/**
 * Reads the number as written. If it isn't valid in any numbering plan, reads its canonical form (see `personOf`)
 * instead, because messages are delivered to the number that is valid.
 */
function withCallingCode({ plans, takesAsWritten }: PhoneContext, split: SplitNumber): Reading[] {
	const written = readingOf(plans, split);
	if (written.some(isSure) || (takesAsWritten && written.length > 0)) return written;
	const person = personOf(split.callingCode + split.national);
	const planned = readingOf(plans, splitNumber(plans, person)).filter(isSure);
	return planned.length > 0 ? planned : written;
}

/**
 * Reads digits after a plus. As written, they only need a possible length. If a mistaken trunk prefix was removed, the
 * number must be valid.
 */
function international(context: PhoneContext, digits: string): Reading[] {
	const { plans } = context;
	const split = splitNumber(plans, digits);
	const { callingCode, national } = split;
	const [main] = plans.sharing(callingCode);
	if (!main) return [];
	const asWritten = withCallingCode(context, split);
	const cleaned = withoutTrunk(national, main);
	// North America's trunk prefix 1 is not removed. Australians dial 0011 before a calling code, e.g. 0011 65… for
	// Singapore. If only the 00 is read as the prefix, the remaining 1165… would look like an American number with an
	// extra 1.
	if (main.trunkPrefix === '1' || cleaned === national || asWritten.some(isSure)) return asWritten;
	const corrected = withCallingCode(context, { callingCode, national: cleaned });
	return corrected.length > 0 || national.startsWith('0') ? corrected.filter(isSure) : asWritten;
}

/**
 * Reads digits as they are dialed from another country. A zero in parentheses is omitted if no valid number includes
 * it.
 */
function dialedAbroad(context: PhoneContext, { dialed }: PhoneText, start = 0): Reading[] {
	const readings = dialed.map((digits) => international(context, digits.slice(start)));
	return readings.find((each) => each.some(isSure)) ?? readings[0]!;
}

/** Reads digits without a plus. They only count as an international number if that number is valid. */
const bare = (context: PhoneContext, text: PhoneText): Reading[] =>
	dialedAbroad(context, text).filter(
		(each) => isSure(each) && text.dialed.some((digits) => isSamePerson(digits, each.number)),
	);

const national = (plans: NumberingPlans, digits: string, country: Country): Reading[] =>
	[digits, withoutTrunk(digits, country)].flatMap((digits) =>
		readingOf(plans, { callingCode: country.callingCode, national: digits }).filter(isSure),
	);

/** Reads the digits after the country's own prefix for international calls, e.g. 0011. */
function abroad(context: PhoneContext, digits: string, country: Country): Reading[] {
	const prefix = country.international?.exec(digits)?.[0];
	if (!prefix) return [];
	const readings = international(context, digits.slice(prefix.length));
	return prefix.startsWith('0') ? readings : readings.filter(isSure);
}

/**
 * Returns the digits after a plus, 00, or the country's own prefix for international calls. Returns an empty array if
 * the text has none of these.
 */
function afterPlus({ hasPlus, digits }: PhoneText, country: Country): string[] {
	if (hasPlus) return [digits];
	const prefixes = ['00', country.international?.exec(digits)?.[0] ?? '00'];
	return prefixes.flatMap((prefix) =>
		digits.startsWith(prefix) ? digits.slice(prefix.length) : [],
	);
}

/**
 * Finds the mobile numbers in Default Country (home) that digits after a plus could be, because people put a plus
 * before a national number by mistake. If the number is a mobile as written, nothing else is considered.
 *
 * This is common: written after a plus, a third of Australia's mobiles are possible numbers in Poland, Sweden, Austria
 * or Germany, and another eighth are landlines there. If no foreign plan has the digits, it is enough that they are the
 * beginning of a mobile at home.
 *
 * @returns the mobiles; an empty array if the digits are only the beginning of a mobile; undefined if they aren't a
 * mobile at home
 */
function mobilesAtHome(
	plans: NumberingPlans,
	text: PhoneText,
	{ read, home }: { read: Reading; home: Country },
): string[] | undefined {
	if (read.certainty === 'mobile') return undefined;
	const written = afterPlus(text, home);
	const mobiles = written
		.flatMap((digits) => national(plans, digits, home))
		.filter(({ number, certainty }) => certainty === 'mobile' && number !== read.number);
	const isBeginning = (digits: string) =>
		read.certainty === 'possible' && isShortMobile(withoutTrunk(digits, home), home);
	return mobiles.length > 0 || written.some(isBeginning)
		? mobiles.map(({ number }) => number)
		: undefined;
}

function readingsOf(context: PhoneContext, text: PhoneText, country?: Country): Reading[] {
	const { plans } = context;
	const { digits } = text;
	if (text.hasPlus) return dialedAbroad(context, text);
	const local = country ? abroad(context, digits, country) : [];
	if (digits.startsWith('00')) return [...local, ...dialedAbroad(context, text, 2)];
	return [...local, ...bare(context, text), ...(country ? national(plans, digits, country) : [])];
}

/**
 * Picks the likely readings. A mobile in Default Country beats a landline anywhere, because an Australian mobile
 * without its zero can look like a landline in Vienna. A foreign mobile, however, is no more likely than a domestic
 * landline.
 */
function likely(readings: Reading[], home?: Country): Reading[] {
	const mobiles = readings.filter(({ certainty }) => certainty === 'mobile');
	if (mobiles.some(({ callingCode }) => callingCode === home?.callingCode)) return mobiles;
	const sure = readings.filter(isSure);
	return sure.length > 0 ? sure : readings;
}

function refuseText({ hasPlus, digits }: PhoneText, country?: Country): PhoneRefusal {
	if (hasPlus || digits.startsWith('00')) return refusePhone('impossible');
	return country ? refuseNational(countryName(country.code)) : refusePhone('withoutCountry');
}

/**
 * Reads a phone number as E.164 digits without a plus. Refuses ambiguous digits, so a message never reaches the wrong
 * person.
 */
export function readPhoneNumber(
	value: unknown,
	context: PhoneContext,
): { number: string; certainty: Certainty } | PhoneRefusal {
	const { plans, defaultCountry = '' } = context;
	const text = readPhoneValue(value);
	if ('reason' in text) return text;
	const code = countryCode(defaultCountry);
	if (code === undefined && defaultCountry.trim() !== '') return refusePhone('unknownCountry');
	const country = plans.country(code ?? '');
	const readings = likely(readingsOf(context, text, country), country);
	const [first] = readings;
	if (readings.some(({ number }) => number !== first?.number)) {
		return refuseAmbiguous(
			[...new Set(readings.map(({ country }) => countryName(country)))],
			readings.map(({ number }) => number),
		);
	}
	const isCut = !text.hasPlus && text.areaCode !== undefined && !plans.isCallingCode(text.areaCode);
	if (!first || (isCut && first.number === text.digits)) return refuseText(text, country);
	const { number, certainty } = first;
	if (context.takesAsWritten) return { number, certainty };
	const atHome = country && mobilesAtHome(plans, text, { read: first, home: country });
	if (atHome) {
		return refuseStrayPlus(countryName(first.country), {
			home: countryName(country.code),
			callingCode: country.callingCode,
			candidates: [number, ...atHome],
		});
	}
	return certainty === 'possible' && isMistypedMobile(plans, number)
		? refusePhone('impossible')
		: { number, certainty };
}
