import type { IExecuteFunctions } from 'n8n-workflow';
import type { SendOptions } from '../fields/sendOptions';
import { isAlone } from './agentTool';
import { notKeptInAgents, notKeptInChat } from './guardTexts';

/** How n8n's Chat names the workflow of a turn, by the session; other workflows run in its mode, too. */
const nameOfTurn = /^Chat [\da-f-]{36}$/i;

const isChatTurn = (context: IExecuteFunctions): boolean =>
	context.getMode() === 'chat' && nameOfTurn.test(context.getWorkflow().name ?? '');

/**
 * Whether what counts over several messages can be kept here. n8n's Agents give nothing to count by, and n8n's Chat
 * a new workflow for each turn.
 *
 * @throws InputError an option would hold nothing back
 */
export const checkKept = (
	context: IExecuteFunctions,
	{ maxPerExecution, maxPerRecipient, sendOnceKey }: SendOptions,
): void => {
	const isInAgents = isAlone(context);
	if (!isInAgents && !isChatTurn(context)) return;
	const notKept = isInAgents ? notKeptInAgents : notKeptInChat;
	if (sendOnceKey !== undefined) throw notKept('Send Once Key');
	if (maxPerRecipient !== undefined) throw notKept('Max per Recipient');
	if (isInAgents && maxPerExecution !== undefined) throw notKept('Max per Execution');
};
