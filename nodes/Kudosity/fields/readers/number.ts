import { refuse } from '../refusal';

const isLeftOut = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

const toNumber = (value: unknown): number =>
	typeof value === 'string' || typeof value === 'number' ? Number(value) : NaN;

type Bounds = { min: number; max?: number };

/** A whole number; undefined when the field is empty. */
export const wholeNumber = ({ min, max = Infinity }: Bounds) => {
	const kind = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
	return (value: unknown): number | undefined => {
		if (isLeftOut(value)) return undefined;
		const number = toNumber(value);
		return Number.isInteger(number) && number >= min && number <= max
			? number
			: refuse(`is not a whole number ${kind}`, 'Use one, or check what the expression delivers');
	};
};

/** A number of any kind from `min` on; undefined when the field is empty. */
export const numberFrom =
	(min: number) =>
	(value: unknown): number | undefined => {
		if (isLeftOut(value)) return undefined;
		const number = toNumber(value);
		return number >= min && number < Infinity
			? number
			: refuse(`is not a number of at least ${min}`, 'Use a number, e.g. 14');
	};

/** True or false, also as the texts that spreadsheets deliver; undefined when the field is empty. */
export const trueOrFalse = (value: unknown): boolean | undefined => {
	if (isLeftOut(value)) return undefined;
	const plain = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (plain === true || plain === 'true') return true;
	if (plain === false || plain === 'false') return false;
	return refuse(
		'is neither true nor false',
		'Use true or false, or an expression that delivers one of them',
	);
};
