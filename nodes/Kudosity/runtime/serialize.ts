/** Tasks of one name run one after the other in this process; different names do not wait for each other. */
const lastTasks = new Map<string, Promise<unknown>>();

export const serialize = async <Value>(
	name: string,
	task: () => Promise<Value>,
): Promise<Value> => {
	const run = (lastTasks.get(name) ?? Promise.resolve()).then(task, task);
	lastTasks.set(name, run);
	const forget = () => {
		if (lastTasks.get(name) === run) lastTasks.delete(name);
	};
	run.then(forget, forget);
	return await run;
};
