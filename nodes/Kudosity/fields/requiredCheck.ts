import type { IExecuteFunctions } from 'n8n-workflow';
import { isJson } from '../lib/json';
import { type Field, FieldError, type Input } from './field';

/** Whether a stored value is an expression, or contains one, so it can differ between items. */
export function isExpression(stored: unknown): boolean {
	return typeof stored === 'string'
		? stored.startsWith('=')
		: typeof stored === 'object' && stored !== null && Object.values(stored).some(isExpression);
}

/** Returns the values of a collection. Returns an empty object if the stored value isn't a collection. */
export function inCollection(collection: unknown): Record<string, unknown> {
	return isJson(collection) ? collection : {};
}

/** Returns the fields in a collection. Returns an empty array if there is no such collection. */
export function fieldsIn(fields: readonly Field[], collection: string): readonly Field[] {
	return fields.find(({ property }) => property.name === collection)?.fields ?? [];
}

const isEmptyIn =
	(values: unknown) =>
	({ property }: Field): boolean => {
		const value = inCollection(values)[property.name];
		return value === undefined || (Array.isArray(value) && value.length === 0);
	};

/**
 * @throws FieldError - a required field is empty. The error concerns all items of the run unless the field has an
 * expression
 */
function refuseEmpty(required: Field[], values: unknown, stored: unknown, within = ''): void {
	const field = required.find(isEmptyIn(values));
	if (!field) return;
	const { displayName, name } = field.property;
	throw new FieldError(
		`'${within}${displayName}' is empty`,
		'Enter a value, or check what the expression returns',
		'invalid_input',
		{ isOfRun: !isExpression(inCollection(stored)[name]) },
	);
}

/**
 * Whether a value is an expression written by the workflow's author. An AI model, in contrast, may leave its values
 * empty.
 */
const isWorkflowsChoice = (stored: unknown): boolean =>
	isExpression(stored) && !JSON.stringify(stored).includes('$fromAI');

/**
 * Creates the check for fields that must not be empty, e.g. because an expression returns nothing. An empty value in
 * these fields would mean no limit, any number, everybody's messages, or all events. An empty date is a valid filter.
 */
export function createRequiredCheck(
	context: Pick<IExecuteFunctions, 'getNode'>,
	{ fields }: { fields: readonly Field[] },
) {
	const { parameters } = context.getNode();
	const requiredIn = (collection: 'options' | 'limits') =>
		fieldsIn(fields, collection)
			.filter(({ needsValue }) => needsValue)
			.filter(({ property }) => property.name in inCollection(parameters[collection]));
	const requiredOptions = requiredIn('options');
	const requiredLimits = requiredIn('limits');
	const requiredFilters = fieldsIn(fields, 'filters')
		.filter(({ property }) => property.type !== 'dateTime')
		.filter(({ property }) => isWorkflowsChoice(inCollection(parameters.filters)[property.name]));
	const requiredFields = fields
		.filter(({ needsValue }) => needsValue)
		.filter(({ property }) => isExpression(parameters[property.name]));
	return (input: Input): void => {
		refuseEmpty(requiredFields, input, parameters);
		refuseEmpty(requiredOptions, input.options, parameters.options, 'Options > ');
		refuseEmpty(requiredLimits, input.limits, parameters.limits, 'Sending Limits > ');
		refuseEmpty(requiredFilters, input.filters, parameters.filters, 'Filters > ');
	};
}
