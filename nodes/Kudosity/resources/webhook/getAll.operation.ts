import { z } from 'zod/v4';
import { withHiddenToken } from '../../api/hiddenToken';
import { limitOf, listingInputs, listingProperties } from '../../runtime/listing';
import { defineOperation } from '../../runtime/operation';

/** GET /v2/webhook, which has no pages: one item for each webhook. */
export const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many webhooks',
	description: 'List the webhooks of the account, also those that other programs made',
	properties: listingProperties,
	input: z.object(listingInputs),
	run: async ({ client }, input) =>
		(await client.webhooks.list()).slice(0, limitOf(input)).map(withHiddenToken),
});
