import type { Resource } from '../../runtime/operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { send } from './send.operation';
import { sendAndWait } from './sendAndWait.operation';

export const whatsapp: Resource = {
	value: 'whatsapp',
	name: 'WhatsApp Message',
	connection: 'key',
	operations: [send, sendAndWait, get, getAll],
};
