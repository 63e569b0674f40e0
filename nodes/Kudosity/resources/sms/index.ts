import type { Resource } from '../../runtime/operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { send } from './send.operation';
import { sendAndWait } from './sendAndWait.operation';

export const sms: Resource = {
	value: 'sms',
	name: 'SMS',
	connection: 'key',
	operations: [send, sendAndWait, get, getAll],
};
