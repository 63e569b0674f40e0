/** Lets so many tasks run at once; the others wait for their turn, first come first served. */
export const atMost = (most: number) => {
	let free = most;
	const waiting: Array<() => void> = [];

	const leave = () => {
		const next = waiting.shift();
		if (next) next();
		else free++;
	};
	return async <Value>(task: () => Promise<Value>): Promise<Value> => {
		if (free > 0) free--;
		else await new Promise<void>((enter) => waiting.push(enter));
		try {
			return await task();
		} finally {
			leave();
		}
	};
};
