import type { IExecuteFunctions } from 'n8n-workflow';
import { InputError, type ValueNotes } from '../api/errors';
import { shortNumbers } from '../api/privacy';
import { whoOptedOut } from '../events/optOut';
import type { Input } from '../fields/field';
import { defaultMaxParts, recipientLimits } from '../fields/sendingLimits';
import { type SendOptions, sendOptionsOf } from '../fields/sendOptions';
import { memoizeLast } from '../lib/async';
import { personOf } from '../lib/personOf';
import { charactersIn, messageParts, type MessageParts } from '../lib/smsParts';
import type { Operation, Recipients } from '../fields/operation';
import { type Host, hostOf } from '../n8n/host';
import { isAfterModel } from '../n8n/connections';
import { rowsOfOperation, rowsOfTriggers } from '../n8n/runData';
import type { Attempt } from './attempt';
import { keyOf } from './keyCheck';
import { type Skip, skips } from './skips';

const limitError = (message: string, remedy: string) =>
	new InputError(message, remedy, 'sending_limit');

const notSent = (remedy: string): string => `This message was not sent. ${remedy}`;

const refusal = (message: string, remedy: string) => limitError(message, notSent(remedy));

/** Creates the error for a limit that is only temporary. `notes.nextAllowedAt` is when sending can resume, if known. */
const reached = (message: string, remedy: string, notes: ValueNotes = {}) =>
	new InputError(message, notSent(remedy), 'limit_reached', notes);

export function tooManyInExecution(max: number) {
	return reached(
		`'Max per Execution' is ${max}, and this item would exceed it`,
		"Trying again in this execution won't help. The workflow's owner can raise 'Max per Execution'",
	);
}

export function tooManyToRecipient(max: number, numbers: string[], nextAllowedAt: string) {
	return reached(
		`'Max per Recipient per Day' is ${max} and has been reached for ${shortNumbers(numbers)}. Messages are allowed again from ${nextAllowedAt}`,
		"Trying again today, or writing the number differently, won't help. The workflow's owner can raise 'Max per Recipient per Day'",
		{ nextAllowedAt, isOfItem: true },
	);
}

export function tooManyToday(max: number, nextAllowedAt: string) {
	return reached(
		`'Max per Day' is ${max} and has been reached. Messages are allowed again from ${nextAllowedAt}`,
		"Trying again today, or messaging someone else, won't help. The workflow's owner can raise 'Max per Day'",
		{ nextAllowedAt },
	);
}

/** Creates the error for a run of several items that don't all fit today. */
export function tooFewFit(
	max: number,
	{ room, messages }: { room: number; messages: number },
	nextAllowedAt: string,
) {
	return new InputError(
		`'Max per Day' is ${max}, and only ${room} of ${messages} messages fit today, so nothing was sent`,
		`Send fewer items. Or set 'Output' to 'Result for Each Item' to send the messages that fit today. You can send the others from ${nextAllowedAt} on`,
		'limit_reached',
		{ nextAllowedAt, isOfRun: true },
	);
}

const emptyList = () =>
	new InputError(
		'Blocked Recipients is empty. If nobody has opted out yet, turn on Allow Empty List.',
		'If people have opted out, import the opt-outs first, and check the node that the list comes from',
		'invalid_input',
		{ isOfRun: true },
	);

/**
 * Refuses a list of opt-outs that only has the sender's own number. In a received message, this number is in `sender`,
 * and the person who opted out is in `contact`.
 */
function checkSender(sender: unknown, { blockedRecipients }: SendOptions): void {
	if (typeof sender !== 'string' || !blockedRecipients?.isOnly(sender)) return;
	throw new InputError(
		"'Sending Limits > Blocked Recipients' contains only the sender's own number, so the expression may read the wrong column",
		"Use the numbers of the people who opted out. In the trigger's output, they are in 'contact', and 'sender' is your own number",
		'invalid_input',
		{ isOfRun: true },
	);
}

/**
 * Finds the people whose opt-out is in this execution, because a Send and Wait for Response or, if a model decides or
 * writes the message, a trigger has output it. A workflow without a model may confirm an opt-out that started it. The
 * list of Blocked Recipients was usually read before the opt-out, and Kudosity itself only rejects messages after a
 * STOP. n8n's data is read because it is still there after a wait, even if n8n has restarted or another process
 * continues the execution.
 */
function findOptedOut(context: IExecuteFunctions, isTool: boolean): Set<string> {
	const isOfModel = isTool || isAfterModel(context);
	const answers = rowsOfOperation(context, 'sendAndWait').map(({ json }) => json);
	const people = [
		...answers.map(({ optedOut, contact }) => (optedOut === true ? contact : undefined)),
		...(isOfModel ? rowsOfTriggers(context).map(whoOptedOut) : []),
	];
	return new Set(
		people.flatMap((person) => (person === undefined ? [] : personOf(String(person)))),
	);
}

/** Finds the valid numbers that get no message (opted out, blocked, landlines), each with the reason. */
function findLeftOut(
	numbers: string[],
	options: SendOptions,
	optedOut: Set<string>,
): Map<string, Skip> {
	const { blockedRecipients: blocked, mobileOnly: isLandline } = options;
	const reasonFor = (number: string): Skip | undefined => {
		if (optedOut.has(personOf(number))) return 'optedOut';
		if (blocked?.covers(number)) return 'blocked';
		return isLandline && isLandline(number) ? 'landline' : undefined;
	};
	return new Map(
		numbers.flatMap((number) => {
			const reason = reasonFor(number);
			return reason === undefined ? [] : [[number, reason] as const];
		}),
	);
}

/**
 * Checks who may get a message. If one number isn't allowed, the whole item is refused, unless the number is left out
 * anyway.
 *
 * @returns the numbers that are left out
 * @throws InputError - a number isn't allowed or can't be checked, or Blocked Recipients is empty
 */
function checkRecipients(
	to: Recipients,
	options: SendOptions,
	optedOut: Set<string>,
): Map<string, Skip> {
	if (!('numbers' in to)) {
		const limit = recipientLimits.find(({ property: { name } }) => options[name]);
		if (limit === undefined) return new Map();
		throw refusal(
			`'${limit.property.displayName}' can't be used with a contact list`,
			'Only after a message is sent does Kudosity report who got it. Send to the active contacts from List → Get Contacts instead',
		);
	}
	const { allowedRecipients: allows, blockedRecipients, allowEmptyList } = options;
	if (blockedRecipients?.size === 0 && !allowEmptyList) throw emptyList();
	const leftOut = findLeftOut(to.numbers, options, optedOut);
	const isRefused = (number: string) => !leftOut.has(number) && allows && !allows(number);
	const refused = to.numbers.filter(isRefused);
	if (refused.length > 0) {
		throw refusal(
			`'Allowed Recipients' does not include ${shortNumbers(refused)}`,
			"Writing the number differently won't help. The workflow's owner can add it to 'Allowed Recipients'",
		);
	}
	return leftOut;
}

const remedies = {
	'GSM-7': "(€ and [ ] count twice), or raise 'Max SMS Parts'",
	Unicode: "(emoji count twice), remove emoji and special characters, or raise 'Max SMS Parts'",
};

/**
 * Counts a text's SMS parts. `field` is the text's name in the panel.
 *
 * @throws InputError - there are more parts than Max SMS Parts allows
 */
function countParts(text: string, maxParts = defaultMaxParts, field = 'Message'): MessageParts {
	const counted = messageParts(text);
	const { parts, encoding, length } = counted;
	if (parts <= maxParts) return counted;
	const room = charactersIn(maxParts, encoding);
	throw refusal(
		`'${field}' takes ${parts} SMS parts (${encoding}), but 'Max SMS Parts' is ${maxParts}`,
		`Shorten the message from ${length} to ${room} characters ${remedies[encoding]}`,
	);
}

/** @throws InputError - an option could not work, because n8n stores no counts or keys in this environment */
function checkCanCount({ remembers, where, instead }: Host, options: SendOptions): void {
	// Everything is in the error's message, because n8n's Agents pass only the message on to the model.
	const cannotWork = (option: string) =>
		limitError(
			`'${option}' doesn't work in ${where}, so nothing was sent. Trying again won't help. ${instead}`,
			'',
		);
	if (!remembers.workflow) {
		if (options.deduplicationKey !== undefined) throw cannotWork('Deduplication Key');
		if (options.campaignName !== undefined) throw cannotWork('Campaign Name');
		if (options.maxPerRecipientPerDay !== undefined) throw cannotWork('Max per Recipient per Day');
		if (options.maxPerDay !== undefined) throw cannotWork('Max per Day');
	}
	if (!remembers.execution && options.maxPerExecution !== undefined) {
		throw cannotWork('Max per Execution');
	}
}

/** The reasons for leaving out a number, the most important one first. */
const reasonsToLeaveOut = ['optedOut', 'blocked', 'landline'] as const satisfies Skip[];

/** Creates the function that checks each message by itself, without making a request or looking at the other items. */
export function createValidator(context: IExecuteFunctions, { sends, batch }: Operation) {
	const host = hostOf(context);
	const optedOut = sends ? findOptedOut(context, host.isTool) : new Set<string>();
	const countText = memoizeLast(countParts);

	/** @throws InputError - the message must not be sent */
	return (given: Input): Pick<Attempt, 'input' | 'to' | 'key' | 'parts' | 'skip'> => {
		if (!sends) return { input: given };
		const options = sendOptionsOf(given);
		const all = sends.to(given);
		const key = keyOf(options, all);
		checkCanCount(host, options);
		checkSender(given.sender, options);
		const leftOut = checkRecipients(all, options, optedOut);
		if ('numbers' in all && leftOut.size > 0 && leftOut.size === all.numbers.length) {
			const reasons = [...leftOut.values()];
			const skip = reasonsToLeaveOut.find((reason) => reasons.includes(reason));
			return { input: given, to: all, skip };
		}
		const codes = new Map([...leftOut].map(([number, reason]) => [number, skips[reason].code]));
		const input = batch && codes.size > 0 ? batch.leaveOut(given, codes) : given;
		const to = sends.to(input);
		const fallback = sends.fallback?.(input);
		if (fallback !== undefined) countParts(fallback, options.maxParts, 'SMS Fallback Message');
		const text = sends.text?.(input);
		const parts = text === undefined ? undefined : countText(text, options.maxParts);
		return { input, to, key, parts };
	};
}
