import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { withLimitsApart } from '../helpers/sendingLimits.ts';
import { zoneAt } from '../helpers/zoneAt.ts';

export const contactsTable = 'Kudosity contacts';
export const optOutsTable = 'Kudosity opt-outs';

type Parameters = Record<string, unknown>;

export const withOptions = (node: WorkflowNode, options: Parameters): WorkflowNode => ({
	...node,
	parameters: withLimitsApart({
		...node.parameters,
		options: {
			...(node.parameters.limits as Parameters),
			...(node.parameters.options as Parameters),
			...options,
		},
	}) as Parameters,
});

const isSend = ({ parameters }: WorkflowNode) =>
	parameters.operation === 'send' && parameters.output === 'itemResult';

const optionsOf = ({ parameters }: WorkflowNode) => parameters.options as Parameters;

/** What a user has to enter: a name for the campaign. */
export const named = (node: WorkflowNode): WorkflowNode =>
	isSend(node) && optionsOf(node).campaignName === ''
		? withOptions(node, { campaignName: 'autumn-offer' })
		: node;

const allDays = [1, 2, 3, 4, 5, 6, 7];

/** Hours that are now, and hours that are over for today. */
export const now = () => ({ from: '00:00', to: '23:59', days: allDays, timeZone: zoneAt(12) });
export const over = () => ({ ...now(), to: '00:01' });

/** And what else, to send to a table in the editor at any hour; fast. */
export const sending =
	(options: Parameters = {}) =>
	(node: WorkflowNode): WorkflowNode => {
		if (!isSend(node)) return node;
		const limits = node.parameters.limits as Parameters;
		const hours = 'sendingHours' in limits && { sendingHours: { window: now() } };
		const always = { dryRun: 'never', requestsPerSecond: 200, ...hours };
		return withOptions(named(node), { ...always, ...options });
	};
