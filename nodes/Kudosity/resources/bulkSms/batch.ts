import { maxRecipients } from '../../api/endpoints/bulkSms';
import { outcomeOf } from '../../api/errors';
import { withoutGeneralOptions } from '../../fields/sendOptions';
import { settleNow } from '../../lib/async';
import type { Json } from '../../lib/json';
import { personOf } from '../../lib/personOf';
import { messageParts } from '../../lib/smsParts';
import type { SendAll } from '../../fields/operation';
import { answerOf, type ShareResult, type Share } from './answer';
import type { BulkInput } from './fields';

/** Evaluations of `$now` differ from the clock by less than this. The service only knows whole seconds. */
const momentMs = 500;

const maxKnown = 100;

type Known = { time: number; aheadMs: number };

/**
 * Gives items meant for the same time an identical send time, called in their order: n8n evaluates `$now.plus({ hours:
 * 1 })` for each item. Two times count as one if they, or their distances from their evaluation, are nearly equal.
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

type EarlierRequest = { input: BulkInput; result: PromiseSettledResult<Json> };

/** One request for several items. An earlier request has its `result`. */
type Request = {
	input: BulkInput;
	result?: PromiseSettledResult<Json>;
	/** Each item's part in it, by the item's index in the batch. */
	shares: Map<number, Share>;
};

type Member = { index: number; input: BulkInput };

/** Items that can share requests, and earlier requests of the same group. */
type Group = { members: Member[]; earlier: EarlierRequest[] };

const chunksOf = (numbers: string[]): string[][] =>
	Array.from({ length: Math.ceil(numbers.length / maxRecipients) }, (_, index) =>
		numbers.slice(index * maxRecipients, (index + 1) * maxRecipients),
	);

export const groupOf = ({ recipients, ...input }: BulkInput): string =>
	JSON.stringify([recipients !== undefined, withoutGeneralOptions(input)]);

export const leaveOut = (input: BulkInput, left: Set<string>): BulkInput => {
	const { recipients } = input;
	if (!recipients) return input;
	const numbers = recipients.numbers.filter((number) => !left.has(number));
	return { ...input, recipients: { ...recipients, numbers } };
};

const toLists = ({ members, earlier }: Group): Request[] => {
	const [first] = earlier.length > 0 ? [] : members;
	const request = earlier[0] ?? { input: members[0]!.input };
	const shares = members.map(({ index }): [number, Share] => [
		index,
		{ own: [], duplicates: [], isRepeated: index !== first?.index },
	]);
	return [{ ...request, shares: new Map(shares) }];
};

const numbersOf = ({ input }: { input: BulkInput }): string[] => input.recipients?.numbers ?? [];

/** Maps each person not sent to before to the first item that has a number of theirs, and to that number. */
const ownersIn = ({ members, earlier }: Group): Map<string, { index: number; number: string }> => {
	const before = new Set(earlier.flatMap(numbersOf).map(personOf));
	const owners = new Map<string, { index: number; number: string }>();
	for (const { index, input } of members) {
		for (const number of numbersOf({ input })) {
			const person = personOf(number);
			if (!owners.has(person) && !before.has(person)) owners.set(person, { index, number });
		}
	}
	return owners;
};

const toNumbers = (group: Group): Request[] => {
	const owners = ownersIn(group);
	const { input } = group.members[0]!;
	const sentTo = [...owners.values()].map(({ number }) => number);
	const begun = chunksOf(sentTo).map((numbers) => ({
		input: { ...input, recipients: { numbers, refused: [] } },
	}));
	const requests = [...group.earlier, ...begun].map(
		(request): Request => ({ ...request, shares: new Map() }),
	);
	const places = new Map(
		requests.flatMap((request) =>
			numbersOf(request).map((number) => [personOf(number), { request, number }] as const),
		),
	);
	for (const member of group.members) {
		for (const number of numbersOf(member)) {
			const person = personOf(number);
			const { request, number: sent } = places.get(person)!;
			const { shares } = request;
			const share = shares.get(member.index) ?? { own: [], duplicates: [] };
			shares.set(member.index, share);
			(owners.get(person)?.index === member.index ? share.own : share.duplicates).push(sent);
		}
	}
	return requests.filter(({ shares }) => shares.size > 0);
};

/**
 * Items that differ only in their numbers share requests of up to 500 numbers, each person once. A number or list that
 * was sent to before stays with its earlier request.
 */
const requestsOf = (inputs: BulkInput[], earlier: EarlierRequest[] = []): Request[] => {
	const groups = new Map<string, Group>();
	inputs.forEach((input, index) => {
		const name = groupOf(input);
		const group = groups.get(name) ?? { members: [], earlier: [] };
		group.members.push({ index, input });
		groups.set(name, group);
	});
	for (const request of earlier) groups.get(groupOf(request.input))?.earlier.push(request);
	return [...groups.values()].flatMap((group) =>
		group.members[0]?.input.recipients ? toNumbers(group) : toLists(group),
	);
};

const previewOf = ({ message, sender, recipients, listId }: BulkInput): Json => ({
	message,
	sender,
	to: recipients?.numbers,
	listId,
});

/** Dry run: a stand-in for the service's answer. The size of a contact list is unknown. */
const rehearsedAnswer = ({ message, recipients }: BulkInput): Json => {
	const { parts } = messageParts(message);
	return recipients === undefined
		? {}
		: { recipients: recipients.numbers.length, sms: recipients.numbers.length * parts };
};

const mayHaveGoneOut = ({ result }: EarlierRequest): boolean =>
	result.status === 'fulfilled' || outcomeOf(result.reason) !== 'refused';

/** Sends items in as few requests as possible. Create one per run: it remembers what was sent, to not send it again. */
export const createSender = (isDry: boolean) => {
	const earlier: EarlierRequest[] = [];
	return async (inputs: BulkInput[], sendAll: SendAll<BulkInput>) => {
		const requests = requestsOf(inputs, earlier);
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
			if (result) for (const [index, share] of shares) outcomes[index]?.push({ share, result });
		}
		earlier.push(...ended.filter(mayHaveGoneOut));
		return inputs.map((input, index) =>
			settleNow(() => ({
				...(isDry && previewOf(input)),
				...answerOf(input, outcomes[index] ?? []),
			})),
		);
	};
};
