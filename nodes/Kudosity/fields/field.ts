import type { INodeProperties } from 'n8n-workflow';
import { type InputCode, InputError } from '../api/errors';
import type { Phones } from './phone/phones';

/** A value that cannot be right. The message goes on after the name of its field: "is empty". */
export class Refusal extends Error {
	override name = 'Refusal';

	constructor(
		readonly problem: string,
		readonly remedy: string,
		readonly code?: InputCode,
	) {
		super(problem);
	}
}

/** Says what is wrong with a value, and how the user can put it right. Never quotes the value. */
export const refuse = (problem: string, remedy: string, code?: InputCode): never => {
	throw new Refusal(problem, remedy, code);
};

/** What reading came to. */
export const attempt = <Value>(read: () => Value): { value: Value } | { error: unknown } => {
	try {
		return { value: read() };
	} catch (error) {
		return { error };
	}
};

/** A field's value cannot be right. */
export class FieldError extends InputError {}

/** What the reading of a value depends on, beside the value. */
export type ReadContext = {
	/** ISO 3166-1 alpha-2; phone numbers without a country code count there. */
	defaultCountry?: string;
	/** There where an operation takes phone numbers. */
	phones?: Phones;
	/** The workflow's, in which dates without a zone count, e.g. Australia/Sydney. */
	timeZone: string;
};

/**
 * Reads what the user or an expression gave: any value at all, undefined included.
 *
 * @throws Refusal says what is wrong with it and how to put it right
 */
export type Read<Value> = (value: unknown, scope: ReadContext) => Value;

/** A field of the panel together with how its value is read. */
export type Field<Name extends string = string, Value = unknown> = {
	/** As n8n shows it. `name` is stored in saved workflows: never rename. */
	property: INodeProperties & { name: Name };
	read: Read<Value>;
	/** Those of a collection. */
	fields?: readonly Field[];
	/** Whether it reads phone numbers, so that its operation offers Default Country. */
	takesPhoneNumbers?: boolean;
	/** Whether an expression that fails is a value as well: its error. */
	takesFailures?: boolean;
	/** Nothing would mean something else than leaving it out: an option that was added, or an expression. */
	needsValue?: boolean;
};

/** What an item asks for: values of fields by their names, checked and converted. */
export type Input = Record<string, unknown>;

export type InputOf<Fields extends readonly Field[]> = {
	[Each in Fields[number] as Each['property']['name']]: Each extends Field<string, infer Value>
		? Value
		: never;
};

export const field = <const Name extends string, Value>(
	property: Omit<INodeProperties, 'name'> & { name: Name },
	read: Read<Value>,
): Field<Name, Value> => ({ property: property as INodeProperties & { name: Name }, read });

/** Refused without a value: an option that was added, or a field whose expression delivers nothing. */
export const required = <Name extends string, Value>(
	option: Field<Name, Value>,
): Field<Name, Value> => ({ ...option, needsValue: true });

/** A field that is shown, and read, only while other fields of the operation have these values. */
export const shownWhen = <Name extends string, Value>(
	show: Record<string, Array<string | boolean>>,
	{ property, ...shown }: Field<Name, Value>,
): Field<Name, Value | undefined> => ({
	...shown,
	property: { ...property, displayOptions: { show } },
});

const readField = (
	{ property, read }: Field,
	value: unknown,
	scope: ReadContext,
	within: string,
) => {
	const result = attempt(() => read(value, scope));
	if ('value' in result) return result.value;
	const { error } = result;
	throw error instanceof Refusal
		? new FieldError(
				`'${within}${property.displayName}' ${error.problem}`,
				error.remedy,
				error.code,
			)
		: error;
};

/**
 * Whether the values that were read hide a field. n8n leaves a hidden one out, but not where an expression
 * decides what is shown.
 */
const isHidden = ({ property }: Field, values: object, known: Record<string, unknown>): boolean => {
	const { show } = property.displayOptions ?? {};
	if (!show) return false;
	const isOther = ([name, wanted]: [string, unknown]) =>
		known[name] !== undefined && !(wanted as unknown[]).includes(known[name]);
	return !(property.name in values) || Object.entries(show).some(isOther);
};

/**
 * The values of all fields, checked and converted. `within` is what stands before their shown names.
 *
 * @throws FieldError names the first field that cannot be right, what is wrong and how to fix it
 */
export const readFields = <const Fields extends readonly Field[]>(
	fields: Fields,
	values: Record<string, unknown>,
	scope: ReadContext,
	within = '',
): InputOf<Fields> => {
	const known: Record<string, unknown> = {};
	for (const each of fields) {
		const { name } = each.property;
		if (!isHidden(each, values, known)) {
			known[name] = readField(each, values[name], scope, within);
		}
	}
	return known as InputOf<Fields>;
};
