/** The webhook that an event says it comes from. Undefined when it does not say so, or nobody can tell. */
export const webhookIdOf = (value: unknown): string | undefined => {
	if (Number.isSafeInteger(value)) return String(value);
	return typeof value === 'string' && value !== '' ? value : undefined;
};
