import { getWhatsappMessages } from '../../api/endpoints/whatsapp';
import { filters } from '../../fields/collection';
import { field } from '../../fields/field';
import { limitOf, listing } from '../../fields/listing';
import { period, periodOf } from '../../fields/period';
import { optional, recordId } from '../../fields/readers/text';
import { allInForm, simplify } from '../../fields/simplify';
import { defineOperation } from '../../runtime/operation';

const campaignId = field(
	{
		displayName: 'Campaign ID',
		name: 'campaignId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 9b2e4c1a-7f3d-4a8b-9c5e-2d1f6a8b3c4d',
		description: 'Only messages of this campaign',
	},
	optional(recordId),
);

/** GET /v2/whatsapp/messages: one item for each message, newest first. */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many WhatsApp messages',
	description: 'List WhatsApp messages with their status, newest first',
	fields: [...listing, simplify, filters(campaignId, ...period)],
	run: ({ list, timeZone }, { filters, simplify, ...input }) => {
		const query = { ...periodOf(filters, timeZone), campaign_id: filters.campaignId };
		return allInForm('WHATSAPP', simplify, list(getWhatsappMessages, query, limitOf(input)));
	},
});
