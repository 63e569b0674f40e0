import { callingCodeOf, certaintyOf, type NumberingPlans } from './numberingPlans';

/**
 * The ISO codes of the countries that E.164 digits can belong to: one, or all that share the calling code where
 * no plan knows the number.
 */
export const countriesOf = (plans: NumberingPlans, number: string): string[] => {
	const callingCode = callingCodeOf(plans, number);
	if (callingCode === undefined) return [];
	const found = certaintyOf(plans, { callingCode, national: number.slice(callingCode.length) });
	if (found && found.certainty !== 'possible') return [found.country.code];
	return plans.sharing(callingCode).map(({ code }) => code);
};
