/** A JSON object, as the service's schemas let it through. */
export type Json = Record<string, unknown>;

/** Real data has six levels. n8n stores items with recursive code, which a few thousand would break. */
export const deepestLevel = 50;

export const isJson = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export const parseJson = (text: string): { value: unknown } | undefined => {
	try {
		return { value: JSON.parse(text) };
	} catch {
		return undefined;
	}
};

/** Without what is not there. */
export const filled = (values: Json): Json => {
	const kept: Json = {};
	for (const key of Object.keys(values)) {
		const value = values[key];
		if (value !== undefined) kept[key] = value;
	}
	return kept;
};

/** Whether lists and objects lie more than so many levels inside each other. Safe for any depth. */
export const isDeeperThan = (levels: number, value: unknown): boolean => {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	return Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
};
