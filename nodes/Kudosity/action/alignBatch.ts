import { InputError } from '../api/errors';
import type { Field, Input } from '../fields/field';
import type { Batch, Operation } from '../fields/operation';
import { withoutGeneralOptions } from '../fields/sendOptions';
import { isJson, type Json } from '../lib/json';
import { type Attempt, type Prepared, refused } from '../send/attempt';

/** Returns the display name of the first field in which two items differ. Recipients are not compared. */
function findDifference(fields: readonly Field[], one: Input, other: Input): string | undefined {
	const labelIn = (among: readonly Field[], name: string) =>
		among.find(({ property }) => property.name === name)?.property.displayName ?? name;
	const differs = (name: string, left: Input, right: Input) =>
		JSON.stringify(left[name]) !== JSON.stringify(right[name]);
	const namesOf = (left: Input, right: Input) => Object.keys({ ...left, ...right });

	const name = namesOf(one, other).find((each) => each !== 'options' && differs(each, one, other));
	if (name !== undefined) return labelIn(fields, name);
	const [left, right] = [one.options, other.options].map((options) =>
		isJson(options) ? options : {},
	) as [Json, Json];
	const option = namesOf(left, right).find((each) => differs(each, left, right));
	const options = fields.find(({ property }) => property.name === 'options')?.fields ?? [];
	return option === undefined ? undefined : `Options > ${labelIn(options, option)}`;
}

/**
 * Returns an item's Sending Hours as a string. They must be the same in all items, because the items share requests.
 */
const hoursOf = ({ options }: Attempt): string => JSON.stringify(options.sendingHours);

/** Whether an item is sent to phone numbers, not to a contact list. */
export const isTogether = (each: Prepared): each is Attempt =>
	!('error' in each) && each.to !== undefined && 'numbers' in each.to;

/** How many different messages one contact list may get in a run. */
const maxPerList = 2;

const listIdOf = ({ to }: Attempt): string | undefined =>
	to && 'listId' in to ? to.listId : undefined;

/** Returns a string that identifies a message and its contact list. Items with the same string share a request. */
export const messageNameOf = ({ input }: Attempt): string =>
	JSON.stringify(withoutGeneralOptions(input));

/**
 * Prepares the items of a run for shared requests. All items with phone numbers form one message, so each is compared
 * with the first of them: they may only differ in their recipients, and in options that concern a single item. Items
 * with the same contact list may have different messages, but each message goes to the whole list. Three or more
 * different messages are most likely a mistake: each was meant for one person.
 *
 * @returns the items, with small differences removed by `batch.createAligner`. If one item with phone numbers differs,
 * all items with phone numbers are refused. If a list would get too many messages, all of its items are refused
 */
export function alignBatch(
	items: Prepared[],
	operation: Operation,
	batch: Batch<Input>,
): Prepared[] {
	const aligners = new Map<string, (input: Input) => Input>();
	const aligned = items.map((each): Prepared => {
		if ('error' in each) return each;
		const name = listIdOf(each) ?? 'numbers';
		const align = aligners.get(name) ?? batch.createAligner();
		aligners.set(name, align);
		return { ...each, input: align(each.input) };
	});
	const refusal = refusalOfNumbers(aligned.filter(isTogether), operation, batch);
	const refusals = refusalsOfLists(aligned, operation);
	return aligned.map((each) => {
		if ('error' in each) return each;
		const error = isTogether(each) ? refusal : refusals.get(listIdOf(each) ?? '');
		return error ? refused(each, error) : each;
	});
}

/** Returns an error if the items with phone numbers don't all have the same message. */
function refusalOfNumbers(
	[first, ...others]: Attempt[],
	operation: Operation,
	batch: Batch<Input>,
): InputError | undefined {
	if (!first) return undefined;
	const messageOf = ({ input }: Attempt) => batch.withoutRecipients(withoutGeneralOptions(input));
	const message = messageOf(first);
	for (const each of others) {
		const difference =
			findDifference(operation.fields, message, messageOf(each)) ??
			(hoursOf(each) === hoursOf(first) ? undefined : 'Sending Limits > Sending Hours');
		if (difference === undefined) continue;
		return new InputError(
			`Bulk SMS sends one message, but item ${each.item + 1} differs from item ${first.item + 1} in '${difference}'`,
			'To send different messages, use SMS → Send, or put Loop Over Items with Batch Size 1 before this node',
		);
	}
	return undefined;
}

/** Returns an error for each contact list that would get too many messages, keyed by the list's ID. */
function refusalsOfLists(items: Prepared[], operation: Operation): Map<string, InputError> {
	/** For each list ID and each message to that list, the first item with the message. */
	const lists = new Map<string, Map<string, Attempt>>();
	for (const each of items) {
		const listId = 'error' in each ? undefined : listIdOf(each);
		if ('error' in each || listId === undefined) continue;
		const messages = lists.get(listId) ?? new Map<string, Attempt>();
		lists.set(listId, messages);
		const name = messageNameOf(each);
		if (!messages.has(name)) messages.set(name, each);
	}
	const tooMany = [...lists].filter(([, { size }]) => size > maxPerList);
	return new Map(
		tooMany.map(([listId, messages]) => {
			const [first, second] = [...messages.values()] as [Attempt, Attempt];
			const [one, other] = [first, second].map(({ input }) => withoutGeneralOptions(input));
			const difference = findDifference(operation.fields, one!, other!);
			const error = new InputError(
				`Everyone in the contact list would get ${messages.size} different messages, because item ${second.item + 1} differs from item ${first.item + 1} in '${difference}'`,
				"To send each person a different message, use SMS → Send. To send one message to the list, turn on 'Settings > Execute Once'",
			);
			return [listId, error] as const;
		}),
	);
}
