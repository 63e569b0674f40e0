import type { IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../api/clock';
import { outcomeOf } from '../api/errors';
import type { Json } from '../api/json';
import type { SendOptions } from '../fields/sendOptions';
import { copiesOf, openCounting, ownCopies, type Counting, type CountingOptions } from './counting';
import { tooManyInExecution, tooManyToRecipient } from './guardTexts';
import type { Message } from './message';
import { sendCounted } from './sendCounted';

const isLimited = ({ maxPerExecution, maxPerRecipient }: SendOptions): boolean =>
	maxPerExecution !== undefined || maxPerRecipient !== undefined;

/** What the items of a run come to together, which can be told before the first of them is sent. */
const createPlan = ({ counts, placeOf }: Counting) => {
	const names = new Set<string>();
	const perNumber = new Map<string, number>();
	let messages = 0;
	const countOf = (number: string) =>
		(perNumber.get(number) ?? 0) + (counts.perNumber.get(number) ?? 0);

	return (message: Message, item: number): void => {
		const { maxPerExecution = Infinity, maxPerRecipient = Infinity } = message.options;
		if (counts.places.has(placeOf(item) ?? '')) return;
		const own = ownCopies(copiesOf(message), names);
		if (counts.messages + messages + own.length > maxPerExecution) {
			throw tooManyInExecution(maxPerExecution);
		}
		const over = own.map(({ number }) => number).filter((each) => countOf(each) >= maxPerRecipient);
		if (over.length > 0) throw tooManyToRecipient(maxPerRecipient, over);
		messages += own.length;
		for (const { number, name } of own) {
			perNumber.set(number, (perNumber.get(number) ?? 0) + 1);
			if (name) names.add(name);
		}
	};
};

/** Of what is sent, or of what is only tried. */
const createLimits = (context: IExecuteFunctions, counting: CountingOptions) => {
	let opened: Counting | undefined;
	const open = () => (opened ??= openCounting(context, counting));
	let plan: ReturnType<typeof createPlan> | undefined;
	const plannedKeys = new Set<string>();
	const isTaken = (key: string, item: number): boolean => {
		const { counts, placeOf } = open();
		const place = placeOf(item);
		return counts.keys.has(key) && (place === undefined || counts.keys.get(key) !== place);
	};
	return {
		plan: (message: Message, item: number): void => {
			const { sendOnceKey: key, ...options } = message.options;
			if (!isLimited(options)) return;
			// Which of those with a Send Once Key are skipped is not known before they are sent.
			if (key !== undefined && !counting.isDry) return;
			if (key !== undefined && (plannedKeys.has(key) || isTaken(key, item))) return;
			(plan ??= createPlan(open()))(message, item);
			if (key !== undefined) plannedKeys.add(key);
		},

		guarded: async (message: Message, item: number, send: () => Promise<Json>): Promise<Json> => {
			if (!isLimited(message.options)) return await send();
			const { counts, days, placeOf } = open();
			const place = placeOf(item);
			if (counts.places.has(place ?? '')) return await send();
			if (place !== undefined) counts.places.add(place);
			const sent = days.during(async () => await sendCounted(open(), message, send));
			return await sent
				.catch((error: unknown) => {
					if (outcomeOf(error) === 'refused') counts.places.delete(place ?? '');
					throw error;
				})
				.finally(() => (counts.usedAtMs = Date.now()));
		},

		isRepeated: (key: string, item: number): boolean => {
			if (isTaken(key, item)) return true;
			const { counts, placeOf } = open();
			counts.keys.set(key, placeOf(item));
			return false;
		},

		giveBack: (key: string): void => void open().counts.keys.delete(key),
	};
};

/** A message to guard. One that costs nothing has none. */
type Asked = { message: Message | undefined; isDry?: boolean };

/**
 * Max per Execution and Max per Recipient, on the numbers as they are sent to. What was certainly not sent gives
 * its count back, what may have been sent keeps it. See ADR 14.
 *
 * `clock`: one that a stopped execution does not stop, since counts are given back all the same.
 */
export const createGuards = (context: IExecuteFunctions, clock: Clock) => {
	const real = createLimits(context, { clock, isDry: false });
	const dry = createLimits(context, { clock, isDry: true });
	const limitsOf = ({ isDry }: Asked) => (isDry ? dry : real);
	return {
		/**
		 * To be called for the items of a run in their order, before the first request.
		 *
		 * @throws InputError there is no room left for it
		 */
		plan: (asked: Asked, item: number): void => {
			if (asked.message) limitsOf(asked).plan(asked.message, item);
		},

		/** @throws InputError there is no room left for it, and whatever `send` throws */
		guarded: async (asked: Asked, item: number, send: () => Promise<Json>): Promise<Json> =>
			asked.message ? await limitsOf(asked).guarded(asked.message, item, send) : await send(),

		/** Of a dry run: whether another item with this Send Once Key came before. */
		isRepeated: dry.isRepeated,

		/** The key of an item that was refused. */
		giveBack: dry.giveBack,
	};
};

export type Guards = ReturnType<typeof createGuards>;
