import { webhookNameIn, type Place } from '../runtime/webhookName';
import type { WebhookPart } from './webhookUrl';

type Names = Place & { isTest: boolean; part?: WebhookPart };

/** `n8n: <workflow> - <node>`, and which of a trigger's webhooks it is. */
export const registeredName = ({ isTest, part, ...place }: Names): string =>
	webhookNameIn(place, `${part === 'status' ? ' (statuses)' : ''}${isTest ? ' (test)' : ''}`);
