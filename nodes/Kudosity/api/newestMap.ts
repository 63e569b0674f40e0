/** A map that keeps so many of its newest entries; one that is set again is new. */
export const newestMap = <Value>(most: number) => {
	const entries = new Map<string, Value>();
	return {
		get: (name: string) => entries.get(name),
		set: (name: string, value: Value): void => {
			entries.delete(name);
			entries.set(name, value);
			const [oldest] = entries.keys();
			if (entries.size > most && oldest !== undefined) entries.delete(oldest);
		},
		delete: (name: string): void => void entries.delete(name),
		clear: () => entries.clear(),
		names: () => [...entries.keys()],
	};
};
