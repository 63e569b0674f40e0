/** Builds `dist`, all that ships but the texts: docs/adr/0003 and 0015 say why so. */
const { spawn } = require('node:child_process');
const { rmSync, writeFileSync } = require('node:fs');
const { resolve } = require('node:path');
const { execPath } = require('node:process');
const { dest, series, src, watch } = require('gulp');

const target = resolve('dist');

/** Also what a `dev` that goes on has loaded of the former build. */
const clean = async () => {
	rmSync(target, { recursive: true, force: true });
	for (const path of Object.keys(require.cache)) {
		if (path.startsWith(target)) delete require.cache[path];
	}
};

/** Checks types as well: with an error, nothing comes out. */
const compile = () => {
	const output = ['--noEmit', 'false', '--noEmitOnError', '--removeComments', '--outDir', target];
	return spawn(execPath, [require.resolve('typescript/bin/tsc'), ...output], { stdio: 'inherit' });
};

/** In place of the modules that compute a panel, what they compute. All fields share the list of countries. */
const panels = async () => {
	const { defaultCountryField } = require(`${target}/nodes/Kudosity/fields/phone/countries.js`);
	const countries = JSON.stringify(defaultCountryField.options);
	for (const folder of ['polling', 'resources', 'trigger']) {
		const path = `${target}/nodes/Kudosity/${folder}/panel.js`;
		const data = JSON.stringify({ ...require(path) }).replaceAll(countries, 'field.options');
		const field = "const { defaultCountryField: field } = require('../fields/phone/countries');";
		writeFileSync(path, `${field}\nmodule.exports = ${data};\n`);
	}
};

/** Icons, search words and output schemas. */
const assets = () =>
	src(['icons/*.svg', 'nodes/**/*.json'], { base: '.', encoding: false }).pipe(dest(target));

const build = series(clean, compile, panels, assets);

exports.default = build;

/** Ends with Ctrl+C, not with an error in the sources. */
exports.dev = async () => {
	watch(['credentials/**', 'icons/**', 'nodes/**'], { ignoreInitial: false }, build);
};
