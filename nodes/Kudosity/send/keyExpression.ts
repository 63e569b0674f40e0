import { ExpressionParser, type IExecuteFunctions } from 'n8n-workflow';
import { textOrNone } from '../api/endpoint';
import { InputError } from '../api/errors';
import { sendOptionsOf } from '../fields/sendOptions';
import { isBlank } from '../lib/text';

type Context = Pick<IExecuteFunctions, 'getNode' | 'evaluateExpression'>;
type Code = Extract<ReturnType<typeof ExpressionParser.splitExpression>[number], { type: 'code' }>;

/** Never part of a written text, so that an evaluation can be split into its pieces again. */
const separator = '\u001f';
const maxShownLength = 60;

/** What a missing value becomes when code joins it into a text, or an object, or a method without parentheses. */
const missing =
	/undefined|(?<!\p{L})(null|NaN)(?!\p{L})|\[object \w+\]|\[native code\]|Invalid Date/u;
const date = / GMT[+-]\d{4}/;

/** The option as stored: a text that begins with = is an expression. */
const writtenKey = (context: Context): string | undefined => {
	const { options } = context.getNode().parameters;
	return textOrNone((options as Record<string, unknown> | undefined)?.deduplicationKey);
};

const asWritten = (code: Code): string =>
	ExpressionParser.joinExpression([{ ...code, hasClosingBrackets: true }]);

const shown = (code: Code): string => {
	const text = `{{ ${code.text.trim().replace(/\s+/g, ' ')} }}`;
	return text.length <= maxShownLength ? text : `${text.slice(0, maxShownLength)}…`;
};

const asText = (value: unknown): string =>
	value === undefined || value === null || Number.isNaN(value) ? '' : String(value);

const useValues =
	"Use values that every item has, or filter out items without them. For items that need no key, use a second node without 'Deduplication Key'";

const refusal = (what: string, remedy = useValues) =>
	new InputError(`'Options > Deduplication Key' ${what}`, remedy);

/** Reads the value of each piece of code. A single one is cut out of the key; several are evaluated again. */
const createReader = (context: Context, written: string) => {
	const chunks = ExpressionParser.splitExpression(written.slice(1));
	const codes = chunks.filter((chunk) => chunk.type === 'code');
	const [before = '', , after = ''] = chunks.map(({ text }) => text);
	const evaluate = (expression: string, itemIndex: number) =>
		asText(context.evaluateExpression(expression, itemIndex));

	const valuesOf = (key: string, itemIndex: number): string[] => {
		const isFramed = key.length >= before.length + after.length;
		if (codes.length === 1 && isFramed && key.startsWith(before) && key.endsWith(after)) {
			return [key.slice(before.length, key.length - after.length)];
		}
		const values = evaluate(codes.map(asWritten).join(separator), itemIndex).split(separator);
		return values.length === codes.length
			? values
			: codes.map((code) => evaluate(asWritten(code), itemIndex));
	};
	/** A date object reads as another text where the items come from n8n's database, as on Retry. */
	const isDate = (value: string, code: Code | undefined, itemIndex: number): boolean =>
		code !== undefined &&
		date.test(value) &&
		typeof context.evaluateExpression(asWritten(code), itemIndex) === 'object';
	return { codes, valuesOf, isDate };
};

/**
 * An expression that returns nothing would send without a key, and one with a missing value inside, or in Fixed mode,
 * would give many items the same key. An empty field just switches the option off.
 *
 * @throws InputError names the piece of the expression that has no value
 */
export const createKeyCheck = (context: Context) => {
	const written = writtenKey(context) ?? '';
	if (!/^=|\{\{/.test(written)) return () => undefined;
	const { codes, valuesOf, isDate } = createReader(context, written);

	return (input: Record<string, unknown>, itemIndex: number): void => {
		if (!written.startsWith('=')) throw refusal('is fixed text', 'Switch it to Expression');
		const { deduplicationKey: key } = sendOptionsOf(input);
		if (key === undefined && codes.length <= 1) {
			throw refusal(codes[0] ? `is empty: ${shown(codes[0])} has no value` : 'is empty');
		}
		if (codes.length === 0) return;
		valuesOf(key ?? '', itemIndex).forEach((value, index) => {
			const name = codes[index] ? shown(codes[index]) : '';
			if (isBlank(value)) throw refusal(`is incomplete: ${name} has no value`);
			if (missing.test(value)) throw refusal(`is incomplete: a part of ${name} has no value or ()`);
			if (isDate(value, codes[index], itemIndex)) {
				throw refusal(`has a date: use new Date(…).toISOString() in ${name}`);
			}
		});
	};
};
