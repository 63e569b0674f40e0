/**
 * Does what has the same name once for all who ask for it, also at the same time. A failure is not remembered:
 * whoever asks next tries again.
 */
export const onceEach = () => {
	const results = new Map<string, Promise<unknown>>();
	return async <Value>(name: string, task: () => Promise<Value>): Promise<Value> => {
		const begin = async () =>
			await task().catch((error: unknown) => {
				results.delete(name);
				throw error;
			});
		const result = results.get(name) ?? begin();
		results.set(name, result);
		return (await result) as Value;
	};
};
