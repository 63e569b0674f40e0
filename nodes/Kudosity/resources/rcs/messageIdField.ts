import type { INodeProperties } from 'n8n-workflow';

export const messageIdField: INodeProperties = {
	displayName: 'Message ID',
	name: 'messageId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 6fdae71c-dad7-4c36-9734-a69693ecf3b4',
	description: 'The ID that Kudosity gave the message when it was sent',
};

/** Polling knows fewer statuses than events; said where a polled status is waited for. */
export const failedRemark =
	'A FAILED message may have been REJECTED or UNDELIVERABLE: only the events of a webhook tell them apart.';
