import type { CredentialReferences } from '../../playground/n8n/setUp.ts';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';
import { packageName } from '../../playground/n8n/pack.ts';
import { withLimitsApart } from '../helpers/sendingLimits.ts';

type Options = {
	name: string;
	credentials: CredentialReferences;
	/** The send's Options; expressions allowed. */
	options?: Record<string, unknown>;
	resource?: 'sms' | 'bulkSms';
};

const recipient = '={{ $json.recipient }}';
const message = '=Message {{ $json.recipient }}';

const parametersOf = {
	sms: { message, sender: 'Acme', recipient },
	bulkSms: { message: 'Message', sender: 'Acme', recipients: recipient },
} as const;

/** Receives a list of recipients over a webhook and sends each of them a message. */
export const sendWorkflow = ({
	name,
	credentials,
	options = {},
	resource = 'sms',
}: Options): Workflow => ({
	name,
	nodes: [
		{
			id: 'receive',
			name: 'Receive',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			position: [0, 0],
			webhookId: name,
			parameters: { path: name, httpMethod: 'POST', responseMode: 'onReceived' },
		},
		{
			id: 'split',
			name: 'Split',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			position: [200, 0],
			parameters: { fieldToSplitOut: 'body.items' },
		},
		{
			id: 'kudosity',
			name: 'Kudosity',
			type: `${packageName}.kudosity`,
			typeVersion: 1,
			position: [400, 0],
			parameters: {
				resource,
				operation: 'send',
				...withLimitsApart({ ...parametersOf[resource], options }),
			},
			credentials,
			onError: 'continueRegularOutput',
		},
	],
	connections: {
		Receive: { main: [[{ node: 'Split', type: 'main', index: 0 }]] },
		Split: { main: [[{ node: 'Kudosity', type: 'main', index: 0 }]] },
	},
	settings: { executionOrder: 'v1' },
});
