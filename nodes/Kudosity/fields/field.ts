import type { INodeProperties } from 'n8n-workflow';
import { type InputCode, InputError, type ValueNotes } from '../api/errors';
import { once, settleNow } from '../lib/async';
import { mapTexts } from '../lib/json';
import { withoutHalfEmoji } from '../lib/text';
import { isEmptyText } from '../lib/missingValue';
import { findUnwritten, type Unwritten } from '../lib/unwrittenText';
import type { Phones } from './phone/phones';

/** The refusal of a value. `problem` is the end of a sentence that begins with the field's name: "is empty". */
export class Refusal extends Error {
	constructor(
		readonly problem: string,
		readonly remedy: string,
		readonly code?: InputCode,
		readonly notes?: ValueNotes,
	) {
		super(problem);
	}
}

/** Refuses a value. States the problem and how to fix it, but never quotes the value. */
export function refuse(
	problem: string,
	remedy: string,
	code?: InputCode,
	notes?: ValueNotes,
): never {
	throw new Refusal(problem, remedy, code, notes);
}

export class FieldError extends InputError {}

/** The context on which reading a value depends. */
export type ReadContext = {
	/** ISO 3166-1 alpha-2; the country of phone numbers without a country code. */
	defaultCountry?: string;
	/**
	 * The readers of phone numbers. Only loaded if the operation takes phone numbers, because the numbering plans are
	 * 65 kB.
	 */
	phones?: Phones;
	/** The workflow's time zone (e.g. Australia/Sydney), for dates without an offset. */
	timeZone: string;
};

/**
 * The value of a field that is the same for all items. It is only read once for each default country, because a list
 * can have 50,000 entries.
 */
export class SharedValue {
	private readonly results = new Map<string | undefined, () => unknown>();

	constructor(private readonly readValue: (scope: ReadContext) => unknown) {}

	/**
	 * Caches failures, too, so an invalid value isn't read again for thousands of items. @throws the first call's error
	 */
	read(scope: ReadContext): unknown {
		const { defaultCountry } = scope;
		const result = this.results.get(defaultCountry) ?? once(() => this.readValue(scope));
		this.results.set(defaultCountry, result);
		return result();
	}
}

/** Reads any value, including undefined. @throws Refusal - the value is invalid */
export type Read<Value> = ((value: unknown, scope: ReadContext) => Value) & PhoneMark;

/** Whether a reader or field takes phone numbers. If so, its operation offers Default Country. */
export type PhoneMark = { takesPhoneNumbers?: boolean };

/** Copies `takesPhoneNumbers` from a reader or field to one that uses it. */
export function markedAs<Reader extends object>(
	{ takesPhoneNumbers }: PhoneMark,
	read: Reader,
): Reader & PhoneMark {
	return Object.assign(read, { takesPhoneNumbers });
}

export function takingPhones<Reader extends object>(read: Reader): Reader & PhoneMark {
	return markedAs({ takesPhoneNumbers: true }, read);
}

/** A field of the panel, and the reader for its value. */
export type Field<Name extends string = string, Value = unknown> = {
	/** The field as n8n shows it. `name` is stored in saved workflows, so never rename it. */
	property: INodeProperties & { name: Name };
	read: Read<Value>;
	/** The fields in the collection. Only set if this field is a collection. */
	fields?: readonly Field[];
	/**
	 * Whether the reader also accepts an Error as the value. If the field's expression fails, the reader then gets the
	 * error.
	 */
	takesFailures?: boolean;
	/** Whether an empty value is refused, because it would have the same effect as not setting the option. */
	needsValue?: boolean;
	/** Whether recipients see the text. Text that is clearly a mistake, e.g. “[object Object]”, is then refused. */
	isMessageText?: boolean;
	/** Whether the field's expression only reads a text that was written elsewhere, e.g. {{ $json.text }}. */
	isForwarded?: boolean;
	/**
	 * Whether the text goes to contacts of a list, depending on the fields before it. The service then replaces, e.g.,
	 * [Firstname] in it.
	 */
	goesToList?: (before: Input) => boolean;
	/** Whether the text is sent as an SMS, so Smart Encoding may change it. */
	isSmsText?: boolean;
} & PhoneMark;

/** The values of an item's fields by name, checked and converted. */
export type Input = Record<string, unknown>;

export type InputOf<Fields extends readonly Field[]> = {
	[Each in Fields[number] as Each['property']['name']]: Each extends Field<string, infer Value>
		? Value
		: never;
};

export function field<const Name extends string, Value>(
	read: Read<Value>,
	property: Omit<INodeProperties, 'name'> & { name: Name },
): Field<Name, Value> {
	return markedAs(read, { property: property as INodeProperties & { name: Name }, read });
}

/** A field that is typed in as text. */
export function textField<const Name extends string, Value>(
	read: Read<Value>,
	property: Omit<INodeProperties, 'name' | 'type' | 'default'> & { name: Name; default?: string },
): Field<Name, Value> {
	return field(read, { type: 'string', default: '', ...property });
}

/** Makes a field refuse an empty value if its option was added, or if the field has an expression. */
export function required<Name extends string, Value>(
	option: Field<Name, Value>,
): Field<Name, Value> {
	return { ...option, needsValue: true };
}

/** Marks a field as the text of a message, or as content that contains texts. */
export function messageTextField<Name extends string, Value>(
	text: Field<Name, Value>,
): Field<Name, Value> {
	return { ...text, isMessageText: true };
}

/** Marks the text of a message that can go to contacts of a list. */
export function listTextField<Name extends string, Value>(
	text: Field<Name, Value>,
	goesToList: (before: Input) => boolean = () => true,
): Field<Name, Value> {
	return { ...messageTextField(text), goesToList };
}

export function smsTextField<Name extends string, Value>(
	text: Field<Name, Value>,
): Field<Name, Value> {
	return { ...messageTextField(text), isSmsText: true };
}

/** A field that is shown and read only while other fields of the operation have the values in `show`. */
export function shownWhen<Name extends string, Value>(
	show: Record<string, Array<string | boolean>>,
	{ property, ...shown }: Field<Name, Value>,
): Field<Name, Value | undefined> {
	return {
		...shown,
		property: { ...property, displayOptions: { show } },
	};
}

const useDefault =
	"check the expression or the earlier node that returns the value, or use a default, e.g. {{ $json.name || 'there' }}";

const unwrittenRemedies: Record<Unwritten['kind'], string> = {
	expression:
		'Switch the field from Fixed to Expression: in Fixed mode, {{ … }} is sent as is. If {{ … }} comes from your data, replace it in the data',
	placeholder:
		"This placeholder won't be filled in. Use an expression, e.g. Hi {{ $json.firstName }}, in Expression mode. If the text comes from your data, replace the placeholder there. To send this text on purpose, put it in quotes",
	method: 'Add parentheses to the method in the expression, e.g. {{ $json.name.trim() }}',
	object: 'The expression returns an object: choose one of its fields, e.g. {{ $json.name.first }}',
	sheetError: `Correct the spreadsheet, ${useDefault}. To send this text on purpose, put it in quotes`,
	missingName: `If a name can be empty, ${useDefault}. If nothing is missing, remove the space before the punctuation mark, or the comma at the beginning`,
	missingValue: `If a value is missing, ${useDefault}. To send this text on purpose, put it in quotes`,
};

/** The kind of a refusal because of a text that nobody wrote (see `findUnwritten`). */
export const unwrittenKind = 'with a missing value';

/**
 * Checks all texts in a message field's value.
 *
 * @throws Refusal - a text contains the trace of a mistake, such as `undefined` instead of a name (see
 * `findUnwritten`), which recipients would see
 */
function checkWritten(value: unknown, source: Parameters<typeof findUnwritten>[1]): void {
	if (typeof value === 'object' && value !== null)
		return Object.values(value).forEach((each) => checkWritten(each, source));
	const unwritten = typeof value === 'string' ? findUnwritten(value, source) : undefined;
	if (!unwritten) return;
	const { found, kind } = unwritten;
	refuse(`has “${found}”, which is probably a mistake`, unwrittenRemedies[kind], undefined, {
		kind: unwrittenKind,
	});
}

function readField(
	{ property, read, isMessageText, isForwarded, goesToList }: Field,
	value: unknown,
	scope: ReadContext,
	within: string,
	before: Input,
) {
	const isShared = value instanceof SharedValue;
	const result = settleNow(() => {
		if (isShared) return value.read(scope);
		// If a text was cut off in the middle of an emoji, the remaining half is removed this early, so SMS parts,
		// limits and the dry run are based on the text that is actually sent.
		const known = read(mapTexts(value, withoutHalfEmoji), scope);
		if (isMessageText) checkWritten(known, { isToList: goesToList?.(before), isForwarded });
		if (isMessageText && typeof known === 'string' && isEmptyText(known)) {
			refuse(`is only “${known.trim()}”`, 'Remove items without a text, e.g. with a Filter node');
		}
		return known;
	});
	if (result.status === 'fulfilled') return result.value;
	const refusal: unknown = result.reason;
	if (!(refusal instanceof Refusal)) throw refusal;
	const { problem, remedy, code, notes } = refusal;
	throw new FieldError(`'${within}${property.displayName}' ${problem}`, remedy, code, {
		...notes,
		...(isShared && { isOfRun: true }),
	});
}

/**
 * Whether n8n hides a field. n8n omits the values of hidden fields, but not if an expression decides what is shown.
 * Therefore, the conditions are also checked here.
 */
function isHidden({ property }: Field, values: object, known: Record<string, unknown>): boolean {
	const { show } = property.displayOptions ?? {};
	if (!show) return false;
	const isOther = ([name, wanted]: [string, unknown]) =>
		known[name] !== undefined && !(wanted as unknown[]).includes(known[name]);
	return !(property.name in values) || Object.entries(show).some(isOther);
}

/**
 * Reads fields: checks and converts their values. `within` precedes the field names in errors.
 *
 * @throws FieldError - a field is invalid; only the first one is reported
 */
export function readFields<const Fields extends readonly Field[]>(
	fields: Fields,
	values: Record<string, unknown>,
	scope: ReadContext,
	within = '',
): InputOf<Fields> {
	const known: Record<string, unknown> = {};
	for (const each of fields) {
		const { name } = each.property;
		if (!isHidden(each, values, known)) {
			known[name] = readField(each, values[name], scope, within, known);
		}
	}
	return known as InputOf<Fields>;
}
