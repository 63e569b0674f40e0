import type {
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { describeFile, fileNameOf, type MediaFile } from '../events/media';
import { readEvent, type ReceivedEvent } from '../events/parse';
import type { Json } from '../lib/json';

type DeliveryRequest = {
	headers: Record<string, unknown>;
	/** As n8n parsed it, by its content type. */
	body?: unknown;
	/** As it came, already unpacked; absent as long as nobody has read it. */
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
};

const parseJson = (text: string): unknown => {
	try {
		return JSON.parse(text.replace(/^\uFEFF/, ''));
	} catch {
		return undefined;
	}
};

/** n8n leaves a body unread whose content type it does not know. One that cannot be read is no JSON either. */
const readRaw = async (request: DeliveryRequest): Promise<Buffer | undefined> => {
	if (!request.rawBody) await request.readRawBody?.().catch(() => undefined);
	return request.rawBody;
};

/** By n8n's own rule, to which a space before the semicolon makes it another type. */
const isParsed = ({ headers }: DeliveryRequest): boolean =>
	/^application\/json(;|$)/i.test(String(headers['content-type'] ?? ''));

/** The JSON of a request. n8n reads forms and XML as objects too: they count as no JSON. */
export const readJsonBody = async (request: DeliveryRequest): Promise<unknown> => {
	if (isParsed(request)) return request.body;
	const rawBody = await readRaw(request);
	return rawBody?.length ? parseJson(rawBody.toString('utf8')) : request.body;
};

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

type DeliveryHandler<Right> = {
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
export const handleDelivery = async <Right>(
	context: IWebhookFunctions,
	{ rightOf, take }: DeliveryHandler<Right>,
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

type Fields = Record<string, unknown>;
/** What the JSON says of a file. */
type Stored = { entry: Fields; issue?: string };

/** Stores one file as binary data. What cannot be stored stays in the JSON: a file is never lost. */
const storeFile = async (
	{ helpers, logger }: IWebhookFunctions,
	file: MediaFile,
	{ property, binary }: { property: string; binary: IBinaryKeyData },
): Promise<Stored> => {
	const { name, bytes, mimeType, issue, source } = file;
	if (!bytes) return { entry: describeFile(file), issue };
	try {
		binary[property] = await helpers.prepareBinaryData(bytes, fileNameOf(name), mimeType);
		return { entry: { ...describeFile(file), property }, issue };
	} catch {
		logger.warn('A file of an inbound MMS could not be stored as binary data');
		return { entry: { ...source }, issue: `${property}: n8n could not store the file` };
	}
};

/** Stores the files as binary data: `<prefix>0`, `<prefix>1`, … */
export const storeFiles = async (
	context: IWebhookFunctions,
	files: MediaFile[],
	prefix: string,
) => {
	const binary: IBinaryKeyData = {};
	const stored: Stored[] = [];
	for (const [index, file] of files.entries()) {
		stored.push(await storeFile(context, file, { property: `${prefix}${index}`, binary }));
	}
	return { binary, stored };
};

/** What the names of binary properties begin with, where nobody says otherwise. */
export const mediaPrefix = 'media';

const describeFiles = (files: MediaFile[]) =>
	files.map((file) => ({ entry: describeFile(file), issue: file.issue }));

type Content = {
	files: MediaFile[];
	/** Of the binary properties; without it the files are only described. */
	prefix?: string;
	/** What is unexpected about the event beside its files. */
	parseIssues?: string[];
	/** The JSON, with what it says of the files; undefined when there are none. */
	toJson: (media: Json[] | undefined) => Json;
};

/** An item with the files of its event, and with what is wrong about them. */
export const itemWithFiles = async (
	context: IWebhookFunctions,
	{ files, prefix, parseIssues = [], toJson }: Content,
): Promise<INodeExecutionData> => {
	const { binary, stored } =
		prefix === undefined
			? { binary: {}, stored: describeFiles(files) }
			: await storeFiles(context, files, prefix);
	const json = toJson(stored.length > 0 ? stored.map(({ entry }) => entry) : undefined);
	const issues = [...parseIssues, ...stored.flatMap(({ issue }) => issue ?? [])];
	return {
		json: (issues.length > 0 ? { ...json, parseIssues: issues } : json) as IDataObject,
		...(Object.keys(binary).length > 0 && { binary }),
	};
};
