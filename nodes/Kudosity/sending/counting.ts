import type { IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../api/clock';
import { createPlaces, nameOfNode } from './attemptNames';
import { createDayCounts, dryDayCounts, type DayCounts } from './dayCounts';
import { countsOf, forgetCounts, type GuardCounts } from './guardMemory';
import type { Message } from './message';

/** One that takes room for a number, for all messages of the same name. */
type Holder = { isDone: boolean; taking: Promise<void> };

/** What is counted, and where: one for each run of a node. */
export type Counting = {
	counts: GuardCounts;
	days: DayCounts;
	placeOf: ReturnType<typeof createPlaces>;
	holders: Map<string, Holder>;
};

export type CountingOptions = { clock: Clock; isDry: boolean };

/** All runs of the node in its execution count together. */
export const openCounting = (
	context: IExecuteFunctions,
	{ clock, isDry }: CountingOptions,
): Counting => {
	const name = `${nameOfNode(context)}${isDry ? ':dry' : ''}`;
	const counts = countsOf(name);
	context.onExecutionFinish?.(() => forgetCounts(name));
	return {
		counts,
		days: isDry ? dryDayCounts(counts) : createDayCounts(context, clock),
		placeOf: createPlaces(context),
		holders: new Map(),
	};
};

/** A message to one number; the name tells it from all others that go out together. */
export type Copy = { number: string; name?: string };

export const copiesOf = ({ to, nameOf }: Message): Copy[] => {
	if (!('numbers' in to)) return [];
	const name = nameOf?.();
	return to.numbers.map((number) => ({ number, name: name && `${number} ${name}` }));
};

/** Those that nobody else sends the same to. */
export const ownCopies = (copies: Copy[], known: { has(name: string): boolean }): Copy[] =>
	copies.filter(({ name }) => name === undefined || !known.has(name));
