import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type INodeExecutionData,
	type INodeListSearchResult,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { resources } from './resources';
import { buildProperties } from './runtime/buildProperties';

// Loaded when a workflow runs: n8n loads every node that is installed when it starts.
const loadRuntime = async () => await import('./runtime/executeOperations');

export class Kudosity implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Kudosity',
		name: 'kudosity',
		icon: { light: 'file:../../icons/kudosity.svg', dark: 'file:../../icons/kudosity.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Send SMS and look after numbers, lists, RCS messages and webhooks of a Kudosity account',
		defaults: { name: 'Kudosity' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'kudosityBasicApi',
				required: true,
				// n8n looks at the first entry of a name only, so one condition covers all its operations.
				displayOptions: {
					show: { resource: ['list', 'number', 'sms'] },
					hide: { operation: ['send'] },
				},
			},
			{
				name: 'kudosityKeyApi',
				required: true,
				displayOptions: {
					show: { resource: ['rcs', 'sms', 'webhook'] },
					hide: { operation: ['sendBulk'] },
				},
			},
		],
		properties: buildProperties(resources),
	};

	methods = {
		listSearch: {
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
		const { executeOperations } = await loadRuntime();
		return await executeOperations(this, resources);
	}
}
