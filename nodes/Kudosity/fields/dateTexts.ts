/** What the fields of dates say of how their values are read; the full stop is theirs. */
export const inZone = 'Without a zone it counts in the time zone of the workflow';

/** Of the end of a period, whose last day would be left out unnoticed. */
export const endInZone = `A date without a time is the beginning of that day. ${inZone}`;
