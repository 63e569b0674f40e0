/** The GSM 03.38 default alphabet without its escape character. Each character takes one unit. */
const gsmCharacters = new Set(
	'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

/** The extension table of the GSM alphabet. Each character takes two units, because an escape character precedes it. */
const gsmExtendedCharacters = new Set('\f^{}\\[~]|€');

/** How many units fit in a single SMS, and in each part of a longer message. */
const capacities = {
	'GSM-7': { single: 160, several: 153 },
	Unicode: { single: 70, several: 67 },
} as const;

type Encoding = keyof typeof capacities;

export type MessageParts = {
	encoding: Encoding;
	/** How many SMS are sent and charged. At least 1. */
	parts: number;
	/**
	 * The length in units of the encoding. In GSM-7, extended characters take two units. In Unicode, emoji take two or
	 * more.
	 */
	length: number;
};

const encodingOf = (characters: string[]): Encoding =>
	characters.every((each) => gsmCharacters.has(each) || gsmExtendedCharacters.has(each))
		? 'GSM-7'
		: 'Unicode';

function unitsIn(character: string, encoding: Encoding): number {
	if (encoding === 'Unicode') return character.length;
	return gsmExtendedCharacters.has(character) ? 2 : 1;
}

/** Counts the parts needed for characters of these sizes. A two-unit character is never split between parts. */
function fill(sizes: number[], capacity: number): number {
	let parts = 1;
	let used = 0;
	for (const size of sizes) {
		const fits = used + size <= capacity;
		used = fits ? used + size : size;
		parts += fits ? 0 : 1;
	}
	return parts;
}

export function charactersIn(parts: number, encoding: Encoding): number {
	const { single, several } = capacities[encoding];
	return parts === 1 ? single : parts * several;
}

/** Counts the SMS that a text needs. A single character outside the GSM alphabet makes the whole text Unicode. */
export function messageParts(text: string): MessageParts {
	const characters = [...text];
	const encoding = encodingOf(characters);
	const { single, several } = capacities[encoding];
	const sizes = characters.map((character) => unitsIn(character, encoding));
	const length = sizes.reduce((sum, size) => sum + size, 0);
	return { encoding, length, parts: length <= single ? 1 : fill(sizes, several) };
}
