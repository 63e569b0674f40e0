import type { IExecuteFunctions } from 'n8n-workflow';
import type { SendOptions } from '../fields/sendOptions';
import { isAlone } from './agentTool';
import { notKeptInAgents, notKeptInChat } from './guardTexts';

/**
 * Whether what counts over several messages can be kept here. n8n's Agents give nothing to count by, and n8n's Chat,
 * which alone runs workflows in this mode, a new workflow for each turn.
 *
 * @throws InputError an option would hold nothing back
 */
export const checkKept = (
	context: IExecuteFunctions,
	{ maxPerExecution, maxPerRecipient, sendOnceKey }: SendOptions,
): void => {
	const isInAgents = isAlone(context);
	if (!isInAgents && context.getMode() !== 'chat') return;
	const notKept = isInAgents ? notKeptInAgents : notKeptInChat;
	if (sendOnceKey !== undefined) throw notKept('Send Once Key');
	if (maxPerRecipient !== undefined) throw notKept('Max per Recipient');
	if (isInAgents && maxPerExecution !== undefined) throw notKept('Max per Execution');
};
