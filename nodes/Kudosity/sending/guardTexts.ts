import { InputError } from '../api/errors';
import { shortNumbers } from '../api/privacy';

/** Read by people and by agents: why nothing was sent, and that trying again is of no use. */
const refusal = (message: string, remedy: string) =>
	new InputError(message, `Nothing was sent. ${remedy}`, 'guard');

export const notAllowed = (numbers: string[]) =>
	refusal(
		`'Allowed Recipients' does not allow messages to ${shortNumbers(numbers)}`,
		'Another spelling of the number changes nothing. Whoever runs the workflow can add the number to the option',
	);

export const tooManyInExecution = (most: number) =>
	refusal(
		`'Max per Execution' allows ${most} ${most === 1 ? 'message' : 'messages'} in one execution, and this would be one too many`,
		'No more messages go out in this execution, so do not try again. Whoever runs the workflow can raise the option',
	);

export const tooManyToRecipient = (most: number, numbers: string[]) =>
	refusal(
		`'Max per Recipient' allows ${most} ${most === 1 ? 'message' : 'messages'} a day to one number, which ${shortNumbers(numbers)} had`,
		'Another spelling of the number changes nothing, so do not try again today. Whoever runs the workflow can raise the option',
	);

export const listNotGuarded = (guard: string) =>
	refusal(
		`'${guard}' cannot be checked for a contact list`,
		'Kudosity says only afterwards whom it was sent to. Send to numbers, which List → Get Contacts delivers, or remove the option',
	);

const notKept = (where: string, instead: string) => (option: string) =>
	refusal(
		`'${option}' cannot be kept in ${where}. Nothing was sent, and another try is of no use. ${instead}`,
		'Whoever set up the tool has to remove the option',
	);

export const notKeptInAgents = notKept(
	"n8n's Agents, which call the node outside of any workflow",
	'Allowed Recipients, Max Parts and the approval of tool calls hold there, and in a workflow that the agent has as its tool also Max per Recipient and Send Once Key',
);

export const notKeptInChat = notKept(
	"n8n's Chat, which makes a new workflow for each turn",
	'Allowed Recipients, Max Parts and Max per Execution hold there, and all options in a workflow with a Chat Trigger',
);

export const countFailed = () =>
	refusal(
		"'Max per Recipient' cannot be checked, so nothing was sent",
		'Save the workflow first. If it is saved, n8n could not read or write its counts: try again later',
	);
