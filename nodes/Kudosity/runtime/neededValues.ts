import type { IExecuteFunctions } from 'n8n-workflow';
import { isJson } from '../api/json';
import { FieldError, type Field, type Input } from '../fields/field';
import { isExpression } from './isExpression';
import type { Operation } from './operation';

const isEmptyIn = (values: unknown) => {
	const known = isJson(values) ? values : {};
	return ({ property }: Field): boolean => {
		const value = known[property.name];
		return value === undefined || (Array.isArray(value) && value.length === 0);
	};
};

const empty = (name: string, otherwise: string) =>
	new FieldError(
		`'${name}' is empty`,
		`Enter a value, check what the expression delivers, or ${otherwise}`,
	);

/** An expression, but none that an AI model fills in: it may well leave it empty. */
const isWorkflowsChoice = (stored: unknown): boolean =>
	isExpression(stored) && !JSON.stringify(stored).includes('$fromAI');

const writtenIn = (collection: unknown): Record<string, unknown> =>
	isJson(collection) ? collection : {};

/**
 * Checks that what a node has is there for each item, as far as one whose expression delivers nothing would mean
 * something else: a guard would let everything pass, a message would go out at once, any number would be leased,
 * other people's messages would be listed, a webhook would deliver all events. A date that is left open is a wish of
 * its own.
 */
export const createValueCheck = (
	context: Pick<IExecuteFunctions, 'getNode'>,
	{ fields }: Pick<Operation, 'fields'>,
) => {
	const { parameters } = context.getNode();
	const written = {
		options: writtenIn(parameters.options),
		filters: writtenIn(parameters.filters),
	};
	const fieldsOf = (collection: string) =>
		fields.find(({ property }) => property.name === collection)?.fields ?? [];
	const isNeeded = ({ needsValue }: Field) => needsValue;
	const neededOptions = fieldsOf('options')
		.filter(isNeeded)
		.filter(({ property }) => property.name in written.options);
	const neededFilters = fieldsOf('filters')
		.filter(({ property }) => property.type !== 'dateTime')
		.filter(({ property }) => isWorkflowsChoice(written.filters[property.name]));
	const neededFields = fields
		.filter(isNeeded)
		.filter(({ property }) => isExpression(parameters[property.name]));
	return (input: Input): void => {
		const field = neededFields.find(isEmptyIn(input));
		if (field) throw empty(field.property.displayName, 'leave the field itself empty');
		const option = neededOptions.find(isEmptyIn(input.options));
		if (option) throw empty(`Options > ${option.property.displayName}`, 'remove the option');
		const filter = neededFilters.find(isEmptyIn(input.filters));
		if (filter) throw empty(`Filters > ${filter.property.displayName}`, 'remove the filter');
	};
};
