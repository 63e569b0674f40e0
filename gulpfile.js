const { rm } = require('node:fs/promises');
const { src, dest } = require('gulp');

/** Deletes the last build, so that a removed source file cannot ship. */
const clean = () => rm('dist', { recursive: true, force: true });

/** Copies what tsc does not emit: icons and output schemas. `encoding: false` keeps bytes as they are. */
const assets = () =>
	src(['icons/*.svg', 'nodes/**/__schema__/**/*.json'], { base: '.', encoding: false }).pipe(
		dest('dist'),
	);

module.exports = { clean, assets };
