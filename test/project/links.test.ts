import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const project = resolve(import.meta.dirname, '../..');

const markdownIn = (folder: string): string[] =>
	readdirSync(join(project, folder))
		.filter((name) => name.endsWith('.md'))
		.map((name) => join(folder, name));

const files = ['.', 'docs', 'docs/adr', 'examples'].flatMap(markdownIn);

const textOf = (file: string): string => readFileSync(join(project, file), 'utf8');

/** What GitHub makes of a heading. */
const anchorOf = (heading: string): string =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N} _-]/gu, '')
		.replaceAll(' ', '-');

const anchorsIn = (file: string): string[] =>
	[...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Links inside the repository; those to the web are not followed. */
const linksIn = (file: string): string[] =>
	[...textOf(file).matchAll(/\]\(([^)\s]+)\)/g)]
		.map(([, link = '']) => link)
		.filter((link) => !/^[a-z]+:/.test(link));

const leadsSomewhere = (file: string, link: string): boolean => {
	const [path = '', anchor] = link.split('#');
	const target = path ? relative(project, resolve(project, dirname(file), path)) : file;
	if (!existsSync(join(project, target))) return false;
	return anchor === undefined || anchorsIn(target).includes(anchor);
};

describe('the documents', () => {
	it('have links to follow', () => {
		expect(files.flatMap(linksIn).length).toBeGreaterThan(50);
	});

	it.each(files)('%s links to files and headings that exist', (file) => {
		expect(linksIn(file).filter((link) => !leadsSomewhere(file, link))).toEqual([]);
	});
});
