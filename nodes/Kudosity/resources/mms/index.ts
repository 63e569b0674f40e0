import type { Resource } from '../../runtime/operation';
import { get } from './get.operation';
import { send } from './send.operation';

export const mms: Resource = {
	value: 'mms',
	name: 'MMS',
	connection: 'key',
	operations: [send, get],
};
