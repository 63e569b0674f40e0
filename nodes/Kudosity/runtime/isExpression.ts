/** Whether what a node has stored for a field depends on the item, in whole or in a part. */
export const isExpression = (stored: unknown): boolean =>
	typeof stored === 'string'
		? stored.startsWith('=')
		: typeof stored === 'object' && stored !== null && Object.values(stored).some(isExpression);
