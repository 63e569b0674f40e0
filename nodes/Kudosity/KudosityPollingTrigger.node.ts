import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { credentialTest } from './methods/onFirstUse';
import { properties } from './polling/panel';

export class KudosityPollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Kudosity Polling Trigger',
		name: 'kudosityPollingTrigger',
		icon: { light: 'file:../../icons/kudosity.svg', dark: 'file:../../icons/kudosity.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ ($parameter["events"] || []).join(", ") }}',
		description:
			'Starts the workflow when an SMS or a delivery report arrives. n8n polls Kudosity, so no public address is needed.',
		activationMessage: 'n8n now checks Kudosity for new messages at the scheduled poll times.',
		builderHint: {
			searchHint:
				'Starts a workflow when an SMS or a delivery report arrives. Use it if n8n has no public address. Otherwise, use kudosityTrigger, which is faster and supports more events.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-kudosity-messaging.kudosity',
					relationHint: 'Sends messages, e.g. a reply to the contact in the event',
				},
			],
		},
		defaults: { name: 'Kudosity Polling Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'kudosityKeyApi', required: true, testedBy: 'testKeyCredential' }],
		properties,
	};

	methods = { credentialTest: { testKeyCredential: credentialTest('testKeyCredential') } };

	// Loaded on first use, because n8n loads every installed node at startup.
	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const { poll } = await import('./polling/poll');
		return await poll(this);
	}
}
