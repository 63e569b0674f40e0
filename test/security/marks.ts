import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Values that occur nowhere else, so that each place where one turns up is a leak of it. */
export const secretMarks = {
	apiKey: 'a9f3MarkedKey77c1e0d2b4a6f8',
	apiSecret: 'MarkedSecret4410b7',
};

export const privateMarks = {
	text: 'Zanzibar marmalade at noon',
	name: 'Wilhelmina Quillfeather',
	phone: '61491570157',
	inboundText: 'Timbuktu pineapple please',
	inboundPhone: '61491578888',
};

/** The ways in which a credential can be written down. */
export const secretForms = (): string[] => {
	const { apiKey, apiSecret } = secretMarks;
	const pair = `${apiKey}:${apiSecret}`;
	return [apiKey, apiSecret, ...[apiKey, apiSecret, pair].map((text) => btoa(text))];
};

/** All files below a folder, apart from programs. */
const filesBelow = async (folder: string): Promise<string[]> => {
	const entries = await readdir(folder, { withFileTypes: true });
	const files = await Promise.all(
		entries.map(async (entry) => {
			const path = join(folder, entry.name);
			if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : await filesBelow(path);
			return entry.isFile() ? [path] : [];
		}),
	);
	return files.flat();
};

export type Finding = { file: string; mark: string; around: string };

const findIn = (file: string, content: string, marks: string[]): Finding[] =>
	marks.flatMap((mark) => {
		const at = content.indexOf(mark);
		if (at === -1) return [];
		const around = content.slice(Math.max(0, at - 200), at + mark.length + 80);
		return [{ file, mark, around: around.replace(/[^\x20-\x7e]/g, ' ') }];
	});

type Places = {
	isWanted?: (file: string) => boolean;
	/** Parts of a file that are not searched; with the flag g. */
	without?: RegExp;
};

/** Where any of the marks stands in what n8n has written: its database, its logs, all else it keeps. */
export const findMarks = async (
	folder: string,
	marks: string[],
	{ isWanted = () => true, without = /$^/g }: Places = {},
): Promise<Finding[]> => {
	const files = (await filesBelow(folder)).filter(isWanted);
	const found = await Promise.all(
		files.map(async (file) => {
			const content = (await readFile(file, 'latin1')).replaceAll(without, '');
			return findIn(file, content, marks);
		}),
	);
	return found.flat();
};
