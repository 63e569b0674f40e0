import { z } from 'zod/v4';
import { anything } from './common.schema';
import { optionalText, refuse, requiredText } from './input.schema';

/** An id as it stands in a path. Slashes and dots could lead to another record, so they are refused. */
export const recordId = requiredText.transform((text, context) => {
	const id = text.trim();
	return /^[\w-]{1,100}$/.test(id)
		? id
		: refuse(
				context,
				'is not an ID',
				'Use the ID as Kudosity shows it: letters, digits and hyphens, e.g. 67e3e4af-62e8-4515-8b67-6f20d0c51ffb',
			);
});

const isText = (value: unknown): value is string | number =>
	typeof value === 'string' || typeof value === 'number';

/**
 * One text, or a list of them however deep, each whole. Empty ones do not count.
 * Where it may be left out, `.optional()` tells that from an empty one.
 */
export const textList = z.unknown().transform((value, context): string[] => {
	const entries = [value].flat(Infinity).filter((entry) => entry !== undefined && entry !== null);
	return entries.every(isText)
		? entries.map((entry) => String(entry).trim()).filter((entry) => entry !== '')
		: refuse(
				context,
				'is not a list of texts',
				'Use one value, several, or an expression that delivers a list of texts',
			);
});

/** The same for values that hold no comma themselves, so that a comma can separate them. */
export const commaList = textList.transform((entries) =>
	entries
		.flatMap((entry) => entry.split(','))
		.map((entry) => entry.trim())
		.filter((entry) => entry !== ''),
);

/** Some of `values`, whatever their case; none when the field is empty. */
export const anyOf = <Value extends string>(values: readonly Value[]) =>
	commaList.transform((texts, context): Value[] => {
		const chosen = texts.map((text) => values.find((value) => value === text.toUpperCase()));
		const wrong = chosen.indexOf(undefined);
		return wrong === -1
			? [...new Set(chosen.filter((value) => value !== undefined))]
			: refuse(
					context,
					`has a value at position ${wrong + 1} that does not exist`,
					`Use one or more of ${values.join(', ')}`,
				);
	});

/** At least one of `values`. */
export const someOf = <Value extends string>(values: readonly Value[]) =>
	anyOf(values).transform((chosen, context) =>
		chosen.length > 0
			? chosen
			: refuse(context, 'is empty', `Use one or more of ${values.join(', ')}`),
	);

/** Dates of expressions can come from another realm, where `instanceof` fails. */
const isDate = (value: unknown): value is Date =>
	Object.prototype.toString.call(value) === '[object Date]' && !Number.isNaN(Number(value));

/** A date as text; read by `parseTime`, which knows the time zone. Undefined when the field is empty. */
export const dateText = anything
	.transform((value) => (isDate(value) ? value.toISOString() : value))
	.pipe(optionalText);

const isLeftOut = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

type Bounds = { min: number; max?: number };

/** A whole number; undefined when the field is empty. */
export const wholeNumber = ({ min, max = Infinity }: Bounds) => {
	const kind = `a whole number ${max === Infinity ? `above ${min - 1}` : `from ${min} to ${max}`}`;
	return anything.transform((value, context): number | undefined => {
		if (isLeftOut(value)) return undefined;
		const number = isText(value) ? Number(value) : NaN;
		return Number.isInteger(number) && number >= min && number <= max
			? number
			: refuse(context, `is not ${kind}`, 'Use one, or check what the expression delivers');
	});
};

/** True or false, also as the texts that spreadsheets deliver; undefined when the field is empty. */
export const booleanInput = anything.transform((value, context): boolean | undefined => {
	if (isLeftOut(value)) return undefined;
	const plain = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (plain === true || plain === 'true') return true;
	if (plain === false || plain === 'false') return false;
	return refuse(
		context,
		'is neither true nor false',
		'Use true or false, or an expression that delivers one of them',
	);
});
