import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { readFields, type Field, type InputOf, type Scope } from '../fields/field';
import { attempt } from '../fields/refusal';

type Context = IHookFunctions | IWebhookFunctions;

/** At a delivery, an expression that n8n refuses counts as an empty field: the event must not be lost for it. */
const valueOf = (context: Context, name: string): unknown => {
	const evaluate = () => context.getNodeParameter(name, undefined);
	if (!('getRequestObject' in context)) return evaluate();
	const evaluated = attempt(evaluate);
	if ('value' in evaluated) return evaluated.value;
	context.logger.warn(`n8n cannot evaluate '${name}' of a Kudosity Trigger: its default is used`);
	return undefined;
};

/**
 * These fields of the trigger, in whatever context n8n calls it. No others: n8n is slow to look one up. Only
 * those of its webhooks depend on a scope.
 */
export const readParameters = <const Fields extends readonly Field[]>(
	context: Context,
	fields: Fields,
	scope: Scope = { timeZone: 'UTC' },
): InputOf<Fields> => {
	const names = fields.map(({ property }) => property.name);
	const values = names.map((name) => [name, valueOf(context, name)]);
	return readFields(fields, Object.fromEntries(values), scope);
};
