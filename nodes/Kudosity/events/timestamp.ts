/** Date, time, up to nine fractional digits, and an offset that may be missing. */
const iso8601 = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|z|[+-]\d\d:?\d\d)?$/;

const normalOffset = (offset: string | undefined): string =>
	offset === undefined || /^z$/i.test(offset) ? 'Z' : offset.replace(/(\d\d)(\d\d)$/, '$1:$2');

/** The form of the service's own times, which `Date.parse` reads as they stand. */
const plainUtc = /^\d{4}-\d\d-\d\dT(?!24)\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

const epochMsOf = (text: string): number => {
	if (plainUtc.test(text)) return Date.parse(text);
	const parts = iso8601.exec(text.trim());
	if (!parts) return NaN;
	const [, date, time, fraction = '', offset] = parts;
	const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
	return Date.parse(`${date}T${time}.${milliseconds}${normalOffset(offset)}`);
};

/**
 * The service's time as ISO 8601 in UTC with milliseconds. Its times are UTC, so that is assumed where no
 * offset is given. Text that is no time stays as it is.
 */
export const toIsoTimestamp = (text: string): string => {
	const epochMs = epochMsOf(text);
	return Number.isNaN(epochMs) ? text : new Date(epochMs).toISOString();
};
