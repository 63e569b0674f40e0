import type {
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';
import { describeFile, readMedia, withMedia, type MediaFile } from './media';
import type { Accepted } from './receiveWebhook';
import { simplifyEvent } from './simplify';
import type { TriggerParameters } from './triggerParameters';

type Fields = Record<string, unknown>;
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
		binary[property] = await helpers.prepareBinaryData(bytes, name, mimeType);
		return { entry: { ...describeFile(file), property }, issue };
	} catch {
		logger.warn('A file of an inbound MMS could not be stored as binary data');
		return { entry: { ...source }, issue: `${property}: n8n could not store the file` };
	}
};

const storeFiles = async (context: IWebhookFunctions, files: MediaFile[], prefix: string) => {
	const binary: IBinaryKeyData = {};
	const stored: Stored[] = [];
	for (const [index, file] of files.entries()) {
		stored.push(await storeFile(context, file, { property: `${prefix}${index}`, binary }));
	}
	return { binary, stored };
};

const describeFiles = (files: MediaFile[]): Stored[] =>
	files.map((file) => ({ entry: describeFile(file), issue: file.issue }));

/** The item's JSON: flat where the event is understood and that is wanted, otherwise as it was sent. */
const toJson = ({ body, event }: Accepted, simplify: boolean, media: Fields[]): Fields => {
	const hasMedia = media.length > 0;
	if (!simplify || !event) return hasMedia ? withMedia(body, media) : body;
	return { ...simplifyEvent(event), ...(hasMedia ? { media } : {}) };
};

/**
 * The item that an accepted event becomes. The files of an MMS become binary data; without Download Media
 * the simplified record only names them, and the raw event keeps them as they were sent.
 */
export const toItem = async (
	context: IWebhookFunctions,
	accepted: Accepted,
	{ simplify, options }: TriggerParameters,
): Promise<INodeExecutionData> => {
	const isSimple = simplify && accepted.event !== undefined;
	const files = options.downloadMedia || isSimple ? readMedia(accepted.body) : [];
	const { binary, stored } = options.downloadMedia
		? await storeFiles(context, files, options.mediaProperty)
		: { binary: {}, stored: describeFiles(files) };
	const media = stored.map(({ entry }) => entry);
	const mediaIssues = stored.flatMap(({ issue }) => issue ?? []);
	const parseIssues = [...accepted.parseIssues, ...mediaIssues];
	const json = {
		...toJson(accepted, simplify, media),
		...(parseIssues.length > 0 ? { parseIssues } : {}),
	};
	return {
		json: json as IDataObject,
		...(Object.keys(binary).length > 0 ? { binary } : {}),
	};
};
