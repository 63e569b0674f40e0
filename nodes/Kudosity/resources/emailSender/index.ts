import type { Resource } from '../../runtime/operation';
import { create } from './create.operation';
import { deleteEmailSender } from './delete.operation';

export const emailSender: Resource = {
	value: 'emailSender',
	name: 'Email Sender',
	connection: 'basic',
	operations: [create, deleteEmailSender],
};
