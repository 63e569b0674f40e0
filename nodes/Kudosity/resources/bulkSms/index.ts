import type { Resource } from '../../runtime/operation';
import { cancel } from './cancel.operation';
import { get } from './get.operation';
import { getDelivery } from './getDelivery.operation';
import { getRecipients } from './getRecipients.operation';
import { getReplies } from './getReplies.operation';
import { getStats } from './getStats.operation';
import { send } from './send.operation';

export const bulkSms: Resource = {
	value: 'bulkSms',
	name: 'Bulk SMS',
	connection: 'basic',
	operations: [send, cancel, get, getDelivery, getRecipients, getReplies, getStats],
};
