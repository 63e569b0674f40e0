import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { readEvent, type ReceivedEvent } from '../events/readEvent';
import { readJsonBody } from './readJsonBody';

const refuse = (
	context: IWebhookFunctions,
	status: number,
	reason: string,
): IWebhookResponseData => {
	const response = context.getResponseObject();
	response.status(status);
	response.send(reason);
	return { noWebhookResponse: true };
};

type Door<Right> = {
	/** The right to deliver, with what came to light when it was looked for; undefined for who has none. */
	rightOf: () => Promise<Right | undefined>;
	/** Says whether the event concerns anybody, and what becomes of it. */
	take: (received: ReceivedEvent, right: Right) => Promise<IWebhookResponseData>;
};

/**
 * The one door for deliveries of the service: whoever has no right to it gets no body read (401), and what comes in
 * is read and parsed once, or refused (400). It never throws: n8n would record a failed execution for whatever
 * anybody sends, or go on with an empty item. After a 500 the service tries again.
 */
export const openDelivery = async <Right>(
	context: IWebhookFunctions,
	{ rightOf, take }: Door<Right>,
): Promise<IWebhookResponseData> => {
	try {
		const right = await rightOf();
		if (right === undefined) return refuse(context, 401, 'the token is missing or wrong');
		const received = readEvent(await readJsonBody(context.getRequestObject()));
		return received
			? await take(received, right)
			: refuse(context, 400, 'the body is no JSON object');
	} catch {
		context.logger.error('A Kudosity event could not be read');
		return refuse(context, 500, 'the event could not be read');
	}
};

/**
 * Once n8n has said that it has the event, or that it has not. Where the service has dropped the connection, Node.js
 * mostly lets no response finish, but n8n goes on, and ends it: that is what `prefinish` tells.
 */
export const onAnswered = (context: IWebhookFunctions, done: (isTaken: boolean) => void): void => {
	const response = context.getResponseObject();
	let isDone = false;
	const settle = () => {
		if (isDone) return;
		isDone = true;
		done(response.statusCode < 300);
	};
	response.once('prefinish', settle);
	response.once('finish', settle);
};
