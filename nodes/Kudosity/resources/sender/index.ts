import type { Resource } from '../../runtime/operation';
import { confirmVerification } from './confirmVerification.operation';
import { deleteSender } from './delete.operation';
import { getAll } from './getAll.operation';
import { register } from './register.operation';
import { requestVerification } from './requestVerification.operation';

export const sender: Resource = {
	value: 'sender',
	name: 'Sender',
	connection: 'key',
	operations: [getAll, register, requestVerification, confirmVerification, deleteSender],
};
