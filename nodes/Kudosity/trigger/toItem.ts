import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { describeFile, readMedia, withMedia, type MediaFile } from '../events/media';
import type { ReceivedEvent } from '../events/readEvent';
import { simplifyEvent } from '../events/simplify';
import { storeFiles } from '../runtime/storeFiles';
import type { TriggerParameters } from './triggerParameters';

type Fields = Record<string, unknown>;

const describeFiles = (files: MediaFile[]) =>
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
	{ body, event, parseIssues }: ReceivedEvent,
	{ simplify, options }: Pick<TriggerParameters, 'simplify' | 'options'>,
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
