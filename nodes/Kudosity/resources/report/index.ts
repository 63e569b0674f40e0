import type { Resource } from '../../runtime/operation';
import { getContactHistory } from './getContactHistory.operation';
import { getMessages } from './getMessages.operation';
import { getReplies } from './getReplies.operation';
import { getSent } from './getSent.operation';
import { getSentCount } from './getSentCount.operation';

export const report: Resource = {
	value: 'report',
	name: 'Report',
	connection: 'basic',
	operations: [getMessages, getSent, getSentCount, getReplies, getContactHistory],
};
