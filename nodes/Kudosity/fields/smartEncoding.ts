import { isJson } from '../lib/json';
import { encodeSmartly, type SmartEncoding } from '../lib/smartEncoding';
import { field, type Field, type Input } from './field';
import { trueOrFalse } from './readers';

export const smartEncoding = field(
	{
		displayName: 'Smart Encoding',
		name: 'smartEncoding',
		type: 'boolean',
		default: false,
		description:
			'Whether to replace typographic quotes, dashes and spaces with plain ones if the text then takes fewer SMS. Letters, emoji and links never change.',
	},
	trueOrFalse,
);

type Texts = Record<string, unknown>;

const add = (one: SmartEncoding, other: SmartEncoding): SmartEncoding => {
	const all = [...one.replaced, ...other.replaced];
	const replaced = [...new Set(all.map(({ from }) => from))].map((from) => {
		const same = all.filter((each) => each.from === from);
		return { ...same[0]!, count: same.reduce((sum, { count }) => sum + count, 0) };
	});
	return { replaced, partsSaved: one.partsSaved + other.partsSaved };
};

/** The input with its texts as they are sent, and what the option Smart Encoding has changed in them, if anything. */
export const encodeTexts = (
	fields: readonly Field[],
	input: Input,
): { input: Input; smartEncoding?: SmartEncoding } => {
	const { options } = input;
	if (!isJson(options) || options.smartEncoding !== true) return { input };
	const changes: SmartEncoding[] = [];
	const encode = (among: readonly Field[], values: Texts): Texts => {
		const encoded = { ...values };
		for (const { isSmsText, property } of among) {
			const text = isSmsText ? values[property.name] : undefined;
			const result = typeof text === 'string' ? encodeSmartly(text) : undefined;
			if (!result) continue;
			const { text: sent, ...change } = result;
			encoded[property.name] = sent;
			changes.push(change);
		}
		return encoded;
	};
	const inOptions = fields.find(({ property }) => property.name === 'options')?.fields ?? [];
	const encoded = { ...encode(fields, input), options: encode(inOptions, options) };
	const [first, ...others] = changes;
	return { input: encoded, smartEncoding: first && others.reduce(add, first) };
};
