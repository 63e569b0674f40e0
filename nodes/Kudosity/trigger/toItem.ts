import type { INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { readMedia, withMedia } from '../events/media';
import type { ReceivedEvent } from '../events/readEvent';
import { simplifyEvent } from '../events/simplify';
import { itemWithFiles } from '../runtime/itemWithFiles';
import type { DeliveryParameters } from './fields';

/**
 * The item that an accepted event becomes: flat where the event is understood and that is wanted, otherwise as it
 * was sent. The files of an MMS become binary data; without Download Media the simplified record only names them,
 * and the raw event keeps them as they were sent.
 */
export const toItem = async (
	context: IWebhookFunctions,
	{ body, event, parseIssues }: ReceivedEvent,
	{ simplify, options }: Pick<DeliveryParameters, 'simplify' | 'options'>,
): Promise<INodeExecutionData> => {
	const { downloadMedia, mediaProperty } = options;
	const record = simplify && event ? simplifyEvent(event) : undefined;
	return await itemWithFiles(context, {
		files: downloadMedia || record ? readMedia(body) : [],
		prefix: downloadMedia ? mediaProperty : undefined,
		parseIssues,
		toJson: (media) => {
			if (!media) return record ?? body;
			return record ? { ...record, media } : withMedia(body, media);
		},
	});
};
