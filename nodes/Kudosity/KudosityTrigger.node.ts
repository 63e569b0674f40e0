import type {
	IHookFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { credentialTest } from './methods/onFirstUse';
import { whenLoaded } from './n8n/whenLoaded';
import { outputs, properties } from './trigger/panel';

export class KudosityTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Kudosity Trigger',
		name: 'kudosityTrigger',
		icon: { light: 'file:../../icons/kudosity.svg', dark: 'file:../../icons/kudosity.dark.svg' },
		group: ['trigger'],
		// New triggers have version 1.1, because for version 1 of any node, n8n evaluates an extra expression at every
		// delivery, which takes milliseconds.
		version: [1, 1.1],
		defaultVersion: 1.1,
		subtitle: '={{ ($parameter["events"] || []).join(", ") }}',
		// n8n's list of nodes also shows this text for the action node (`Kudosity.node.ts`), so it describes both
		// nodes.
		description:
			'Send SMS, MMS, WhatsApp and RCS messages, and start workflows when people reply, opt out or click, or when delivery reports arrive',
		eventTriggerDescription:
			'Waiting for an event: send an SMS to or from one of your Kudosity numbers',
		activationMessage: 'Kudosity now sends the selected events to this workflow.',
		defaults: { name: 'Kudosity Trigger' },
		builderHint: {
			searchHint:
				'Starts a workflow when someone replies, opts out or clicks a link, or when a delivery report arrives. For opt-outs of every kind, select only ANY_OPT_OUT. n8n registers the webhook in Kudosity automatically. To wait for one reply in the middle of a workflow, use sendAndWait in the Kudosity node instead.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-kudosity-messaging.kudosity',
					relationHint: 'Sends messages, e.g. a reply to the contact in the event',
				},
			],
		},
		triggerPanel: {
			header: 'Send a test event to your workflow',
			executionsHelp: {
				inactive:
					'<b>While building your workflow</b>, select <b>Execute step</b>, then trigger one of the selected events: send an SMS to one of your Kudosity numbers (SMS Received), reply STOP (Recipient Opted Out), send a message (status changes) or open a tracked link (Link Clicked). n8n registers a separate webhook for the test and removes it afterward.<br /><br /><b>Publish the workflow</b> (activate it in n8n 1) to start it on every event. Executions of the published workflow show up in the executions list, but not in the editor.',
				active:
					'<b>While building your workflow</b>, select <b>Execute step</b>, then trigger one of the selected events: send an SMS to one of your Kudosity numbers (SMS Received), reply STOP (Recipient Opted Out), send a message (status changes) or open a tracked link (Link Clicked). The published workflow receives that event as well.<br /><br /><b>The workflow is published</b>, so every event starts it. Its executions show up in the <a data-key="executions">executions list</a>, but not in the editor.',
			},
			activationHint:
				"Once you've finished building your workflow, publish it (activate it in n8n 1). It then starts on every event, without this button.",
		},
		inputs: [],
		outputs,
		credentials: [{ name: 'kudosityKeyApi', required: true, testedBy: 'testKeyCredential' }],
		hints: [
			{
				message:
					'<code>inReplyTo</code> is the latest message sent to the contact. The contact may be replying to an earlier message.',
				displayCondition:
					'={{ $parameter["simplify"] && ($parameter["events"] || []).some((type) => type.endsWith("_INBOUND")) }}',
				whenToDisplay: 'afterExecution',
				location: 'outputPane',
			},
			{
				message:
					'A STOP sent by SMS also triggers SMS Received, with <code>isOptOutKeyword: true</code>',
				displayCondition:
					'={{ $parameter["simplify"] && ["OPT_OUT", "SMS_INBOUND"].every((type) => ($parameter["events"] || []).includes(type)) }}',
				whenToDisplay: 'afterExecution',
				location: 'outputPane',
			},
		],
		webhooks: [
			{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' },
		],
		properties,
	};

	methods = { credentialTest: { testKeyCredential: credentialTest('testKeyCredential') } };

	// Loaded on first use, because n8n loads every installed node at startup.
	webhookMethods = {
		default: {
			/** Always returns false, so n8n calls `create`, which only writes what has changed. */
			async checkExists(): Promise<boolean> {
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				const { register } = await import('./trigger/registration');
				await register(this);
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				const { unregister } = await import('./trigger/registration');
				await unregister(this);
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await whenLoaded(this, async () => {
			const { receiveDelivery } = await import('./trigger/delivery');
			return async () => await receiveDelivery(this);
		});
	}
}
