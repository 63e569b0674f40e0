import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type INodeExecutionData,
	type INodeListSearchResult,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { credentialTest } from './methods/onFirstUse';
import { whenLoaded } from './n8n/whenLoaded';
import { properties } from './resources/panel';

// n8n loads every installed node at startup, so the code behind this description is only loaded on first use.
const listSearch = (name: keyof typeof import('./methods/listSearch')) =>
	async function (this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
		const searches = await import('./methods/listSearch');
		return await searches[name].call(this, filter);
	};

/**
 * The n8n webhook that receives the replies to questions. `restartWebhook` makes it part of a waiting execution, so n8n
 * doesn't register it when the workflow is published.
 */
const replyWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		responseData: '',
		path: '={{ $nodeId }}',
		restartWebhook: true,
		isFullPath: true,
	},
];

export class Kudosity implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Kudosity',
		name: 'kudosity',
		icon: { light: 'file:../../icons/kudosity.svg', dark: 'file:../../icons/kudosity.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Send SMS, MMS, WhatsApp and RCS messages, and manage contacts, lists, numbers and webhooks in Kudosity',
		defaults: { name: 'Kudosity' },
		usableAsTool: true,
		waitingNodeTooltip: 'Execution will continue after the contact replies',
		builderHint: {
			searchHint:
				'To send one SMS per item, use resource sms, operation send. For one text to many numbers or to a contact list, use bulkSms. To ask someone and wait for a reply or an approval, use sendAndWait in sms, rcs or whatsapp: it asks one contact per execution. Phone numbers need a country code, unless a default country is set.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-kudosity-messaging.kudosityTrigger',
					relationHint:
						'Starts a workflow when someone replies, opts out or clicks a link, or when a delivery report arrives',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		// The two lists of resources are literals, because n8n's linter checks that they don't overlap. A test makes
		// sure that each list matches the resources that use the credential.
		credentials: [
			{
				name: 'kudosityBasicApi',
				required: true,
				testedBy: 'testBasicCredential',
				displayOptions: {
					show: {
						resource: [
							'bulkSms',
							'number',
							'contact',
							'list',
							'account',
							'report',
							'keyword',
							'emailSender',
						],
					},
				},
			},
			{
				name: 'kudosityKeyApi',
				required: true,
				testedBy: 'testKeyCredential',
				displayOptions: {
					show: { resource: ['sms', 'mms', 'whatsapp', 'rcs', 'webhook', 'sender'] },
				},
			},
		],
		webhooks: replyWebhooks,
		properties,
	};

	methods = {
		credentialTest: {
			testBasicCredential: credentialTest('testBasicCredential'),
			testKeyCredential: credentialTest('testKeyCredential'),
		},
		listSearch: {
			searchLists: listSearch('searchLists'),
			searchNumbers: listSearch('searchNumbers'),
			searchRegisteredNumbers: listSearch('searchRegisteredNumbers'),
			searchSenders: listSearch('searchSenders'),
			searchWebhooks: listSearch('searchWebhooks'),
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { execute } = await import('./action/execute');
		const { resources } = await import('./resources');
		return await execute(this, resources);
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await whenLoaded(this, async () => {
			const { receiveReply } = await import('./question/receiveReply');
			const { resources } = await import('./resources');
			return async () => await receiveReply(this, resources);
		});
	}
}
