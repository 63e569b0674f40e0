import type {
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { describeFile, fileNameOf, type MediaFile } from '../events/media';
import { readEvent, type ReceivedEvent } from '../events/parse';
import { type Json, parseJson } from '../lib/json';

type DeliveryRequest = {
	headers: Record<string, unknown>;
	/** The body as n8n parsed it, depending on its content type. */
	body?: unknown;
	/** The decompressed body. Undefined until it is read. */
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
};

/**
 * Whether n8n has parsed the body as JSON. This is n8n's own rule, so a content type with a space before the semicolon
 * doesn't match.
 */
const isParsed = ({ headers }: DeliveryRequest): boolean =>
	/^application\/json(;|$)/i.test(String(headers['content-type'] ?? ''));

/**
 * Parses a request's body as JSON, whatever its content type. n8n also parses forms and XML, but those results are not
 * used.
 */
async function readJsonBody(request: DeliveryRequest): Promise<unknown> {
	if (isParsed(request)) return request.body;
	// n8n doesn't read a body with an unknown content type. A body that can't be read counts as empty.
	if (!request.rawBody) await request.readRawBody?.().catch(() => undefined);
	if (!request.rawBody?.length) return request.body;
	return parseJson(request.rawBody.toString('utf8').replace(/^\uFEFF/, ''))?.value;
}

/** Refuses a delivery. If the status is 500 or higher, the service delivers the event again. */
export function refuse(
	context: IWebhookFunctions,
	status: number,
	reason: string,
): IWebhookResponseData {
	const response = context.getResponseObject();
	response.status(status);
	response.send(reason);
	return { noWebhookResponse: true };
}

type DeliveryHandler = {
	isAuthorized: () => Promise<boolean>;
	accept: (received: ReceivedEvent) => Promise<IWebhookResponseData>;
};

/**
 * Handles a delivery. Unauthorized requests get a 401 before the body is read, and unreadable bodies get a 400. After a
 * 500, the service delivers the event again. This function never throws, because n8n would then record a failed
 * execution for any request, or continue with an empty item.
 */
export async function handleDelivery(
	context: IWebhookFunctions,
	{ isAuthorized, accept }: DeliveryHandler,
): Promise<IWebhookResponseData> {
	try {
		if (!(await isAuthorized())) return refuse(context, 401, 'the token is missing or wrong');
		const received = readEvent(await readJsonBody(context.getRequestObject()));
		return received
			? await accept(received)
			: refuse(context, 400, 'the body is not a JSON object');
	} catch {
		context.logger.error('Could not read a Kudosity event');
		return refuse(context, 500, 'could not read the event');
	}
}

/**
 * Calls `done` once n8n has responded to the delivery. `isTaken` is true if the delivery was accepted. If the service
 * has closed the connection, Node.js rarely emits `finish`, but n8n still ends the response, which emits `prefinish`.
 */
export function onAnswered(context: IWebhookFunctions, done: (isTaken: boolean) => void): void {
	const response = context.getResponseObject();
	let isDone = false;
	const settle = () => {
		if (isDone) return;
		isDone = true;
		done(response.statusCode < 300);
	};
	response.once('prefinish', settle);
	response.once('finish', settle);
}

type Stored = { entry: Json; issue?: string };

/**
 * Stores a file as binary data under `property`, if given. If that fails, the file's content stays in the JSON, so it
 * isn't lost.
 */
async function storeFile(
	{ helpers, logger }: IWebhookFunctions,
	file: MediaFile,
	{ property, binary }: { property?: string; binary: IBinaryKeyData },
): Promise<Stored> {
	const { name, bytes, mimeType, issue, source } = file;
	if (!bytes || property === undefined) return { entry: describeFile(file), issue };
	try {
		binary[property] = await helpers.prepareBinaryData(bytes, fileNameOf(name), mimeType);
		return { entry: { ...describeFile(file), property }, issue };
	} catch {
		logger.warn('Could not store a file from a received MMS');
		return { entry: { ...source }, issue: `${property}: n8n could not store the file` };
	}
}

export const mediaPrefix = 'media';

type Content = {
	files: MediaFile[];
	/**
	 * The prefix of the binary properties: files are stored as `<prefix>0`, `<prefix>1`, … Without a prefix, files are
	 * only described in the JSON.
	 */
	prefix?: string;
	parseIssues?: string[];
	/** Builds the item's JSON. `media` has one entry per file. It is undefined if there are no files. */
	toJson: (media: Json[] | undefined) => Json;
};

export async function itemWithFiles(
	context: IWebhookFunctions,
	{ files, prefix, parseIssues = [], toJson }: Content,
): Promise<INodeExecutionData> {
	const binary: IBinaryKeyData = {};
	const stored: Stored[] = [];
	for (const [index, file] of files.entries()) {
		const property = prefix === undefined ? undefined : `${prefix}${index}`;
		stored.push(await storeFile(context, file, { property, binary }));
	}
	const json = toJson(stored.length > 0 ? stored.map(({ entry }) => entry) : undefined);
	const issues = [...parseIssues, ...stored.flatMap(({ issue }) => issue ?? [])];
	return {
		json: (issues.length > 0 ? { ...json, parseIssues: issues } : json) as IDataObject,
		...(Object.keys(binary).length > 0 && { binary }),
	};
}
