import { describe, expect, it } from 'vitest';
import { contentFaults, dependencyFaults } from '../pack/contents.ts';

const required = ['package.json', 'README.md', 'LICENSE.md'];

describe('contents of the package', () => {
	it.each([
		'CHANGELOG.md',
		'dist/icons/kudosity.dark.svg',
		'dist/credentials/KudosityKeyApi.credentials.js',
		'dist/nodes/Kudosity/Kudosity.node.js',
		'dist/nodes/Kudosity/Kudosity.node.json',
		'dist/nodes/Kudosity/question/receiveReply.js',
		'dist/nodes/Kudosity/resources/bulkSms/index.js',
		'dist/nodes/Kudosity/fields/phone/numberingPlans.json',
		'dist/nodes/Kudosity/resources/panel.js',
		'dist/nodes/Kudosity/__schema__/v1.0.0/sms/send.json',
	])('may hold %s', (path) => {
		expect(contentFaults([...required, path])).toEqual([]);
	});

	it.each([
		'dist/package.json',
		'dist/tsconfig.tsbuildinfo',
		'dist/nodes/Kudosity/Kudosity.node.d.ts',
		'dist/nodes/Kudosity/Kudosity.node.js.map',
		'dist/nodes/Kudosity/limiter.test.js',
		'dist/nodes/Kudosity/resources/bulkSms/index.ts',
		'dist/nodes/Kudosity/fields/phone/notes.json',
		'dist/test/pack/checkPack.js',
		'dist/docs/screenshot.png',
		'nodes/Kudosity/Kudosity.node.ts',
		'.env',
		'examples/opt-out-sync.json',
	])('may not hold %s', (path) => {
		expect(contentFaults([...required, path])).toEqual([`${path} must not ship`]);
	});

	it('has a readme, a licence and a manifest', () => {
		expect(contentFaults([])).toEqual(required.map((path) => `${path} is missing`));
	});
});

describe('dependencies of the package', () => {
	const peerDependencies = { 'n8n-workflow': '*' };

	it('are none', () => {
		expect(dependencyFaults({ peerDependencies })).toEqual([]);
	});

	it.each(['dependencies', 'optionalDependencies', 'bundledDependencies'])(
		'are a fault as %s',
		(field) => {
			expect(dependencyFaults({ peerDependencies, [field]: { zod: '^3' } })).toEqual([
				`package.json has ${field}`,
			]);
		},
	);

	it('may not name a peer beside n8n-workflow', () => {
		expect(dependencyFaults({ peerDependencies: { ...peerDependencies, zod: '*' } })).toEqual([
			'package.json has other peers than n8n-workflow',
		]);
	});
});
