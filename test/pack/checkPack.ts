/**
 * Packs the project and checks the tarball as a user of n8n would get it. Prints one line for each check
 * and ends with exit code 1 if any finds a fault. Expects a fresh build: `npm run check:pack` makes one.
 */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { scanSource, scanTarball } from './communityScan.ts';
import { contentFaults, dependencyFaults } from './contents.ts';
import { loadInHost } from './host.ts';
import { packAndUnpack, type Tarball } from './tarball.ts';

const project = resolve(import.meta.dirname, '../..');
/** To notice a file that does not belong there; all that does is well below. */
const mostUnpackedBytes = 1_500_000;

type Finding = { check: string; faults: string[]; figure?: string };

const sizeFinding = ({ unpackedBytes, paths }: Tarball): Finding => ({
	check: 'size',
	faults:
		unpackedBytes > mostUnpackedBytes
			? [`more than ${mostUnpackedBytes / 1000} kB: something is in it that does not belong there`]
			: [],
	figure: `${(unpackedBytes / 1000).toFixed(1)} kB unpacked in ${paths.length} files`,
});

const loadFinding = async (
	{ folder }: Tarball,
	host: Parameters<typeof loadInHost>[1],
): Promise<Finding> => {
	const { faults, loaded, operations, versions } = await loadInHost(folder, host);
	return {
		check: `loads with ${versions}`,
		faults,
		figure: `${loaded.join(', ')}; ${operations} operations`,
	};
};

const inspect = async (temporary: string): Promise<Finding[]> => {
	const tarball = await packAndUnpack(project, temporary);
	return [
		{ check: 'contents', faults: contentFaults(tarball.paths) },
		{ check: 'dependencies', faults: dependencyFaults(tarball.manifest), figure: 'none' },
		sizeFinding(tarball),
		await loadFinding(tarball, { project, temporary, zod: 'zod', luxon: 'luxon34' }),
		await loadFinding(tarball, { project, temporary, zod: 'zod4', luxon: 'luxon' }),
		{ check: 'community scan of the source', faults: await scanSource(project) },
		{ check: 'community scan of the tarball', faults: await scanTarball(tarball.folder) },
	];
};

const lineOf = ({ check, faults, figure }: Finding): string =>
	faults.length === 0
		? `ok    ${[check, figure].filter(Boolean).join(': ')}`
		: [
				`FAULT ${[check, figure].filter(Boolean).join(': ')}`,
				...faults.map((text) => `      ${text}`),
			].join('\n');

const temporary = await realpath(await mkdtemp(join(tmpdir(), 'check-pack-')));
try {
	const findings = await inspect(temporary);
	process.stdout.write(`${findings.map(lineOf).join('\n')}\n`);
	if (findings.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
} finally {
	await rm(temporary, { recursive: true, force: true });
}
