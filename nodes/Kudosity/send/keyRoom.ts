import type { IExecuteFunctions } from 'n8n-workflow';
import { InputError } from '../api/errors';
import { type Prepared, refused } from './attempt';
import { countKeys, maxKeys } from './claimStore';

const shown = (count: number): string => count.toLocaleString('en-US');

const keyOf = (each: Prepared): string | undefined => ('error' in each ? undefined : each.key);

/**
 * Refuses a run with more keys than n8n can store. n8n would drop the first keys before the end of the run, and the
 * next run would send their messages again.
 */
export function refuseTooManyKeys(items: Prepared[]): Prepared[] {
	const count = new Set(items.map(keyOf).filter((key) => key !== undefined)).size;
	if (count <= maxKeys) return items;
	const error = new InputError(
		`This run has ${shown(count)} keys (Campaign Name or Deduplication Key), but n8n keeps only ${shown(maxKeys)} for each workflow, so nothing was sent`,
		`Send at most ${shown(maxKeys)} items per workflow. For the rest, use a copy of this workflow, which has its own keys`,
	);
	return items.map((each) => ('error' in each ? each : refused(each, error)));
}

/** From this number of keys on, users are warned that n8n will soon drop the oldest ones. */
const almostFull = 0.9 * maxKeys;

/**
 * Returns a warning for the end of a run, if the workflow has used so many keys that n8n soon drops the oldest ones, or
 * already does.
 */
export async function describeKeyRoom(
	context: IExecuteFunctions,
	items: Prepared[],
): Promise<string | undefined> {
	if (items.every((each) => keyOf(each) === undefined)) return undefined;
	// The messages were already sent, so a store that can't be read must not fail the run.
	const used = await countKeys(context).catch(() => 0);
	if (used < almostFull) return undefined;
	return `This workflow has used ${shown(Math.min(used, maxKeys))} of ${shown(maxKeys)} keys (Campaign Name, Deduplication Key). When all are used, n8n forgets the oldest keys, and their messages can be sent again. For your next campaign, use a copy of this workflow: it starts without keys`;
}
