import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { withLimitsApart } from '../helpers/sendingLimits.ts';

export const campaignTable = 'Kudosity campaign';
export const contactsTable = 'Kudosity contacts';
export const optOutsTable = 'Kudosity opt-outs';

type Parameters = Record<string, unknown>;

/** How people and spreadsheets write numbers; in the tables of the tests, `default_country` is AU. */
export const otherSpellings = [
	'+44 (0)7700 900123',
	'+61 (0)491 570 156',
	'+61 0491 570 156',
	'61491570156.0',
	'491570156',
	'0491 570 156',
	'0011 61 491 570 156',
	'６１４９１５７０１５６',
	'6149157015６',
	// Of countries whose numbers have no fixed length.
	'64211234567.0',
	'+491701234567.0',
	'6421123456７',
];
/** Whom they mean. */
export const whomTheyMean = ['61491570156', '447700900123', '64211234567', '491701234567'].map(
	(phone) => ({ phone }),
);

/** What the import notes of itself, also where nobody has opted out. */
export const importRan = { phone: null, source: 'IMPORT_RAN' };

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

/** Whatever the day and the hour: whoever lives in UTC is awake, and whoever lives 12 hours away is not. */
const awake = () => {
	const hours = [0, 1].map((more) => new Date(Date.now() + more * 3_600_000).getUTCHours());
	return `^. (${hours.map((hour) => String(hour).padStart(2, '0')).join('|')})$`;
};

/** What a user has to enter: a name for the campaign. */
export const named = (node: WorkflowNode): WorkflowNode =>
	isSend(node) ? withOptions(node, { campaignName: 'autumn-offer' }) : namedBefore(node);

/** And what else, to send to a table in the editor; fast. */
export const sending =
	(options: Parameters = {}) =>
	(node: WorkflowNode): WorkflowNode => {
		const now = { dryRun: 'never', requestsPerSecond: 200, ...options };
		return isSend(node) ? withOptions(named(node), now) : node;
	};

function isSend({ parameters }: WorkflowNode) {
	return parameters.operation === 'send' && parameters.output === 'itemResult';
}

const namedBefore = (node: WorkflowNode): WorkflowNode => {
	const from = '"name":"campaign","value":"';
	return changed(node, `${from}"`, `${from}autumn-offer"`);
};

/** The column that a table gets when a held Take may go on. */
export const heldBack = 'held_back';

/** **Take** fails at this phone, and is tried again by n8n, until the table has the column `held_back`. */
export const holdingTakeAt =
	(phone: string) =>
	(node: WorkflowNode): WorkflowNode => {
		if (node.name !== 'Take') return node;
		const column = `={{ $json.phone === '${phone}' ? '${heldBack}' : 'state' }}`;
		const held = changed(node, '"keyName":"state"', `"keyName":${JSON.stringify(column)}`);
		return { ...held, maxTries: 5, waitBetweenTries: 2000 };
	};

/** Whether it lets through who is at work. */
export const isClock = ({ name }: WorkflowNode): boolean => name.endsWith('usiness hours?');

/** Sends in the editor too, and fast. Those in doubt are asked for at once, instead of two hours later. */
export const sendingNow = (node: WorkflowNode): WorkflowNode => {
	if (node.name === 'Send SMS') {
		return withOptions(node, { dryRun: 'never', requestsPerSecond: 200 });
	}
	if (isClock(node)) {
		return changed(node, '^[1-5] (09|1[0-6])$', JSON.stringify(awake()).slice(1, -1));
	}
	return node.name === 'Campaign' ? changed(named(node), '$now.minus({ hours: 2 })', '$now') : node;
};

/** Both texts as JSON has them. */
function changed(node: WorkflowNode, from: string, to: string): WorkflowNode {
	const parameters = JSON.stringify(node.parameters).replace(from, () => to);
	return { ...node, parameters: JSON.parse(parameters) as Parameters };
}
