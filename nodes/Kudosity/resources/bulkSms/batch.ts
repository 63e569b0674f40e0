import { type BulkSms, maxRecipients } from '../../api/endpoints/bulkSms';
import type { SkipCode } from '../../api/failureCodes';
import type { Json } from '../../lib/json';
import { personOf } from '../../lib/personOf';
import { messageParts } from '../../lib/smsParts';
import { listOutputOf, outputOf, readNumbers } from './answer';
import type { BulkInput } from './fields';

/**
 * The maximum difference between times that count as the same. n8n evaluates `$now.plus({ hours: 1 })` separately for
 * each item, so the result is slightly later each time.
 */
const sameTimeMs = 10_000;

/**
 * Creates the function that gives items with nearly the same Send At exactly the same time. It is called for each item
 * in order. If an item's Send At is within ten seconds of the latest item of a group, the item joins the group and gets
 * the time of the group's first item. Items aren't compared with a group's first item, because reading thousands of
 * items takes longer than ten seconds.
 */
export function createAligner(): (input: BulkInput) => BulkInput {
	const times: Array<{ firstMs: number; latestMs: number }> = [];
	return (input) => {
		const { sendAt } = input.options;
		if (sendAt === undefined) return input;
		let same = times.find(({ latestMs }) => Math.abs(sendAt - latestMs) <= sameTimeMs);
		if (!same) times.push((same = { firstMs: sendAt, latestMs: sendAt }));
		same.latestMs = sendAt;
		return { ...input, options: { ...input.options, sendAt: same.firstMs } };
	};
}

export function withoutRecipients(input: BulkInput): BulkInput {
	return { ...input, recipients: undefined };
}

/**
 * Moves the numbers that have a code (the reason why they get no message) from `numbers` to `leftOut`, so the output
 * can list them.
 */
export function leaveOut(input: BulkInput, codes: Map<string, SkipCode>): BulkInput {
	const { numbers, refused } = input.recipients!;
	const leftOut = numbers.flatMap((number) => {
		const code = codes.get(number);
		return code === undefined ? [] : [{ number, code }];
	});
	const left = numbers.filter((number) => !codes.has(number));
	return { ...input, recipients: { numbers: left, refused, leftOut } };
}

/**
 * Builds one request per 500 people. If a person's number is spelled in two ways, the message goes to the first
 * spelling.
 */
export function requestsFor(inputs: BulkInput[]): BulkInput[] {
	const [first] = inputs;
	if (!first) return [];
	const byPerson = new Map<string, string>();
	for (const number of inputs.flatMap(({ recipients }) => recipients?.numbers ?? [])) {
		if (!byPerson.has(personOf(number))) byPerson.set(personOf(number), number);
	}
	const numbers = [...byPerson.values()];
	return Array.from({ length: Math.ceil(numbers.length / maxRecipients) }, (_, index) => {
		const chunk = numbers.slice(index * maxRecipients, (index + 1) * maxRecipients);
		return { ...first, recipients: { numbers: chunk, refused: [] } };
	});
}

const previewOf = ({ message, sender, recipients, listId }: BulkInput): Json => ({
	message,
	sender,
	to: recipients?.numbers,
	listId,
});

/** Stands in for the service's response in a dry run. */
function dryAnswer(
	{ message, recipients }: BulkInput,
	place: { number: number; requests: number },
): Json {
	const count = recipients?.numbers.length ?? 0;
	return { ...place, recipients: count, sms: count * messageParts(message).parts };
}

/** Creates the function that returns an item's outcome. The outcome of each number is determined once for all items. */
export function reader(
	requests: BulkInput[],
	results: Array<PromiseSettledResult<Json>>,
	isDry: boolean,
): (input: BulkInput) => Json {
	const outcomes = new Map(
		requests.flatMap((request, index) => {
			const result = results[index]!;
			const isDone = isDry && result.status === 'fulfilled';
			const place = { number: index + 1, requests: requests.length };
			const ended = isDone ? { ...result, value: dryAnswer(request, place) } : result;
			return readNumbers(request.recipients?.numbers ?? [], ended as PromiseSettledResult<BulkSms>);
		}),
	);
	return (input) => ({ ...(isDry && previewOf(input)), ...outputOf(input, outcomes) });
}

/**
 * Shapes the output of an item that sends to a contact list. `place` is the request's position. It is only given in a
 * dry run, where the size of the list isn't known.
 */
export function toListOutput(
	input: BulkInput,
	answer: Json,
	place?: { number: number; requests: number },
): Json {
	if (!place) return listOutputOf(answer as BulkSms);
	return { ...previewOf(input), not_sent: [], request: place };
}

/**
 * Shapes the output of an item that repeats an earlier one. The recipient count is 0, because the first item already
 * reports the service's count for the list.
 */
export function toRepeatedOutput(output: Json): Json {
	return { ...output, recipients: 0, not_sent: [], duplicate: true };
}
