type Line = { free: number; waiting: Array<() => void> };

/**
 * Of the tasks of one name, lets so many run at once; the others wait for their turn, first come first
 * served. Different names do not wait for each other, and a name is forgotten once its tasks are done.
 */
export const atMost = (most: number) => {
	const lines = new Map<string, Line>();

	const enter = async (line: Line) => {
		if (line.free > 0) line.free--;
		else await new Promise<void>((go) => line.waiting.push(go));
	};
	const leave = (name: string, line: Line) => {
		const next = line.waiting.shift();
		if (next) next();
		else if (++line.free === most) lines.delete(name);
	};
	return {
		inTurn: async <Value>(name: string, task: () => Promise<Value>): Promise<Value> => {
			const line = lines.get(name) ?? { free: most, waiting: [] };
			lines.set(name, line);
			await enter(line);
			return await task().finally(() => leave(name, line));
		},
		/** Names that have a task now. */
		names: () => [...lines.keys()],
	};
};
