import { maxRecipients } from '../../api/endpoints/bulkSms';
import { outcomeOf } from '../../api/errors';
import { withoutGeneralOptions } from '../../fields/sendOptions';
import { settleNow } from '../../lib/async';
import type { Json } from '../../lib/json';
import { messageParts } from '../../lib/smsParts';
import type { SendAll } from '../../operation';
import { answerOf, type ShareResult, type Share } from './answer';
import type { BulkInput } from './fields';

/** Two evaluations of `$now` agree with the clock to less than this; the service knows whole seconds only. */
const momentMs = 500;

/** Of so many different times, each is found again. */
const maxKnown = 100;

/** A time, and how long it was until then when it was evaluated. */
type Known = { time: number; aheadMs: number };

/**
 * Gives items that are sent at the same time the very same one, to be called for the items of a run in their order:
 * n8n evaluates `$now.plus({ hours: 1 })` for each item anew, and then none would go out together. So times are the
 * same that are as far ahead, each seen from when it was evaluated.
 */
export const alignSendTimes = (now: () => number = Date.now) => {
	const known: Known[] = [];
	const align = (time: number): number => {
		const aheadMs = time - now();
		const same = known.find(
			(each) =>
				Math.abs(each.time - time) < momentMs || Math.abs(each.aheadMs - aheadMs) < momentMs,
		);
		if (same) return same.time;
		known.unshift({ time, aheadMs });
		known.splice(maxKnown);
		return time;
	};
	return <Input extends BulkInput>(input: Input): Input => {
		const { sendAt } = input.options;
		if (typeof sendAt !== 'number') return input;
		return { ...input, options: { ...input.options, sendAt: align(sendAt) } };
	};
};

/** A request that went out before, or may have. */
type Former = { input: BulkInput; result: PromiseSettledResult<Json> };

/** One request for several items; `result` where it is a former one. */
type Request = {
	input: BulkInput;
	result?: PromiseSettledResult<Json>;
	/** What each of its items has to do with it; `of` is the item's place among those that were combined. */
	shares: Array<{ of: number; share: Share }>;
};

type Member = { of: number; input: BulkInput };

/** Items that go out together, and what went out before of the same name. */
type Group = { members: Member[]; former: Former[] };

const chunksOf = (numbers: string[]): string[][] =>
	Array.from({ length: Math.ceil(numbers.length / maxRecipients) }, (_, index) =>
		numbers.slice(index * maxRecipients, (index + 1) * maxRecipients),
	);

/** Everything that has to be the same for items to go out together. */
export const groupOf = ({ recipients, ...input }: BulkInput): string =>
	JSON.stringify([recipients !== undefined, withoutGeneralOptions(input)]);

export const leaveOut = (input: BulkInput, left: Set<string>): BulkInput => {
	const { recipients } = input;
	if (!recipients) return input;
	const numbers = recipients.numbers.filter((number) => !left.has(number));
	return { ...input, recipients: { ...recipients, numbers } };
};

const toLists = ({ members, former }: Group): Request[] => {
	const [first] = former.length > 0 ? [] : members;
	const request = former[0] ?? { input: members[0]!.input };
	const share = { own: [], duplicates: [] };
	const shares = members.map(({ of }) => ({
		of,
		share: { ...share, isRepeated: of !== first?.of },
	}));
	return [{ ...request, shares }];
};

const numbersOf = ({ input }: { input: BulkInput }): string[] => input.recipients?.numbers ?? [];

/** Each number that did not go out before, for the first item that has it. */
const ownersIn = ({ members, former }: Group): Map<string, number> => {
	const before = new Set(former.flatMap(numbersOf));
	const owners = new Map<string, number>();
	for (const member of members) {
		for (const number of numbersOf(member)) {
			if (!owners.has(number) && !before.has(number)) owners.set(number, member.of);
		}
	}
	return owners;
};

const toNumbers = (group: Group): Request[] => {
	const owners = ownersIn(group);
	const { input } = group.members[0]!;
	const begun = chunksOf([...owners.keys()]).map((numbers) => ({
		input: { ...input, recipients: { numbers, refused: [] } },
	}));
	const requests = [...group.former, ...begun].map((request) => ({
		request,
		of: new Map<number, Share>(),
	}));
	const places = new Map(
		requests.flatMap((place) => numbersOf(place.request).map((number) => [number, place] as const)),
	);
	for (const member of group.members) {
		for (const number of numbersOf(member)) {
			const { of: shares } = places.get(number)!;
			const share = shares.get(member.of) ?? { own: [], duplicates: [] };
			shares.set(member.of, share);
			(owners.get(number) === member.of ? share.own : share.duplicates).push(number);
		}
	}
	return requests
		.filter(({ of }) => of.size > 0)
		.map(({ request, of: shares }) => ({
			...request,
			shares: [...shares].map(([of, share]) => ({ of, share })),
		}));
};

/**
 * The requests of many items: those that differ in their numbers only go out together, each number once, at
 * most 500 in a request. A number, or a list, that went out before stays with its former request.
 */
export const requestsOf = (inputs: BulkInput[], former: Former[] = []): Request[] => {
	const groups = new Map<string, Group>();
	inputs.forEach((input, of) => {
		const name = groupOf(input);
		const group = groups.get(name) ?? { members: [], former: [] };
		group.members.push({ of, input });
		groups.set(name, group);
	});
	for (const request of former) groups.get(groupOf(request.input))?.former.push(request);
	return [...groups.values()].flatMap((group) =>
		group.members[0]?.input.recipients ? toNumbers(group) : toLists(group),
	);
};

/** What would go out for an item. */
const previewOf = ({ message, sender, recipients, listId }: BulkInput): Json => ({
	message,
	sender,
	to: recipients?.numbers,
	listId,
});

/** What the service would say to a request. How many people a contact list has is not known before. */
const rehearsedAnswer = ({ message, recipients }: BulkInput): Json => {
	const { parts } = messageParts(message);
	return recipients === undefined
		? {}
		: { recipients: recipients.numbers.length, sms: recipients.numbers.length * parts };
};

const mayHaveGoneOut = ({ result }: Former): boolean =>
	result.status === 'fulfilled' || outcomeOf(result.reason) !== 'refused';

/** Sends items in as few requests as possible. One for each run: what went out before does not go out again. */
export const createSender = (isDry: boolean) => {
	const former: Former[] = [];
	return async (inputs: BulkInput[], sendAll: SendAll<BulkInput>) => {
		const requests = requestsOf(inputs, former);
		const begun = requests.filter(({ result }) => result === undefined);
		const results = await sendAll(begun.map(({ input }) => input));
		const ended = begun.map((request, index) => {
			const result = results[index]!;
			if (!isDry || result.status === 'rejected') return { ...request, result };
			const figures = { number: index + 1, requests: begun.length };
			const value = { ...figures, ...rehearsedAnswer(request.input) };
			return { ...request, result: { status: 'fulfilled' as const, value } };
		});
		const outcomes = inputs.map((): ShareResult[] => []);
		for (const { shares, result } of [...requests, ...ended]) {
			if (result) for (const { of, share } of shares) outcomes[of]?.push({ share, result });
		}
		former.push(...ended.filter(mayHaveGoneOut));
		return inputs.map((input, index) =>
			settleNow(() => ({
				...(isDry && previewOf(input)),
				...answerOf(input, outcomes[index] ?? []),
			})),
		);
	};
};
