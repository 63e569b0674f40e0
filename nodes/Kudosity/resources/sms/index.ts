import type { Resource } from '../../runtime/operation';
import { send } from './send.operation';
import { sendBulk } from './sendBulk.operation';

export const sms: Resource = { value: 'sms', name: 'SMS', operations: [send, sendBulk] };
