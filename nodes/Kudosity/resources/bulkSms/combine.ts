import { mostRecipients } from '../../api/endpoints/bulkSms';
import type { Json } from '../../api/json';
import { messageParts } from '../../api/messageParts';
import { withoutGeneralOptions } from '../../fields/generalOptions';
import type { Recipients } from '../../fields/phone/readRecipients';
import type { Combined, Former } from '../../runtime/operation';

export type BulkInput = {
	message: string;
	sender: string;
	/** Without numbers it goes to a contact list. */
	recipients?: Recipients;
	listId?: string;
	options: Json;
};

/** What one item has to do with one request. */
export type Share = {
	/** Numbers that go out for this item. */
	own: string[];
	/** Numbers that go out for an earlier item. */
	duplicates: string[];
	/** An earlier item sends the same to the same contact list. */
	isRepeated?: boolean;
};

type Member<Input> = { of: number; input: Input };
type Request<Input> = Combined<Input, Share>;

/** Items that go out together, and what went out before of the same name. */
type Group<Input> = { members: Array<Member<Input>>; former: Array<Former<Input>> };

const chunksOf = (numbers: string[]): string[][] =>
	Array.from({ length: Math.ceil(numbers.length / mostRecipients) }, (_, index) =>
		numbers.slice(index * mostRecipients, (index + 1) * mostRecipients),
	);

/** Everything that has to be the same for items to go out together. */
export const groupOf = ({ recipients, ...input }: BulkInput): string =>
	JSON.stringify([recipients !== undefined, withoutGeneralOptions(input)]);

const toLists = <Input>({ members, former }: Group<Input>): Array<Request<Input>> => {
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
const ownersIn = ({ members, former }: Group<BulkInput>): Map<string, number> => {
	const before = new Set(former.flatMap(numbersOf));
	const owners = new Map<string, number>();
	for (const member of members) {
		for (const number of numbersOf(member)) {
			if (!owners.has(number) && !before.has(number)) owners.set(number, member.of);
		}
	}
	return owners;
};

const toNumbers = <Input extends BulkInput>(group: Group<Input>): Array<Request<Input>> => {
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
export const requestsOf = <Input extends BulkInput>(
	inputs: Input[],
	former: Array<Former<Input>> = [],
): Array<Request<Input>> => {
	const groups = new Map<string, Group<Input>>();
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
export const wouldSend = ({ message, sender, recipients, listId }: BulkInput): Json => ({
	message,
	sender,
	to: recipients?.numbers,
	listId,
});

/** What a request would come to. How many people a contact list has is not known before. */
export const tried = ({ message, recipients }: BulkInput): Json => {
	const { parts } = messageParts(message);
	return recipients === undefined
		? {}
		: { recipients: recipients.numbers.length, sms: recipients.numbers.length * parts };
};
