import { collection } from './collection';
import { needed, type Field, type Input } from './field';
import { defaultCountry } from './phone/defaultCountry';
import { lookUpUnknown, maxParts, sendOptions, type SendOptions } from './sendOptions';

type Declared = {
	fields: readonly Field[];
	sends?: { text?: unknown; fallback?: unknown; lookUp?: unknown };
};

export const takesPhoneNumbers = ({ fields }: { fields: readonly Field[] }): boolean =>
	fields.some((field) => field.takesPhoneNumbers);

/** Which operations have an option, for what they are. */
type General = [option: Field, isOf: (declared: Declared) => unknown];

const generalOptions: General[] = [
	[defaultCountry, takesPhoneNumbers],
	...sendOptions.map((option): General => [option, ({ sends }) => sends]),
	[needed(maxParts), ({ sends }) => sends?.text ?? sends?.fallback],
	[lookUpUnknown, ({ sends }) => sends?.lookUp],
];

/** The fields of an operation, with the options that follow from what it does. */
export const withGeneralOptions = (declared: Declared): readonly Field[] => {
	const general = generalOptions.filter(([, isOf]) => isOf(declared)).map(([option]) => option);
	if (general.length === 0) return declared.fields;
	const isOptions = ({ property }: Field) => property.name === 'options';
	const own = declared.fields.find(isOptions)?.fields ?? [];
	const options = collection(
		{ displayName: 'Options', name: 'options', placeholder: 'Add option' },
		[...own, ...general],
	);
	return [...declared.fields.filter((field) => !isOptions(field)), options];
};

/** Those of an operation that sends; all others have none. */
export const sendOptionsOf = ({ options }: Input): SendOptions => options ?? {};

const generalNames = new Set(generalOptions.map(([{ property }]) => property.name));

/** What is asked of the service: the values without the options that only say how to send. */
export const withoutGeneralOptions = ({ options, ...values }: Input): Input => {
	const own = Object.entries(options ?? {}).filter(([name]) => !generalNames.has(name));
	return { ...values, options: Object.fromEntries(own) };
};
