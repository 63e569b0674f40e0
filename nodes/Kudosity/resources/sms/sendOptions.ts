import type { INodeProperties } from 'n8n-workflow';
import { optionalText } from '../../api/schemas/input.schema';
import { booleanInput } from '../../api/schemas/recordInput.schema';
import { requestsPerSecondInput, requestsPerSecondOption } from '../../runtime/pacingOption';

/** The options that every operation that sends has, in the order of their names. */
export const sendOptionProperties: INodeProperties[] = [
	{
		displayName: 'Repeat When Outcome Is Unknown',
		name: 'repeatUnknown',
		type: 'boolean',
		default: false,
		description:
			'Whether Retry On Fail sends a message again when nobody knows if it was accepted (no answer, or a fault of the service). Risk: the recipient can get it twice, and you pay twice.',
	},
	requestsPerSecondOption,
	{
		displayName: 'Send Once Key',
		name: 'sendOnceKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.orderId }}-reminder',
		description:
			'Sends at most one message for each value in this workflow, also in later executions. An item whose key was used before is skipped. n8n keeps the newest 10,000 keys. Leave empty to switch off.',
	},
];

export const sendOptionInputs = {
	repeatUnknown: booleanInput,
	requestsPerSecond: requestsPerSecondInput,
	sendOnceKey: optionalText,
};
