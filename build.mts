/** Builds `dist`, all that ships but the texts: docs/adr/0003 and 0015 say why so. */
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join, sep } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';

const require = createRequire(import.meta.url);
const { n8n } = require('./package.json') as { n8n: Record<'credentials' | 'nodes', string[]> };

/** What n8n loads by its path, and so keeps it. */
const entries = Object.fromEntries(
	[...n8n.credentials, ...n8n.nodes]
		.map((path) => path.slice('dist/'.length, -'.js'.length))
		.map((name) => [name, `./${name}.ts`]),
);

const keyOf = (name: string): string => (/^[a-z]\w*$/i.test(name) ? name : JSON.stringify(name));

const isSharable = (value: unknown): value is object | string =>
	typeof value === 'string' || (typeof value === 'object' && value !== null);

const lengthOfName = 'shared100'.length;
const lengthOfDeclaration = 'const shared100 = ;\n'.length;

/** Whether the source is shorter where a value is written once, and has a name elsewhere. */
const isWorthName = (length: number, uses: number): boolean =>
	length + lengthOfDeclaration + uses * lengthOfName < uses * length;

/** The exports as source code; what occurs more than once, such as a text or the countries, is written once. */
const asSource = (exported: object): string => {
	const uses = new Map<string, number>();
	const count = (value: unknown): void => {
		if (!isSharable(value)) return;
		const json = JSON.stringify(value);
		uses.set(json, (uses.get(json) ?? 0) + 1);
		if (uses.get(json) === 1 && typeof value === 'object') Object.values(value).forEach(count);
	};
	const names = new Map<string, string>();
	const lines = ['"use strict";'];
	const memberOf = ([name, value]: [string, unknown]): string[] =>
		value === undefined ? [] : [`${keyOf(name)}:${write(value)}`];
	const sourceOf = (value: object | string): string => {
		if (typeof value === 'string') return JSON.stringify(value);
		return Array.isArray(value)
			? `[${value.map(write).join()}]`
			: `{${Object.entries(value).flatMap(memberOf).join()}}`;
	};
	const write = (value: unknown): string => {
		const json = JSON.stringify(value);
		if (!isSharable(value)) return json;
		const known = names.get(json);
		if (known !== undefined) return known;
		const source = sourceOf(value);
		if (!isWorthName(source.length, uses.get(json) ?? 1)) return source;
		const name = `shared${names.size}`;
		names.set(json, name);
		lines.push(`const ${name} = ${source};`);
		return name;
	};
	Object.values(exported).forEach(count);
	const exports = Object.entries(exported).map(
		([name, value]) => `exports.${name} = ${write(value)};`,
	);
	return [...lines, ...exports, ''].join('\n');
};

/** In place of the modules that compute a panel, `dist` has what they compute. */
const panels: Plugin = {
	name: 'panels',
	buildStart() {
		for (const path of ['nodes/Kudosity/resources/panel', 'nodes/Kudosity/trigger/panel']) {
			const source = asSource(require(`./${path}.ts`) as object);
			this.emitFile({ type: 'asset', fileName: `${path}.js`, source });
		}
	},
	resolveId: {
		filter: { id: /\/panel$/ },
		handler: (id) => ({ id: `${id}.js`, external: true }),
	},
};

type Property = { start: number; end: number; key?: { name?: string } };
type SyntaxNode = { type?: string; arguments?: SyntaxNode[]; properties?: Property[] };

const onlyShown = ['description', 'hint', 'placeholder'];

/** What the declaration of a field, a call with its n8n property, says in the panel only. */
const shownIn = (tree: unknown): Property[] => {
	if (typeof tree !== 'object' || tree === null) return [];
	const declared = ((tree as SyntaxNode).arguments ?? [])
		.map(({ properties = [] }) => properties)
		.filter((properties) => properties.some(({ key }) => key?.name === 'displayName'));
	const shown = declared
		.flat()
		.filter(({ key }) => key?.name !== undefined && onlyShown.includes(key.name));
	return [...shown, ...Object.values(tree).flatMap(shownIn)];
};

/** The panels have their texts: beside them, what runs needs no more of a field than its names and its reader. */
const fieldsWithoutTexts: Plugin = {
	name: 'fields-without-texts',
	transform: {
		filter: { id: /[\\/]nodes[\\/]Kudosity[\\/](?:fields|resources|trigger)[\\/].*\.ts$/ },
		handler: (code) =>
			shownIn(parseAst(code, { lang: 'ts' }))
				.sort((one, other) => other.start - one.start)
				.reduce(
					(left, { start, end }) => left.slice(0, start) + left.slice(end).replace(/^\s*,/, ''),
					code,
				),
	},
};

const isAsset = (path: string): boolean =>
	/^icons\/.*\.svg$|\.node\.json$|\/__schema__\/.*\.json$/.test(path);

const filesIn = async (folder: string): Promise<string[]> =>
	(await readdir(folder, { recursive: true })).map((path) =>
		[folder, ...path.split(sep)].join('/'),
	);

/** Icons, search words and output schemas. */
const assets: Plugin = {
	name: 'assets',
	async buildStart() {
		const paths = [...(await filesIn('icons')), ...(await filesIn('nodes'))].filter(isAsset);
		for (const fileName of paths) {
			const text = await readFile(fileName, 'utf8');
			const source = extname(fileName) === '.json' ? JSON.stringify(JSON.parse(text)) : text;
			this.emitFile({ type: 'asset', fileName, source });
		}
	},
};

/**
 * Each part of a file is headed by the module that it is from, without the folder and the ending that most of them
 * share.
 */
const shortHeadings: Plugin = {
	name: 'short-headings',
	renderChunk: (code) => code.replace(/^\/\/ (?:nodes\/Kudosity\/)?(\S+)\.ts$/gm, '// $1'),
};

const bundle = await rolldown({
	cwd: import.meta.dirname,
	input: entries,
	// What n8n promises to have. The tests of the architecture know of anything else that is imported.
	external: ['n8n-workflow', 'zod/v4'],
	platform: 'node',
	transform: { target: 'es2022' },
	plugins: [panels, fieldsWithoutTexts, assets, shortHeadings],
	onLog: (_level, { message }) => {
		throw new Error(message);
	},
});

await bundle.write({
	dir: join(import.meta.dirname, 'dist'),
	cleanDir: true,
	format: 'cjs',
	comments: false,
	strict: true,
	entryFileNames: '[name].js',
	chunkFileNames: 'nodes/Kudosity/[name].js',
	codeSplitting: {
		groups: [
			// All that n8n's start loads, beside the entries and the panels.
			{ name: 'credentials', test: /[\\/](?:credential|countries)\.ts$/, priority: 1 },
			{ name: 'shared', test: /[\\/]nodes[\\/]/, minShareCount: 2 },
		],
	},
});
