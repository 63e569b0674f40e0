import { expect, it } from 'vitest';
import { atMost } from '../../../seams.ts';

/** A task that begins when it is its turn, and ends when it is told to. */
const createTask = () => {
	let end = () => {};
	const ended = new Promise<void>((resolve) => (end = resolve));
	const state = { hasBegun: false };
	const task = async () => {
		state.hasBegun = true;
		await ended;
	};
	return { task, end: () => end(), hasBegun: () => state.hasBegun };
};

/** Lets all go on that can. */
const turn = async () => await new Promise((resolve) => setImmediate(resolve));

it('lets so many tasks of a name run at once, and the next as soon as one ends', async () => {
	const { inTurn } = atMost(2);
	const tasks = [createTask(), createTask(), createTask()];
	const other = createTask();
	const [first] = tasks.map(async ({ task }) => await inTurn('a', task));
	void inTurn('b', other.task);
	await turn();
	expect(tasks.map(({ hasBegun }) => hasBegun())).toEqual([true, true, false]);
	expect(other.hasBegun()).toBe(true);

	tasks[0]?.end();
	await first;
	await turn();
	expect(tasks[2]?.hasBegun()).toBe(true);
});

it('forgets a name once its tasks are done, also when they failed', async () => {
	const { inTurn, names } = atMost(1);
	const tasks = [createTask(), createTask()];
	const done = tasks.map(async ({ task }) => await inTurn('a', task));
	const failed = inTurn('b', async () => await Promise.reject(new Error('no')));
	expect(names()).toEqual(['a', 'b']);

	await expect(failed).rejects.toThrow('no');
	tasks.forEach(({ end }) => end());
	await Promise.all(done);
	expect(names()).toEqual([]);
});
