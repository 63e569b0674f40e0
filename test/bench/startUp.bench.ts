/**
 * What the package adds to n8n's start: both nodes and the credentials loaded and constructed, in processes of their
 * own. Wants a build. Takes about 10 seconds.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureN8n } from '../../playground/n8n/install.ts';
import { currentN8n } from '../../playground/n8n/versions.ts';
import { defineBench } from './figure.ts';

const root = join(import.meta.dirname, '../..');
const runs = 15;
const maxMs = 25;

/** What n8n has loaded and used already does not count: its own library, zod, and the rules of sorting text. */
const script = `
	require('n8n-workflow');
	const { z } = require('zod/v4');
	z.looseObject({ text: z.string().optional() }).safeParse({});
	'a'.localeCompare('b');
	const begunMs = performance.now();
	const { n8n } = require('./package.json');
	for (const file of [...n8n.credentials, ...n8n.nodes]) {
		const [Type] = Object.values(require('./' + file));
		new Type();
	}
	console.log(performance.now() - begunMs);
`;

export default await defineBench(import.meta.filename, async () => {
	// The Node.js that n8n runs on.
	const { nodeBinary } = await ensureN8n({ version: currentN8n });
	const load = () => Number(execFileSync(nodeBinary, ['-e', script], { cwd: root }));
	const sorted = Array.from({ length: runs }, load).toSorted((one, other) => one - other);
	const medianMs = sorted[Math.floor(runs / 2)]!;
	return [
		{
			what: 'Loading the package beyond zod',
			by: 'this package',
			results: { 'median ms': medianMs.toFixed(1), 'least ms': sorted[0]!.toFixed(1) },
			bound: { text: `median at most ${maxMs} ms`, isKept: medianMs <= maxMs },
		},
	];
});
