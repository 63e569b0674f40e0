/** Whether lists and objects lie more than so many levels inside each other. Safe for any depth. */
export const isDeeperThan = (levels: number, value: unknown): boolean => {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	return Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
};
