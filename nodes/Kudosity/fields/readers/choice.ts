import { inAnyCase } from '../../api/inAnyCase';
import { refuse } from '../refusal';
import { commaList } from './list';

const remedyOf = (values: readonly string[]): string => `Use one of ${values.join(', ')}`;

/** One of `values`, exactly as it is stored. */
export const oneOf =
	<const Values extends readonly string[]>(values: Values) =>
	(value: unknown): Values[number] =>
		values.find((each) => each === value) ?? refuse('has no such choice', remedyOf(values));

/** The same, undefined when the field is empty. */
export const maybeOneOf =
	<const Values extends readonly string[]>(values: Values) =>
	(value: unknown): Values[number] | undefined =>
		value === undefined || value === null || value === '' ? undefined : oneOf(values)(value);

/** The same, whatever the case: some of what is read from the service differs in it. */
export const maybeInAnyCase = <const Values extends readonly string[]>(values: Values) => {
	const read = maybeOneOf(values);
	return (value: unknown): Values[number] | undefined => {
		const named = typeof value === 'string' ? inAnyCase(values, value.trim()) : undefined;
		return named ?? read(value);
	};
};

/** Some of `values`, whatever their case; none when the field is empty. */
export const anyOf =
	<const Values extends readonly string[]>(values: Values) =>
	(value: unknown): Array<Values[number]> => {
		const chosen = commaList(value).map((text) => inAnyCase(values, text));
		const wrong = chosen.indexOf(undefined);
		return wrong === -1
			? [...new Set(chosen.filter((each) => each !== undefined))]
			: refuse(
					`has a value at position ${wrong + 1} that does not exist`,
					`Use one or more of ${values.join(', ')}`,
				);
	};

/** At least one of `values`. */
export const someOf = <const Values extends readonly string[]>(values: Values) => {
	const read = anyOf(values);
	return (value: unknown): Array<Values[number]> => {
		const chosen = read(value);
		return chosen.length > 0
			? chosen
			: refuse('is empty', `Use one or more of ${values.join(', ')}`);
	};
};
