const gsmBasic =
	'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const gsmExtended = '^{}\\[~]|€\f';

export interface TextParts {
	parts: number;
	isGsm: boolean;
}

/** How many SMS a text takes: 160/153 units in the GSM alphabet, 70/67 in Unicode. */
export function textParts(text: string): TextParts {
	const characters = [...text];
	const isGsm = characters.every((c) => gsmBasic.includes(c) || gsmExtended.includes(c));
	const units = isGsm
		? characters.reduce((sum, c) => sum + (gsmExtended.includes(c) ? 2 : 1), 0)
		: text.length;
	const [single, concatenated] = isGsm ? [160, 153] : [70, 67];
	return { parts: units <= single ? 1 : Math.ceil(units / concatenated), isGsm };
}
