import { isJson } from '../lib/json';
import { encodeSmartly, type SmartEncoding } from '../lib/smartEncoding';
import { switchField } from './collections';
import { type Field, type Input } from './field';

export const smartEncoding = switchField({
	displayName: 'Smart Encoding',
	name: 'smartEncoding',
	description:
		'Whether to replace typographic quotes, dashes and spaces with plain ones if that saves SMS parts. Letters, emoji and links never change.',
});

/** Returns the input with its texts as they will be sent, and the changes that Smart Encoding made, if any. */
export function encodeTexts(
	fields: readonly Field[],
	input: Input,
): { input: Input; smartEncoding?: SmartEncoding } {
	const { options } = input;
	if (!isJson(options) || options.smartEncoding !== true) return { input };
	const all: SmartEncoding = { replaced: [], partsSaved: 0 };
	const encode = (value: unknown): unknown => {
		const encoded = typeof value === 'string' ? encodeSmartly(value) : undefined;
		if (!encoded) return value;
		all.partsSaved += encoded.partsSaved;
		for (const each of encoded.replaced) {
			const same = all.replaced.find(({ from }) => from === each.from);
			if (same) same.count += each.count;
			else all.replaced.push(each);
		}
		return encoded.text;
	};
	const encodeIn = (among: readonly Field[] = [], values: Input): Input => {
		const texts = among.filter(({ isSmsText }) => isSmsText).map(({ property }) => property.name);
		return { ...values, ...Object.fromEntries(texts.map((name) => [name, encode(values[name])])) };
	};
	const inOptions = fields.find(({ property }) => property.name === 'options')?.fields;
	const encoded = { ...encodeIn(fields, input), options: encodeIn(inOptions, options) };
	return { input: encoded, smartEncoding: all.partsSaved > 0 ? all : undefined };
}
