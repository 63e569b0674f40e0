import { countriesOf } from './countryOf';
import { loadNumberingPlans } from './numberingPlans';
import type { PhoneRefusal } from './refusalTexts';
import { readPhoneNumber } from './readPhoneNumber';
import { readRecipients, type Recipients } from './readRecipients';
import { readSender, type Sender } from './readSender';

/** Reads phone numbers; `defaultCountry` is an ISO code, or undefined for none. */
export type Phones = {
	number: (value: unknown, defaultCountry?: string) => { number: string } | PhoneRefusal;
	recipients: (value: unknown, defaultCountry?: string) => Recipients;
	sender: (value: unknown, defaultCountry?: string) => Sender | PhoneRefusal;
	/** The countries that a number, which was read before, can belong to. */
	countries: (number: string) => string[];
};

/** Loaded when a workflow runs: the facts of all countries are of no use before. */
export const loadPhones = async (): Promise<Phones> => {
	const plans = await loadNumberingPlans();
	return {
		number: (value, defaultCountry) => readPhoneNumber(value, { plans, defaultCountry }),
		recipients: (value, defaultCountry) => readRecipients(value, { plans, defaultCountry }),
		sender: (value, defaultCountry) => readSender(value, { plans, defaultCountry }),
		countries: (number) => countriesOf(plans, number),
	};
};
