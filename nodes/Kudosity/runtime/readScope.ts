import type { IExecuteFunctions } from 'n8n-workflow';
import type { Connection } from '../api/transport';
import type { Scope } from '../fields/field';
import { takesPhoneNumbers } from '../fields/generalOptions';
import { loadPhones } from '../fields/phone/phones';
import { defaultCountryOf } from './credentials';
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
