import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import type { Json } from '../api/json';
import { describeFile, type MediaFile } from '../events/media';
import { storeFiles } from './storeFiles';

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
