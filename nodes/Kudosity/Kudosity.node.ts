import {
	NodeConnectionTypes,
	type ICredentialTestFunctions,
	type ICredentialsDecrypted,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type INodeCredentialTestResult,
	type INodeExecutionData,
	type INodeListSearchResult,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { basicResources, keyResources, properties } from './resources/panel';

// Loaded when a workflow runs: n8n loads every node that is installed when it starts.
const loadRuntime = async () =>
	await Promise.all([import('./runtime/execute'), import('./resources')]);
const loadReply = async () =>
	await Promise.all([import('./question/receiveReply'), import('./resources')]);
const loadCredentialTest = async () => await import('./methods/credentialTest');

/** Where replies to open questions arrive: n8n's address for executions that wait. Nothing is registered. */
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
			'Send SMS, MMS, WhatsApp and RCS messages, and look after contacts, lists, numbers and webhooks of a Kudosity account',
		defaults: { name: 'Kudosity' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'kudosityBasicApi',
				required: true,
				testedBy: 'testBasicCredential',
				displayOptions: { show: { resource: basicResources } },
			},
			{
				name: 'kudosityKeyApi',
				required: true,
				testedBy: 'testKeyCredential',
				displayOptions: { show: { resource: keyResources } },
			},
		],
		webhooks: replyWebhooks,
		properties,
	};

	methods = {
		credentialTest: {
			async testBasicCredential(
				this: ICredentialTestFunctions,
				credential: ICredentialsDecrypted,
			): Promise<INodeCredentialTestResult> {
				const { testBasicCredential } = await loadCredentialTest();
				return await testBasicCredential.call(this, credential);
			},
			async testKeyCredential(
				this: ICredentialTestFunctions,
				credential: ICredentialsDecrypted,
			): Promise<INodeCredentialTestResult> {
				const { testKeyCredential } = await loadCredentialTest();
				return await testKeyCredential.call(this, credential);
			},
		},
		listSearch: {
			async searchLists(
				this: ILoadOptionsFunctions,
				filter?: string,
			): Promise<INodeListSearchResult> {
				const { searchLists } = await import('./methods/listSearch');
				return await searchLists.call(this, filter);
			},
			async searchNumbers(
				this: ILoadOptionsFunctions,
				filter?: string,
			): Promise<INodeListSearchResult> {
				const { searchNumbers } = await import('./methods/listSearch');
				return await searchNumbers.call(this, filter);
			},
			async searchRegisteredNumbers(
				this: ILoadOptionsFunctions,
				filter?: string,
			): Promise<INodeListSearchResult> {
				const { searchRegisteredNumbers } = await import('./methods/listSearch');
				return await searchRegisteredNumbers.call(this, filter);
			},
			async searchSenders(
				this: ILoadOptionsFunctions,
				filter?: string,
			): Promise<INodeListSearchResult> {
				const { searchSenders } = await import('./methods/listSearch');
				return await searchSenders.call(this, filter);
			},
			async searchWebhooks(
				this: ILoadOptionsFunctions,
				filter?: string,
			): Promise<INodeListSearchResult> {
				const { searchWebhooks } = await import('./methods/listSearch');
				return await searchWebhooks.call(this, filter);
			},
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const [{ execute }, { resources }] = await loadRuntime();
		return await execute(this, resources);
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const [{ receiveReply }, { resources }] = await loadReply();
		return await receiveReply(this, resources);
	}
}
