import type { Resource } from '../../runtime/operation';
import { checkCapability } from './checkCapability.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { send } from './send.operation';
import { sendAndWait } from './sendAndWait.operation';
import { waitForStatus } from './waitForStatus.operation';

export const rcs: Resource = {
	value: 'rcs',
	name: 'RCS Message',
	connection: 'key',
	operations: [send, sendAndWait, checkCapability, get, getAll, waitForStatus],
};
