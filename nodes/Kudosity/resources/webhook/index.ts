import type { Resource } from '../../runtime/operation';
import { create } from './create.operation';
import { deleteWebhook } from './delete.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { update } from './update.operation';

export const webhook: Resource = {
	value: 'webhook',
	name: 'Webhook',
	connection: 'key',
	operations: [create, deleteWebhook, get, getAll, update],
};
