import { describe, expect, it } from 'vitest';
import { projectFiles } from './helpers/projectFiles.ts';

/** Every shipped source file, by its path from the root. */
const sources: Record<string, string> = {
	...projectFiles('nodes', '.ts'),
	...projectFiles('credentials', '.ts'),
};

const under = (...folders: string[]) =>
	Object.keys(sources).filter((path) => folders.some((folder) => path.startsWith(folder)));

const importsOf = (path: string): string[] =>
	[
		...(sources[path] ?? '').matchAll(/\bfrom '([^']+)'|\bimport '([^']+)'|\bimport\('([^']+)'\)/g),
	].map(([, from, bare, lazy]) => from ?? bare ?? lazy ?? '');

const resolve = (path: string, imported: string): string | undefined => {
	if (!imported.startsWith('.')) return undefined;
	const { pathname } = new URL(imported, `file:///${path}`);
	const target = pathname.slice(1);
	return [`${target}.ts`, `${target}/index.ts`].find((candidate) => candidate in sources);
};

/** A file and every file that it needs. */
const closureOf = (path: string, found = new Set<string>()): Set<string> => {
	if (found.has(path)) return found;
	found.add(path);
	for (const imported of importsOf(path)) {
		const target = resolve(path, imported);
		if (target) closureOf(target, found);
	}
	return found;
};

const root = 'nodes/Kudosity';
/** What a room may import from, beside itself; imports run downward only. */
const below: Record<string, string[]> = {
	methods: ['runtime', 'sending', 'fields', 'events', 'api'],
	resources: ['runtime', 'sending', 'fields', 'events', 'api'],
	trigger: ['runtime', 'sending', 'fields', 'events', 'api'],
	runtime: ['sending', 'fields', 'events', 'api'],
	sending: ['fields', 'events', 'api'],
	fields: ['events', 'api'],
	events: ['api'],
	api: [],
};
const rooms = Object.keys(below);

const roomOf = (path: string): string => path.slice(`${root}/`.length).split('/')[0] ?? '';

/** What decides about a webhook or a delivery: pure, with everything it uses. */
const pureTriggerFiles = [
	'admitEvent',
	'ownership',
	'planRegistration',
	'updatedIds',
	'splitSubscription',
].map((name) => `${root}/trigger/${name}.ts`);

describe('the layers', () => {
	it.each(under(...rooms.map((room) => `${root}/${room}/`)))(
		'import downward only in %s',
		(path) => {
			const targets = importsOf(path).flatMap((imported) => resolve(path, imported) ?? []);
			const allowed = [roomOf(path), ...(below[roomOf(path)] ?? [])];
			expect(targets.filter((target) => !allowed.includes(roomOf(target)))).toEqual([]);
		},
	);

	it('leave only doors and descriptions outside of the rooms', () => {
		const outside = under(`${root}/`).filter((path) => !rooms.includes(roomOf(path)));
		expect(outside.sort()).toEqual([`${root}/Kudosity.node.ts`, `${root}/KudosityTrigger.node.ts`]);
	});

	it.each([...under(`${root}/api/`, `${root}/events/`), ...pureTriggerFiles])(
		'keep n8n out of %s',
		(path) => {
			expect(sources).toHaveProperty([path]);
			const users = [...closureOf(path)].filter((file) => importsOf(file).includes('n8n-workflow'));
			expect(users).toEqual([]);
		},
	);

	it.each(under(`${root}/resources/`))('keep loops, requests and catching out of %s', (path) => {
		expect(sources[path]).not.toMatch(/\btry \{|\bcatch\b|httpRequest|getNodeParameter/);
		expect(importsOf(path).filter((from) => from.includes('nodeTransport'))).toEqual([]);
	});

	it('leave hosts and credential names to one file of the action node', () => {
		const files = under(`${root}/`).filter((path) =>
			/kudosity(Basic|Key)Api/.test(sources[path] ?? ''),
		);
		expect(files.filter((path) => !path.endsWith('.node.ts'))).toEqual([
			`${root}/runtime/credentials.ts`,
		]);
	});
});

describe('what ships', () => {
	it.each(under('nodes/', 'credentials/'))('has at most 200 lines in %s', (path) => {
		expect(sources[path]?.trimEnd().split('\n').length).toBeLessThanOrEqual(200);
	});

	it.each(under('nodes/', 'credentials/'))('imports only what n8n has in %s', (path) => {
		const packages = importsOf(path).filter((from) => !from.startsWith('.'));
		expect(['n8n-workflow', 'zod/v4', 'crypto', 'express']).toEqual(
			expect.arrayContaining([...new Set(packages)]),
		);
	});
});
