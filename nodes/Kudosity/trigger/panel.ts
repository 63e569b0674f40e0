import type { INodeProperties } from 'n8n-workflow';
import { eventOptions } from '../fields/eventOptions';
import { rateLimit } from '../fields/rateLimit';
import { webhookFilters } from '../fields/webhookFilters';
import { mediaPrefix } from '../runtime/itemWithFiles';
import { outputsExpression } from './eventGroups';

// The build turns what is exported into data, so that n8n's start loads no more: see docs/adr/0015.

export const outputs = outputsExpression;

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Download Media',
			name: 'downloadMedia',
			type: 'boolean',
			default: true,
			description:
				'Whether to turn pictures, sounds and videos of a received MMS into binary data. Otherwise the simplified output only names them, and the raw event has them as base64 text.',
		},
		{
			displayName: 'Drop Late and Repeated Statuses',
			name: 'dropRepeatedStatuses',
			type: 'boolean',
			default: false,
			description:
				'Whether to leave out a status that a message had before, and one that arrives after a later one, such as Sent after Delivered. Kudosity can deliver events twice and in any order. Each n8n process remembers the 20,000 latest messages until it ends, so that after a restart, with several webhook processes, or when two deliveries arrive at the same moment, such a status can still come through. No status is lost.',
		},
		{
			displayName: 'Media Property',
			name: 'mediaProperty',
			type: 'string',
			default: mediaPrefix,
			placeholder: 'e.g. media',
			description:
				'Beginning of the names of the binary properties. The files of a received MMS are numbered: media0, media1 and so on.',
		},
		{
			displayName: 'Only Final Statuses',
			name: 'onlyFinalStatuses',
			type: 'boolean',
			default: false,
			description:
				'Whether to leave out statuses that another one follows: Pending, Pending Approval, Queued, Submitted, Sent and Accepted. Kudosity does not deliver them then, which spares n8n most of the events of a large send; those of an MMS are left out when they arrive. Delivered, Read, Failed, Rejected, Undeliverable and Hard Bounce come through, and so does what can be the last one: Soft Bounce, Other, and Sent of an MMS. When other events are chosen as well, the statuses have a second webhook, so that no reply depends on it.',
		},
		{
			displayName: 'Outputs',
			name: 'outputs',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'One Output',
					value: 'single',
					description: 'All events leave through the same output',
				},
				{
					name: 'One per Kind of Event',
					value: 'byEvent',
					description: 'Replies, opt-outs, delivery, clicks and others have an output each',
				},
			],
			default: 'single',
			description: 'Where the events leave the node',
		},
		{
			...rateLimit.property,
			description:
				'Max number of events that Kudosity delivers to this workflow each second. Set it to what your n8n can take, so that a large send does not drown it in statuses. 0 leaves it to Kudosity. A trigger with two webhooks gives each of them half, and at least 1. Without this option, a rate limit that was set by hand stays.',
		},
	],
};

/** The fields of the trigger, in the order of the panel. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		noDataExpression: true,
		options: eventOptions,
		required: true,
		default: [],
		description: 'The events to start the workflow on. Opt-outs are events of their own.',
	},
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
		hint: 'isStopWord tells a STOP, which arrives as SMS Received and as Recipient Opted Out. inReplyTo is the latest message sent to that number, which may not be the one that was answered.',
	},
	webhookFilters.property,
	options,
];
