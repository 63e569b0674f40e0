import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import {
	readTriggerParameters,
	triggerParameterNames,
	type TriggerParameters,
} from './triggerParameters';

/** The fields of the trigger, in whatever context n8n calls it. */
export const readParameters = (context: IHookFunctions | IWebhookFunctions): TriggerParameters =>
	readTriggerParameters(
		Object.fromEntries(
			triggerParameterNames.map((name) => [name, context.getNodeParameter(name, undefined)]),
		),
	);
