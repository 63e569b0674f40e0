const { readdir, readFile, rm, writeFile } = require('node:fs/promises');
const { extname, join } = require('node:path');
const { src, dest } = require('gulp');

/** Deletes the last build, so that a removed source file cannot ship. */
const clean = () => rm('dist', { recursive: true, force: true });

/** Copies what tsc does not emit: icons and output schemas. `encoding: false` keeps bytes as they are. */
const assets = () =>
	src(['icons/*.svg', 'nodes/**/__schema__/**/*.json'], { base: '.', encoding: false }).pipe(
		dest('dist'),
	);

const keyOf = (name) => (/^[a-z]\w*$/i.test(name) ? name : JSON.stringify(name));

/** The exports as source code; what occurs more than once, such as the list of countries, is written once. */
const asSource = (exported) => {
	const uses = new Map();
	const count = (value) => {
		if (typeof value !== 'object' || value === null) return;
		uses.set(value, (uses.get(value) ?? 0) + 1);
		if (uses.get(value) === 1) Object.values(value).forEach(count);
	};
	const names = new Map();
	const lines = ['"use strict";'];
	const write = (value) => {
		if (typeof value !== 'object' || value === null) return JSON.stringify(value);
		if (names.has(value)) return names.get(value);
		const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
		const source = Array.isArray(value)
			? `[${value.map(write)}]`
			: `{${entries.map(([name, entry]) => `${keyOf(name)}:${write(entry)}`)}}`;
		if (uses.get(value) === 1 || source.length < 100) return source;
		names.set(value, `shared${names.size}`);
		lines.push(`const ${names.get(value)} = ${source};`);
		return names.get(value);
	};
	Object.values(exported).forEach(count);
	const exports = Object.entries(exported).map(
		([name, value]) => `exports.${name} = ${write(value)};`,
	);
	return [...lines, ...exports, ''].join('\n');
};

/** Replaces the modules that compute a panel by what they compute: docs/adr/0015. */
const panels = async () => {
	for (const path of ['resources/panel.js', 'trigger/panel.js']) {
		const file = join(__dirname, 'dist/nodes/Kudosity', path);
		await writeFile(file, asSource(require(file)));
	}
};

const compacted = {
	'.json': (text) => JSON.stringify(JSON.parse(text)),
	// No text of ours goes over several lines, so what begins a line is indentation.
	'.js': (text) => text.replace(/^( {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4)),
};

/** tsc indents by four spaces: without them, the package keeps below its bound of 800 kB. */
const compact = async () => {
	const entries = await readdir('dist', { recursive: true, withFileTypes: true });
	for (const entry of entries) {
		const shorten = compacted[extname(entry.name)];
		if (!entry.isFile() || !shorten) continue;
		const file = join(entry.parentPath, entry.name);
		await writeFile(file, shorten(await readFile(file, 'utf8')));
	}
};

module.exports = { clean, assets, panels, compact };
