import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

/**
 * Loads the code that handles a delivery, and runs it. While n8n updates the package, its files are missing for a few
 * seconds. Kudosity then gets a 503, and delivers the event again. If this function threw, an execution that waits for a
 * reply would continue with an empty item, as if nobody had replied.
 *
 * @param load - loads the files, and returns the function that handles the delivery
 */
export async function whenLoaded(
	context: IWebhookFunctions,
	load: () => Promise<() => Promise<IWebhookResponseData>>,
): Promise<IWebhookResponseData> {
	let handle: () => Promise<IWebhookResponseData>;
	try {
		handle = await load();
	} catch (error) {
		context.logger.warn(
			`Could not load the Kudosity package (${String(error)}). Kudosity will deliver the event again`,
		);
		// `refuse` can't be used, because its file may be missing, too.
		context.getResponseObject().status(503).send('the package could not be loaded');
		return { noWebhookResponse: true };
	}
	return await handle();
}
