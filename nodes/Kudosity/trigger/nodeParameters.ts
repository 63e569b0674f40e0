import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { readTriggerParameters, type TriggerParameters } from './triggerParameters';

/** These fields of the trigger, in whatever context n8n calls it. No others: n8n is slow to look one up. */
export const readParameters = <Name extends keyof TriggerParameters>(
	context: IHookFunctions | IWebhookFunctions,
	names: Name[],
): Pick<TriggerParameters, Name> =>
	readTriggerParameters(
		Object.fromEntries(names.map((name) => [name, context.getNodeParameter(name, undefined)])),
	);
