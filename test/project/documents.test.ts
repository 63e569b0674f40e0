import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../../playground/n8n/pack.ts';
import { documents } from '../helpers/documents.ts';
import { exampleFiles } from '../helpers/exampleFiles.ts';

const files = Object.keys(documents);

/** What GitHub makes of a heading. */
const anchorOf = (heading: string): string =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N} _-]/gu, '')
		.replaceAll(' ', '-');

const anchorsIn = (file: string): string[] =>
	[...(documents[file] ?? '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Links and pictures; links to elsewhere are not followed. */
const linksIn = (file: string): string[] =>
	[...documents[file]!.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"\s]+)"/g)]
		.map(([, link, source]) => link ?? source!)
		.filter((link) => !/^[a-z]+:/.test(link));

const leadsSomewhere = (file: string, link: string): boolean => {
	const [path = '', anchor] = link.split('#');
	const target = path ? join(dirname(file), path) : file;
	if (!existsSync(resolve(projectFolder, target))) return false;
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

const pages = files.filter((file) => /^docs\/[^/]+$/.test(file));

describe('a page', () => {
	it.each(pages)('%s is found from the README, or from what it links to first', (page) => {
		const links = ['README.md', 'SECURITY.md'].flatMap((file) =>
			linksIn(file).map((link) => link.split('#')[0]),
		);
		expect(links).toContain(page);
	});

	const tasks = pages.filter((page) => documents[page]!.includes('\n## What to know\n'));

	it.each(tasks)('%s has at most seven things to know, and a picture', (page) => {
		const [, known = ''] = documents[page]!.split('\n## What to know\n');
		const bullets = known.split('\n## ')[0]!.match(/^- /gm) ?? [];
		expect(bullets.length).toBeLessThanOrEqual(7);
		expect(documents[page]).toContain('<picture>');
	});
});

describe('docs/limitations.md', () => {
	const rows = documents['docs/limitations.md']!.split('\n').filter((line) => line.startsWith('|'));

	it('says of each when it is so, what happens and what to do', () => {
		const cells = rows.map((row) =>
			row
				.split(/(?<!\\)\|/)
				.slice(1, -1)
				.map((cell) => cell.trim()),
		);
		expect(rows.length).toBeGreaterThan(50);
		expect(cells.filter((each) => each.length !== 3 || each.includes(''))).toEqual([]);
	});
});

it('has a SECURITY.md of one screen', () => {
	expect(documents['SECURITY.md']!.split('\n').length).toBeLessThan(45);
});

// n8n 3 has it no more, neither in the menu nor as an endpoint.
it('sends nobody to Import from URL, neither in a document nor on the canvas', () => {
	const notes = Object.entries(exampleFiles).map(
		([file, { nodes }]) => [file, JSON.stringify(nodes)] as const,
	);
	const named = [...Object.entries(documents), ...notes].filter(([, text]) =>
		/from (?:its )?URL\b|raw\.githubusercontent|address to import/i.test(text),
	);
	expect(named.map(([file]) => file)).toEqual([]);
});

/** What keeps people from sending twice, or to nobody: shorter texts have lost some of it before. */
it.each([
	['README.md', /If a run is stopped, n8n doesn't keep its output/],
	['README.md', /\*\*not on npm yet\*\*/],
	['README.md', /14 requests per second .*15 per account/],
	['README.md', /_Retry On Fail_ of an agent or workflow .* sends its messages again/],
	['docs/sending.md', /Clean.*\n*.*`isDuplicate`/],
	[
		'docs/sending.md',
		/\*\*Deduplication Key\*\*: begin the key with .* all nodes in a workflow share the same keys/,
	],
	['docs/sending.md', /July 1, 2026.*“Unverified”/],
	['docs/sending.md', /commercial message from a sender name needs `\[opt-out-link\]`/],
	['docs/credentials.md', /“Unverified”/],
	['docs/reliability.md', /_Check, Then Fail_, the default of \*\*SMS → Send\*\*/],
	['docs/reliability.md', /3 skipped \(key already used\)/],
	['docs/reliability.md', /caught 84/],
	['docs/troubleshooting.md', /An item is skipped[^#]*Deduplication Key[^#]*number/],
	['docs/questions.md', /`BUY 4711`/],
	['docs/running.md', /[Ff]or each question.*webhook/],
	['docs/credentials.md', /0\.8 to 3\.8 ms/],
	['docs/reliability.md', /n8n keeps no output; its log says how many messages were accepted/],
	['docs/limitations.md', /continues in another process.*_Max per Execution_ starts again/],
	['docs/sending.md', /combines all items .* into one message/],
	['docs/limitations.md', /calls the tool again +\| The message is sent again/],
	['docs/reliability.md', /_Clear Deduplication History_ and the scope _Workflow_/],
	[
		'docs/trigger-registration.md',
		/n8n 2 says so after about 16 seconds, because it tries five times/,
	],
])('%s says %s', (file, text) => {
	expect(documents[file]).toMatch(text);
});
