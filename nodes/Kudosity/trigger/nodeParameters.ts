import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { readFields, type Field, type InputOf, type Scope } from '../fields/field';

/**
 * These fields of the trigger, in whatever context n8n calls it. No others: n8n is slow to look one up. Only
 * those of its webhooks depend on a scope.
 */
export const readParameters = <const Fields extends readonly Field[]>(
	context: IHookFunctions | IWebhookFunctions,
	fields: Fields,
	scope: Scope = { timeZone: 'UTC' },
): InputOf<Fields> => {
	const names = fields.map(({ property }) => property.name);
	const values = names.map((name) => [name, context.getNodeParameter(name, undefined)]);
	return readFields(fields, Object.fromEntries(values), scope);
};
