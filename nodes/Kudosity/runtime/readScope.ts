import type { IExecuteFunctions } from 'n8n-workflow';
import type { Connection } from '../api/transport';
import type { Scope } from '../fields/field';
import { takesPhoneNumbers } from '../fields/generalOptions';
import { loadPhones } from '../fields/phone/phones';
import { credentialNames } from './nodeTransport';
import type { Operation } from './operation';

/** A credential that cannot be had is said when the first request needs it. */
const countryOf = async (context: IExecuteFunctions, connection: Connection) => {
	const credential = await context
		.getCredentials(credentialNames[connection])
		.catch(() => undefined);
	return typeof credential?.defaultCountry === 'string' ? credential.defaultCountry : undefined;
};

/** What the fields of all items are read with. Only phone numbers need more than the time zone. */
export const readScope = async (
	context: IExecuteFunctions,
	operation: Operation,
	connection: Connection,
): Promise<Scope> => {
	const timeZone = context.getTimezone();
	if (!takesPhoneNumbers(operation)) return { timeZone };
	const phones = await loadPhones();
	return { timeZone, phones, defaultCountry: await countryOf(context, connection) };
};
