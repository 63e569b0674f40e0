import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { searchWebhooks } from './methods/listSearch';
import { resources } from './resources';
import { buildProperties } from './runtime/buildProperties';
import { executeOperations } from './runtime/executeOperations';

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

	methods = { listSearch: { searchWebhooks } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeOperations(this, resources);
	}
}
