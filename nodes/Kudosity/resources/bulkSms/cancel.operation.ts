import { cancelBulkSms } from '../../api/endpoints/bulkSms';
import { defineOperation } from '../../runtime/operation';
import { messageId } from './messageId';

/** POST /cancel-sms.json. */
export const cancel = defineOperation({
	value: 'cancel',
	name: 'Cancel',
	action: 'Cancel bulk SMS',
	description:
		'Cancel a message that is scheduled for later, for all of its recipients. It cannot be scheduled again.',
	fields: [messageId],
	once: true,
	// One that cannot be canceled any more is no reason to let the others go out.
	goesOnAfter: ['already_sent', 'not_found'],
	run: async ({ call }, { messageId: id }) => ({
		message_id: id,
		...(await call(cancelBulkSms, { id })),
	}),
});
