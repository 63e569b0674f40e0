import { outcomeOf } from '../api/errors';
import type { Json } from '../api/json';
import { copiesOf, ownCopies, type Copy, type Counting } from './counting';
import { tooManyInExecution, tooManyToRecipient } from './guardTexts';
import type { Message } from './message';

type Taken = {
	own: Copy[];
	giveBack: (copies: Copy[]) => Promise<void>;
};

/** Of somebody who sends the same to one of these numbers, and waits to know whether there is room for it. */
const takingOf = ({ holders }: Counting, copies: Copy[]): Promise<void> | undefined =>
	copies
		.map(({ name }) => (name === undefined ? undefined : holders.get(name)))
		.find((holder) => holder?.isDone === false)?.taking;

const takeDays = async (
	{ days }: Counting,
	{ own, most, entries }: { own: Copy[]; most: number; entries: Map<string, string> },
): Promise<void> => {
	const results = await Promise.allSettled(
		own.map(async ({ number }) => {
			const entry = await days.take(number, most);
			if (entry !== undefined) entries.set(number, entry);
		}),
	);
	for (const result of results) if (result.status === 'rejected') throw result.reason;
	const over = own.map(({ number }) => number).filter((number) => !entries.has(number));
	if (over.length > 0) throw tooManyToRecipient(most, over);
};

/** Takes what a message needs, or nothing at all. */
const take = async (counting: Counting, { options }: Message, copies: Copy[]): Promise<Taken> => {
	const { counts, days, holders } = counting;
	const { maxPerExecution = Infinity, maxPerRecipient: most } = options;
	const own = ownCopies(copies, holders);
	if (counts.messages + own.length > maxPerExecution) throw tooManyInExecution(maxPerExecution);
	// At once, so that calls of an agent that run side by side see each other's.
	counts.messages += own.length;

	const entries = new Map<string, string>();
	const giveBack = async (given: Copy[]) => {
		counts.messages -= given.length;
		for (const { name } of given) if (name) holders.delete(name);
		const taken = given.flatMap(({ number }) => entries.get(number) ?? []);
		await Promise.all(taken.map(days.giveBack));
	};
	if (most === undefined) {
		for (const { name } of own)
			if (name) holders.set(name, { isDone: true, taking: Promise.resolve() });
		return { own, giveBack };
	}
	const taking = takeDays(counting, { own, most, entries }).catch(async (error: unknown) => {
		await giveBack(own);
		throw error;
	});
	const holder = { isDone: false, taking };
	for (const { name } of own) if (name) holders.set(name, holder);
	await taking;
	holder.isDone = true;
	return { own, giveBack };
};

/** Nothing may happen between the last look at the others and the taking: both would go out for one. */
const takeInTurn = async (counting: Counting, message: Message): Promise<Taken> => {
	const copies = copiesOf(message);
	for (let other = takingOf(counting, copies); other; other = takingOf(counting, copies)) {
		await other.catch(() => undefined);
	}
	return await take(counting, message, copies);
};

/** Sends when there is room. What was certainly not sent gives its room back. */
export const sendCounted = async (
	counting: Counting,
	message: Message,
	send: () => Promise<Json>,
): Promise<Json> => {
	const { own, giveBack } = await takeInTurn(counting, message);
	const answer = await send().catch(async (error: unknown) => {
		if (outcomeOf(error) === 'refused') await giveBack(own);
		throw error;
	});
	const refused = message.notSentOf?.(answer);
	if (refused) await giveBack(own.filter(({ number }) => refused.has(number)));
	return answer;
};
