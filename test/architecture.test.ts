import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFiles } from './helpers/projectFiles.ts';

type Sources = Record<string, string>;

const shipped: Sources = {
	...projectFiles('nodes', '.ts'),
	...projectFiles('credentials', '.ts'),
};
const root = 'nodes/Kudosity';

/** Comments, each up to the end of its line at most. */
const comments = /^\s*(?:\/\/.*|\/?\*.*?(?:\*\/|$))|\s\/\/ .*$|\/\*.*?\*\//gm;

/** Everything a file imports, including types. Of a path assembled at run time, its beginning. */
const importsOf = (text = ''): string[] =>
	[...text.replace(comments, '').matchAll(/\bfrom '([^']+)'|\bimport\(?\s*['`]([^'`]+)['`]/g)].map(
		([, from, other]) => from ?? other ?? '',
	);

const pathOf = (file: string, imported: string): string =>
	posix.join(posix.dirname(file), imported);

/** The files of ours that a file imports. */
const targetsOf = (file: string, sources: Sources): string[] =>
	importsOf(sources[file])
		.filter((imported) => imported.startsWith('.'))
		.flatMap((imported) => {
			const path = pathOf(file, imported);
			return [path, `${path}.ts`, `${path}/index.ts`].find((name) => name in sources) ?? [];
		});

/** What is left of the files once those that import none of the rest, or are imported by none, are gone. */
const inCircles = (sources: Sources): string[] => {
	let rest = Object.keys(sources);
	for (let before = 0; rest.length !== before; ) {
		before = rest.length;
		const importing = rest.filter((file) =>
			targetsOf(file, sources).some((target) => rest.includes(target)),
		);
		const imported = new Set(importing.flatMap((file) => targetsOf(file, sources)));
		rest = importing.filter((file) => imported.has(file));
	}
	return rest;
};

/** The floors of the house, from the top. A room imports from itself and from the floors below it, never from beside it. */
const floors = [
	['action', 'trigger'],
	['question'],
	['resources', 'send', 'polling', 'methods'],
	['fields', 'n8n'],
	['events'],
	['api'],
	['lib'],
];
const below = Object.fromEntries(
	floors.flatMap((rooms, floor) => rooms.map((room) => [room, floors.slice(floor + 1).flat()])),
);
const roomOf = (file: string): string => posix.relative(root, file).split('/')[0] ?? '';
const files = Object.keys(shipped);
const filesIn = (...rooms: string[]) => files.filter((file) => rooms.includes(roomOf(file)));

it('imports are read from code, not from comments', () => {
	const text = [
		"/** Copied from './a'. */",
		" * The rules are from './b'",
		"// import './c'",
		"/* from './d' */ import './e';",
		"import { f } from './f'; // from './g'",
		'await import(/* @vite-ignore */ `./h/${name}`);',
	].join('\n');
	expect(importsOf(text)).toEqual(['./e', './f', './h/${name}']);
});

describe('the layers', () => {
	it('import downward only', () => {
		const upward = filesIn(...Object.keys(below)).flatMap((file) =>
			targetsOf(file, shipped)
				.filter((target) => ![roomOf(file), ...below[roomOf(file)]!].includes(roomOf(target)))
				.map((target) => `${file} imports ${target}`),
		);
		expect(upward).toEqual([]);
	});

	it('leave only the nodes themselves outside of the rooms', () => {
		const outside = files.filter((file) => file.startsWith(root) && !(roomOf(file) in below));
		const nodes = ['Kudosity', 'KudosityPollingTrigger', 'KudosityTrigger'];
		expect(outside.sort()).toEqual(nodes.map((name) => `${root}/${name}.node.ts`));
	});

	it('have no circle of imports', () => {
		expect(inCircles(shipped)).toEqual([]);
		expect(inCircles(projectFiles('playground', '.ts'))).toEqual([]);
	});

	it('keep n8n out of lib, api and events', () => {
		const users = filesIn('lib', 'api', 'events').filter((file) =>
			importsOf(shipped[file]).includes('n8n-workflow'),
		);
		expect(users).toEqual([]);
	});

	it('keep requests and catching out of the resources', () => {
		const impure = filesIn('resources').filter((file) =>
			/\btry \{|\bcatch\b|httpRequest|getNodeParameter/.test(shipped[file]!),
		);
		expect(impure).toEqual([]);
	});

	it('leave hosts and credential names to one file', () => {
		const users = filesIn(...Object.keys(below)).filter((file) =>
			/kudosity(Basic|Key)Api|https?:\/\/api\./.test(shipped[file]!),
		);
		expect(users).toEqual([`${root}/n8n/credentials.ts`]);
	});
});

it('what ships imports only what n8n has', () => {
	const allowed = ['n8n-workflow', 'zod/v4', 'luxon', 'crypto', 'express'];
	const others = files.flatMap((file) =>
		importsOf(shipped[file])
			.filter((name) => !name.startsWith('.') && !allowed.includes(name))
			.map((name) => `${file} imports ${name}`),
	);
	expect(others).toEqual([]);
});

it('tests reach into what ships through test/seams.ts alone', () => {
	const exempt = /^test\/(seams\.ts$|bench\/|project\/|pack\/|helpers\/endpoints\.ts$)/;
	const reaching = Object.entries(projectFiles('test', '.ts'))
		.filter(([file]) => !exempt.test(file))
		.flatMap(([file, text]) =>
			importsOf(text)
				.filter((imported) => /^(nodes\/|credentials\/|\$)/.test(pathOf(file, imported)))
				.map((imported) => `${file} imports ${imported}`),
		);
	expect(reaching).toEqual([]);
});
