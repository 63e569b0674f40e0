type Fields = Record<string, unknown>;

/** What is left of a text when neither its signs nor its case count. */
const plain = (text: string): string =>
	text
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '')
		.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));

/** All that stands in a value, keys included, in the order in which it stands there. */
const textsIn = (value: unknown): string[] => {
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? [] : [value.toISOString()];
	if (value === undefined || value === null) return [];
	if (typeof value !== 'object') return [String(value)];
	return Array.isArray(value)
		? value.flatMap(textsIn)
		: Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
};

/** The older API calls this placeholder otherwise. */
const inWordsOfV1 = (text: string): string =>
	text.replaceAll('[opt-out-link]', '[unsub-reply-link]');

/** Half a character is left out, so the signs on its two sides can become one letter. */
const asSent = (text: string): string => inWordsOfV1(text).replaceAll(/\p{Cs}/gu, '');

const nonsense = /\[object |undefined|NaN|Invalid Date|=>|function /;

/** For as long as a batch is looked at. */
export const createMeaning = (values: unknown[]) => {
	const said = values.map(textsIn);
	const texts = said.map((each) => each.join(' '));
	// 1e3 means a number as well.
	const numbers = said.flat().map(Number).filter(Number.isFinite).map(String);
	const plainTexts = [...texts, ...numbers].map((text) => plain(asSent(text)));
	const isIn = (text: string) => plainTexts.some((each) => each.includes(plain(asSent(text))));
	const couldBeNumber = (text: string) => /^\+?\d{6,15}$/.test(text) && isIn(text.slice(-8));
	/** A zone moves a date by a day at most, and so its year by one. */
	const couldBeDate = (text: string) => {
		const year = Number(/^(\d{4})-\d\d-\d\d[T ]/.exec(text)?.[1]);
		return [year - 1, year, year + 1].some((each) => plainTexts.some((t) => t.includes(`${each}`)));
	};
	return {
		/** Whether one of the values can mean this text, whatever the field: nothing is added to what it says. */
		couldMean: (text: string): boolean =>
			isIn(text)
				? !nonsense.test(text) || texts.some((each) => nonsense.test(each))
				: text.split(',').every(couldBeNumber) || couldBeDate(text),
		couldBeNumber,
		/** Whether one of the values is exactly this text. */
		isExactly: (text: string): boolean => texts.some((each) => asSent(each) === asSent(text)),
	};
};

export type Meaning = ReturnType<typeof createMeaning>;

/** Every text and number in a value, by the name of the field at the top. */
export const leavesOf = (fields: unknown): Array<{ key: string; text: string }> => {
	if (typeof fields !== 'object' || fields === null) return [];
	const inside = (value: unknown): string[] =>
		typeof value === 'object' && value !== null
			? Object.values(value).flatMap(inside)
			: value === undefined || value === null
				? []
				: [String(value)];
	return Object.entries(fields as Fields).flatMap(([key, value]) =>
		inside(value).map((text) => ({ key, text })),
	);
};
