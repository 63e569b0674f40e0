/** Joins what there is into one text. The service ends some of its sentences with a full stop, and some not. */
export const sentences = (...parts: Array<string | null | undefined>): string =>
	parts
		.map((part) => part?.trim().replace(/(?<!\.)\.+$/, ''))
		.filter(Boolean)
		.join('. ');
