/** `KUDOSITY_ALL=1`, which `.ci/run all` sets, includes tests too slow to run on every change. */
export const runsAll = process.env.KUDOSITY_ALL === '1';

/** How many to run otherwise. The rest differ in nothing that this layer could break. */
export const firstOf = <Value>(count: number, values: readonly Value[]): readonly Value[] =>
	runsAll ? values : values.slice(0, count);
