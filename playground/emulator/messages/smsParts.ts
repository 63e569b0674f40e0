import { SegmentedMessage } from 'sms-segments-calculator';

export interface SmsParts {
	parts: number;
	isGsm: boolean;
}

/** Most texts: one unit of the GSM alphabet for each character. */
const plainGsm = /^[\w .,:;!?'"()/+\-=@#%&*<>$\n\r]*$/;

/** How many SMS a text takes. The library takes a time that grows with the square of the length. */
export function smsParts(text: string): SmsParts {
	const { length } = text;
	if (plainGsm.test(text))
		return { parts: length <= 160 ? 1 : Math.ceil(length / 153), isGsm: true };
	const { segmentsCount, encodingName } = new SegmentedMessage(text);
	return { parts: segmentsCount, isGsm: encodingName === 'GSM-7' };
}
