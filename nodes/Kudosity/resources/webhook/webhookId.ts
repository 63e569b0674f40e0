import { recordId } from '../../fields/readers/text';
import { resourceLocator } from '../../fields/resourceLocator';

export const webhookId = resourceLocator(
	{
		displayName: 'Webhook',
		name: 'webhookId',
		noun: 'webhook',
		searchListMethod: 'searchWebhooks',
		placeholder: 'e.g. 67e3e4af-62e8-4515-8b67-6f20d0c51ffb',
		description:
			'A webhook of the account. Webhooks of other programs that use the account show up as well.',
	},
	recordId,
);
