import { InputError } from '../api/errors';
import { withoutGeneralOptions } from '../fields/sendOptions';
import { type Attempt, type Prepared, refused } from './attempt';

/**
 * Returns a string that is the same for all items with the same message. Returns undefined if the item has a key, which
 * already keeps the message from being sent twice.
 */
function messageOf(each: Prepared): string | undefined {
	if ('error' in each || each.key !== undefined) return undefined;
	return JSON.stringify([each.to, withoutGeneralOptions(each.input)]);
}

const greatestCommonDivisor = (one: number, other: number): number =>
	other === 0 ? one : greatestCommonDivisor(other, one % other);

/** Up to this number, it can be a coincidence that all messages occur equally often, e.g. two orders per customer. */
const maxCoincidence = 3;

/**
 * Returns how often all messages occur in the run. A person can be in the user's data more than once, so this is the
 * greatest number that divides the count of each message. Returns undefined if it can be a coincidence, and isn't one
 * of `multiples`.
 */
function timesOfAll(messages: string[], multiples: number[]): number | undefined {
	const counts = new Map<string, number>();
	for (const message of messages) counts.set(message, (counts.get(message) ?? 0) + 1);
	const times = [...counts.values()].reduce(greatestCommonDivisor, 0);
	const found = multiples.find((each) => times > 0 && times % each === 0);
	return found ?? (counts.size > 1 && times > maxCoincidence ? times : undefined);
}

/**
 * Refuses all items if each message occurs several times, and otherwise returns them unchanged. Such repeats happen if
 * the node that reads the recipients comes after another node with several rows, e.g. the opt-outs: without Execute
 * Once, n8n runs the recipients' node once for each row, so with 400 opt-outs, everyone would get 400 messages. In a
 * loop, the repeats come in different runs, so the rows before the loop are compared.
 *
 * @param isBatch - whether all items go out as one message, which each number gets only once
 * @param isEachOwn - whether each item has its own recipient. If the recipients are the same, repeats can be alerts
 */
export function refuseMultiplied(
	items: Prepared[],
	{ isBatch, isEachOwn }: { isBatch: boolean; isEachOwn: boolean },
): Prepared[] {
	const first = items.find((each): each is Attempt => !('error' in each));
	const blocked = first?.options.blockedRecipients;
	const list = blocked?.nodeForEachRow === undefined ? undefined : blocked;
	if (!list && !isEachOwn) return items;
	const messages = items.map(messageOf).filter((message) => message !== undefined);
	const times = isBatch ? undefined : timesOfAll(messages, list?.multiples ?? []);
	if (messages.length === 0 || (times === undefined && !list?.isLoopRepeated)) return items;
	const where =
		times === undefined
			? 'Each row that goes into the loop is there several times'
			: `Each message is in the input ${times} times`;
	const node = list
		? `${list.nodeForEachRow}, which n8n runs once for each opt-out`
		: 'the node that reads the recipients, if n8n runs that node once for each row of the node before it';
	const error = new InputError(
		`${where}, so nothing was sent`,
		`Turn on 'Settings > Execute Once' in ${node}. If there is no such mistake, remove the duplicates or, to send all the messages anyway, set 'Options > Deduplication Key'`,
		'invalid_input',
		{ isOfRun: true },
	);
	return items.map((each) => ('error' in each ? each : refused(each, error)));
}

/**
 * Returns a hint if a run has the same message for the same recipient more than once. It isn't refused, because it can
 * be an alert.
 */
export function describeRepeats(items: Prepared[]): string | undefined {
	const messages = items.map(messageOf).filter((message) => message !== undefined);
	const repeats = messages.length - new Set(messages).size;
	if (repeats === 0) return undefined;
	const what = repeats === 1 ? '1 message was' : `${repeats} messages were`;
	return `${what} the same as another one to the same recipient in this run. To send each only once, remove the duplicates from the input, or set 'Options > Campaign Name'`;
}
