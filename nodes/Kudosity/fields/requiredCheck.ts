import type { IExecuteFunctions } from 'n8n-workflow';
import { isJson } from '../lib/json';
import { type Field, FieldError, type Input } from './field';

/** Whether a stored value depends on the item, in whole or in part. */
export function isExpression(stored: unknown): boolean {
	return typeof stored === 'string'
		? stored.startsWith('=')
		: typeof stored === 'object' && stored !== null && Object.values(stored).some(isExpression);
}

/** The values of a collection; none if it is not one. */
export function inCollection(collection: unknown): Record<string, unknown> {
	return isJson(collection) ? collection : {};
}

const isEmptyIn =
	(values: unknown) =>
	({ property }: Field): boolean => {
		const value = inCollection(values)[property.name];
		return value === undefined || (Array.isArray(value) && value.length === 0);
	};

/** Without an expression, it is empty for all items of the run. */
const empty = (name: string, otherwise: string, stored: unknown) =>
	new FieldError(
		`'${name}' is empty`,
		`Enter a value, check what the expression returns, or ${otherwise}`,
		'invalid_input',
		{ isOfRun: !isExpression(stored) },
	);

/** An expression that is not filled in by an AI model, which may well leave it empty. */
const isWorkflowsChoice = (stored: unknown): boolean =>
	isExpression(stored) && !JSON.stringify(stored).includes('$fromAI');

/**
 * Refuses an expression that returns nothing where this would mean something else: no limit, any number, everybody's
 * messages, all events. An empty date is a valid filter.
 */
export function createRequiredCheck(
	context: Pick<IExecuteFunctions, 'getNode'>,
	{ fields }: { fields: readonly Field[] },
) {
	const { parameters } = context.getNode();
	const fieldsOf = (collection: string) =>
		fields.find(({ property }) => property.name === collection)?.fields ?? [];
	const requiredIn = (collection: 'options' | 'limits') =>
		fieldsOf(collection)
			.filter(({ needsValue }) => needsValue)
			.filter(({ property }) => property.name in inCollection(parameters[collection]));
	const requiredOptions = requiredIn('options');
	const requiredLimits = requiredIn('limits');
	const requiredFilters = fieldsOf('filters')
		.filter(({ property }) => property.type !== 'dateTime')
		.filter(({ property }) => isWorkflowsChoice(inCollection(parameters.filters)[property.name]));
	const requiredFields = fields
		.filter(({ needsValue }) => needsValue)
		.filter(({ property }) => isExpression(parameters[property.name]));
	const checks = [
		{ within: '', values: '', required: requiredFields, otherwise: 'clear the field' },
		{
			within: 'Options > ',
			values: 'options',
			required: requiredOptions,
			otherwise: 'remove the option',
		},
		{
			within: 'Sending Limits > ',
			values: 'limits',
			required: requiredLimits,
			otherwise: 'remove the limit',
		},
		{
			within: 'Filters > ',
			values: 'filters',
			required: requiredFilters,
			otherwise: 'remove the filter',
		},
	];
	return (input: Input): void => {
		for (const { within, values, required, otherwise } of checks) {
			const field = required.find(isEmptyIn(values ? input[values] : input));
			if (!field) continue;
			const { displayName, name } = field.property;
			const stored = inCollection(values ? parameters[values] : parameters)[name];
			throw empty(`${within}${displayName}`, otherwise, stored);
		}
	};
}
