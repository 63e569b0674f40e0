/** The GSM 03.38 default alphabet without its escape character; each character takes one unit. */
const gsmCharacters = new Set(
	'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

/** Its extension table: each character is an escape character and a second unit. */
const gsmExtendedCharacters = new Set('\f^{}\\[~]|€');

/** Units per message of one part, and per part of a longer message. */
const capacities = {
	'GSM-7': { single: 160, several: 153 },
	Unicode: { single: 70, several: 67 },
} as const;

type Encoding = keyof typeof capacities;

export type MessageParts = {
	encoding: Encoding;
	/** How many SMS are sent and charged; at least 1. */
	parts: number;
	/** In units of the encoding: extended GSM characters take two, emoji two or more in Unicode. */
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

/** A two-unit character is never split between parts. */
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

/** A single character outside the GSM alphabet turns the whole text into Unicode. */
export function messageParts(text: string): MessageParts {
	const characters = [...text];
	const encoding = encodingOf(characters);
	const { single, several } = capacities[encoding];
	const sizes = characters.map((character) => unitsIn(character, encoding));
	const length = sizes.reduce((sum, size) => sum + size, 0);
	return { encoding, length, parts: length <= single ? 1 : fill(sizes, several) };
}
