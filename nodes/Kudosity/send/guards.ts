import type { IExecuteFunctions } from 'n8n-workflow';
import { InputError } from '../api/errors';
import { shortNumbers } from '../api/privacy';
import type { Input } from '../fields/field';
import { defaultMaxParts, guards, type SendOptions, sendOptionsOf } from '../fields/sendOptions';
import { charactersIn, messageParts, type MessageParts } from '../lib/smsParts';
import type { Operation, Recipients } from '../operation';
import { isOutsideWorkflow } from './agentTool';
import { createKeyCheck } from './keyExpression';
import type { Attempt } from './attempt';

/** Tells people and agents why nothing was sent, and that trying again is useless. */
const refusal = (message: string, remedy: string) =>
	new InputError(message, `Nothing was sent. ${remedy}`, 'guard');

const messages = (count: number) => `${count} ${count === 1 ? 'message' : 'messages'}`;

export const tooManyInExecution = (max: number) =>
	refusal(
		`'Max per Execution' allows ${messages(max)} in one execution, and this would be one too many`,
		'No more messages go out in this execution, so do not try again. Whoever runs the workflow can raise the option',
	);

export const tooManyToRecipient = (max: number, numbers: string[]) =>
	refusal(
		`'Max per Recipient' allows ${messages(max)} a day to one number, which ${shortNumbers(numbers)} had`,
		'Another spelling of the number changes nothing, so do not try again today. Whoever runs the workflow can raise the option',
	);

export const countFailed = () =>
	refusal(
		"'Max per Recipient' cannot be checked, so nothing was sent",
		'Save the workflow first. If it is saved, n8n could not read or write its counts: try again later',
	);

/**
 * Allowed Recipients: one number that is not allowed holds back its whole item.
 *
 * @throws InputError a number is not allowed, or cannot be checked, since the message goes to a contact list
 */
const checkRecipients = (to: Recipients, options: SendOptions): void => {
	const guard = guards.find(({ property }) => options[property.name] !== undefined);
	if (guard === undefined) return;
	if (!('numbers' in to)) {
		throw refusal(
			`'${guard.property.displayName}' cannot be checked for a contact list`,
			'Kudosity says only afterwards whom it was sent to. Send to numbers, which List → Get Contacts delivers, or remove the option',
		);
	}
	const { allowedRecipients: allows } = options;
	const refused = allows ? to.numbers.filter((number) => !allows(number)) : [];
	if (refused.length > 0) {
		throw refusal(
			`'Allowed Recipients' does not allow messages to ${shortNumbers(refused)}`,
			'Another spelling of the number changes nothing. Whoever runs the workflow can add the number to the option',
		);
	}
};

const remedies = {
	'GSM-7': "or raise 'Max Parts'",
	Unicode: "leave out emoji and other characters outside of the GSM alphabet, or raise 'Max Parts'",
};

/**
 * How many SMS a text takes; `field` is its name in the panel.
 *
 * @throws InputError more than Max Parts allows
 */
const countParts = (text: string, maxParts = defaultMaxParts, field = 'Message'): MessageParts => {
	const counted = messageParts(text);
	const { parts, encoding } = counted;
	if (parts <= maxParts) return counted;
	const room = charactersIn(maxParts, encoding);
	throw new InputError(
		`'${field}' takes ${parts} parts (${encoding}), and 'Max Parts' allows ${maxParts}`,
		`Nothing was sent. Shorten the message to ${room} characters, ${remedies[encoding]}`,
		'guard',
	);
};

const inAgents = [
	"n8n's Agents, which call the node outside of any workflow",
	'Allowed Recipients, Max Parts and the approval of tool calls hold there, and in a workflow that the agent has as its tool also Max per Recipient and Send Once Key',
];

const inChat = [
	"n8n's Chat, which makes a new workflow for each turn",
	'Allowed Recipients, Max Parts and Max per Execution hold there, and all options in a workflow with a Chat Trigger',
];

/** How n8n's Chat names the workflow of a turn. Other workflows can run in chat mode, too. */
const nameOfTurn = /^Chat [\da-f-]{36}$/i;

const isChatTurn = (context: IExecuteFunctions): boolean =>
	context.getMode() === 'chat' && nameOfTurn.test(context.getWorkflow().name ?? '');

/**
 * Refuses options that count messages where that is impossible: n8n's Agents have no execution and no workflow, and
 * n8n's Chat makes a new workflow for each turn.
 *
 * @throws InputError an option would have no effect
 */
const checkCanCount = (context: IExecuteFunctions, options: SendOptions): void => {
	const isInAgents = isOutsideWorkflow(context);
	if (!isInAgents && !isChatTurn(context)) return;
	const [where, instead] = isInAgents ? inAgents : inChat;
	const refuse = (option: string) =>
		refusal(
			`'${option}' cannot be kept in ${where}. Nothing was sent, and another try is of no use. ${instead}`,
			'Whoever set up the tool has to remove the option',
		);
	if (options.sendOnceKey !== undefined) throw refuse('Send Once Key');
	if (options.maxPerRecipient !== undefined) throw refuse('Max per Recipient');
	if (isInAgents && options.maxPerExecution !== undefined) throw refuse('Max per Execution');
};

/** All checks of one message that need no other item and no request. */
export const createValidator = (context: IExecuteFunctions, { sends }: Operation) => {
	const checkKey = createKeyCheck(context);

	/** @throws InputError */
	return (input: Input, item: number): Pick<Attempt, 'to' | 'parts'> => {
		if (!sends) return {};
		const options = sendOptionsOf(input);
		checkKey(input, item);
		checkCanCount(context, options);
		const to = sends.to(input);
		checkRecipients(to, options);
		const fallback = sends.fallback?.(input);
		if (fallback !== undefined) countParts(fallback, options.maxParts, 'SMS Fallback Message');
		const text = sends.text?.(input);
		return { to, parts: text === undefined ? undefined : countParts(text, options.maxParts) };
	};
};
