import { getWebhooks } from '../../api/endpoints/webhook';
import { withHiddenToken } from '../../events/hiddenToken';
import { mapRecords } from '../../api/pagination';
import { limitOf, listing } from '../../fields/listing';
import { defineOperation } from '../../runtime/operation';

/** GET /v2/webhook, which has no pages: one item for each webhook. */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many webhooks',
	description: 'List the webhooks of the account, also those that other programs made',
	fields: listing,
	run: ({ list }, input) => mapRecords(list(getWebhooks, {}, limitOf(input)), withHiddenToken),
});
