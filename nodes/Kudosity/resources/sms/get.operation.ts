import { getSms, longestMissingMs } from '../../api/endpoints/sms';
import { waitForSms } from '../../api/waitForSms';
import { options } from '../../fields/collection';
import { field } from '../../fields/field';
import { messageId } from '../../fields/messageId';
import { trueOrFalse } from '../../fields/readers/number';
import { inForm, simplify } from '../../fields/simplify';
import { defineOperation } from '../../runtime/operation';

const waitUntilFound = field(
	{
		displayName: 'Wait Until Found',
		name: 'waitUntilFound',
		type: 'boolean',
		default: false,
		description: `Whether to go on looking, for at most ${longestMissingMs / 1000} seconds, while Kudosity does not know the message. It can take two minutes from a send until the message can be read.`,
	},
	trueOrFalse,
);

/** GET /v2/sms/{id}. */
export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get SMS',
	description:
		'Get a text message with its status. For up to two minutes after it was sent, Kudosity may not find it.',
	fields: [messageId, simplify, options(waitUntilFound)],
	run: async (services, { messageId: id, simplify, options }) => {
		const message = options.waitUntilFound
			? await waitForSms(services, id)
			: await services.call(getSms, { id });
		return inForm('SMS', simplify)(message);
	},
});
