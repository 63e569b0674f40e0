import type { IBinaryKeyData, IWebhookFunctions } from 'n8n-workflow';
import { fileNameOf } from '../events/fileName';
import { describeFile, type MediaFile } from '../events/media';

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
