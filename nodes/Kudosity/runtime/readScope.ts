import type { IExecuteFunctions } from 'n8n-workflow';
import { isJson } from '../api/json';
import type { Connection } from '../api/transport';
import type { Input, Scope } from '../fields/field';
import { takesPhoneNumbers } from '../fields/generalOptions';
import { loadPhones } from '../fields/phone/phones';
import { defaultCountryOf } from './credentials';
import { isExpression } from './isExpression';
import type { Operation } from './operation';

/** What the fields of all items are read with. Only phone numbers need more than the time zone. */
export const readScope = async (
	context: IExecuteFunctions,
	operation: Operation,
	connection: Connection,
): Promise<Scope> => {
	const timeZone = context.getTimezone();
	if (!takesPhoneNumbers(operation)) return { timeZone };
	const phones = await loadPhones();
	// A credential that cannot be had is said when the first request needs it.
	const defaultCountry = await defaultCountryOf(context, connection).catch(() => undefined);
	return { timeZone, phones, defaultCountry };
};

const countryIn = (options: unknown): unknown =>
	isJson(options) ? options.defaultCountry : undefined;

/**
 * What the fields of one item are read with. Where an operation has a field for the country of its number, that one
 * counts. Else the option Default Country goes before the credential's, which counts where the option is left blank,
 * but not for an item whose expression delivers no country: its number could be somebody else's there. What it cannot
 * be is refused when it is read as a field.
 */
export const scopeOfItem = (scope: Scope, { options, country }: Input, written: unknown): Scope => {
	const defaultCountry = country ?? countryIn(options);
	if (typeof defaultCountry === 'string' && defaultCountry.trim() !== '') {
		return { ...scope, defaultCountry };
	}
	return isExpression(countryIn(written)) ? { ...scope, defaultCountry: undefined } : scope;
};
