import type {
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';
import { fileNameOf } from './fileName';
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
		binary[property] = await helpers.prepareBinaryData(bytes, fileNameOf(name), mimeType);
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

type MediaEntries = { media?: Fields[] };

/** The item's JSON: flat where the event is understood and that is wanted, otherwise as it was sent. */
const toJson = (body: Fields, record: Fields | undefined, { media }: MediaEntries): Fields => {
	if (record) return media ? { ...record, media } : record;
	return media ? withMedia(body, media) : body;
};

/**
 * The item that an accepted event becomes. The files of an MMS become binary data; without Download Media
 * the simplified record only names them, and the raw event keeps them as they were sent.
 */
export const toItem = async (
	context: IWebhookFunctions,
	{ body, event, parseIssues }: Accepted,
	{ simplify, options }: TriggerParameters,
): Promise<INodeExecutionData> => {
	const record = simplify && event ? simplifyEvent(event) : undefined;
	const files = options.downloadMedia || record ? readMedia(body) : [];
	const { binary, stored } = options.downloadMedia
		? await storeFiles(context, files, options.mediaProperty)
		: { binary: {}, stored: describeFiles(files) };
	const media = stored.length > 0 ? stored.map(({ entry }) => entry) : undefined;
	const issues = [...parseIssues, ...stored.flatMap(({ issue }) => issue ?? [])];
	const json = toJson(body, record, { media });
	return {
		json: (issues.length > 0 ? { ...json, parseIssues: issues } : json) as IDataObject,
		...(Object.keys(binary).length > 0 ? { binary } : {}),
	};
};
