/** The rules of n8n's lint for verified nodes that are newer than the plugin in package.json, or do not see our panel. */
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { projectFiles } from '../helpers/projectFiles.ts';
import { nodes, packageJson } from './packageClasses.ts';

const types = nodes.map(({ description }) => description);

type Entry = { path: string; property: INodeProperties };

/** Every property of a node, also inside of collections. */
const everyOf = (properties: INodeProperties[], folder: string): Entry[] =>
	properties.flatMap((property) => {
		const path = `${folder} > ${property.displayName}`;
		const { type, options = [] } = property;
		const inner =
			type === 'collection'
				? (options as INodeProperties[])
				: type === 'fixedCollection'
					? (options as INodePropertyCollection[]).flatMap(({ values }) => values)
					: [];
		return [{ path, property }, ...everyOf(inner, path)];
	});
const properties = types.flatMap((type) => everyOf(type.properties, type.displayName));
const ofNodes = types.flatMap((type) =>
	type.properties.map((property) => ({
		path: `${type.displayName} > ${property.displayName}`,
		property,
	})),
);

const choicesOf = ({ type, options = [] }: INodeProperties): INodePropertyOptions[] =>
	type === 'options' || type === 'multiOptions' ? (options as INodePropertyOptions[]) : [];

const expectNone = (entries: Entry[], isWrong: (property: INodeProperties) => unknown) => {
	expect(entries.length).toBeGreaterThan(0);
	expect(entries.filter(({ property }) => isWrong(property)).map(({ path }) => path)).toEqual([]);
};

const codexFiles = Object.entries(projectFiles('nodes/Kudosity', '.node.json')).map(
	([path, text]) => ({ path, codex: JSON.parse(text) }),
);

/** The node categories of n8n's documentation of codex files. */
const categories = [
	...['Data & Storage', 'Finance & Accounting', 'Marketing & Content', 'Productivity'],
	...['Miscellaneous', 'Sales', 'Development', 'Analytics', 'Communication', 'Utility', 'AI'],
];

const sources = Object.entries(projectFiles('nodes', '.ts'));

/** Relative luminance of a color like #1a2b3c, as WCAG defines it. */
const luminance = (color: string): number => {
	const [red = 0, green = 0, blue = 0] = [1, 3, 5]
		.map((place) => parseInt(color.slice(place, place + 2), 16) / 255)
		.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: string, other: string): number => {
	const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
	return (light + 0.05) / (dark + 0.05);
};

describe("n8n's rules for verified nodes", () => {
	it.each(codexFiles)('$path has a category that n8n knows, and no subcategory', ({ codex }) => {
		expect(codex.categories.length).toBeGreaterThan(0);
		expect(categories).toEqual(expect.arrayContaining(codex.categories));
		// `no-ai-codex-category`: only for nodes that are part of an agent.
		expect(codex.categories).not.toContain('AI');
		expect(codex).not.toHaveProperty('subcategories');
	});

	it.each(codexFiles)('$path names its node and its version', ({ path, codex }) => {
		const type = types.find(({ name }) => codex.node.endsWith(`.${name}`))!;
		expect(path.toLowerCase()).toContain(`/${type.name.toLowerCase()}.node.json`);
		const version = type.defaultVersion ?? type.version;
		expect(Number(codex.nodeVersion)).toBe(version);
	});

	it('single-credential-per-node: conditions are lists of literals, without a value in common', () => {
		for (const { credentials = [] } of types) {
			const shown = credentials.map(({ displayOptions }) => displayOptions?.show?.resource ?? []);
			const all = shown.flat();
			expect(new Set(all).size).toBe(all.length);
		}
		const conditions = sources
			.filter(([path]) => path.endsWith('.node.ts'))
			.flatMap(([, text]) => [...text.matchAll(/displayOptions: \{\s*show: \{\s*(.+?)\s*\}/gs)])
			.map(([, condition = '']) => condition);
		expect(conditions).toHaveLength(2);
		for (const condition of conditions) expect(condition).toMatch(/^resource: \[[\s\w',]+\],?$/);
	});

	it('hint-max-length: a hint has 120 characters at most', () => {
		expectNone(properties, ({ hint = '' }) => hint.length > 120);
	});

	it('require-param-default: every property has one', () => {
		expectNone(properties, (property) => property.default === undefined);
	});

	it('no-duplicate-param-options, no-asterisk-in-option-names: choices are told apart, and plain', () => {
		expectNone(properties, (property) => {
			const choices = choicesOf(property);
			const isUnique = (key: 'name' | 'value') =>
				new Set(choices.map((choice) => choice[key])).size === choices.length;
			return (
				!isUnique('name') || !isUnique('value') || choices.some(({ name }) => name.includes('*'))
			);
		});
	});

	it('open-ended-node-fields: no field outside of a collection takes JSON that is optional', () => {
		expectNone(ofNodes, ({ type, required }) => type === 'json' && !required);
	});

	it('non-required-fields-in-collection: outside of one, nothing optional but what an operation is about', () => {
		const apart = ['collection', 'fixedCollection', 'notice', 'hidden'];
		const isOptional = ({ name, type, required }: INodeProperties) =>
			!required && !apart.includes(type) && !['resource', 'operation'].includes(name);
		const optional = ofNodes.map(({ property }) => property).filter(isOptional);
		expect([...new Set(optional.map(({ name }) => name))].sort()).toEqual(
			[
				// Which other fields there are, and n8n's own.
				...['by', 'contentType', 'filter', 'from', 'responseType', 'sendTo', 'target'],
				...['limit', 'output', 'returnAll', 'simplify', 'waitUnit'],
				// What is sent, created or changed.
				...['message', 'subject', 'templateLocale', 'templateParameters'],
				...['fields', 'firstName', 'lastName', 'eventTypes', 'name', 'url'],
				// What is looked at.
				...['defaultCountry', 'endDate', 'number', 'startDate'],
			].sort(),
		);
	});

	it('no-hardcoded-ids: the nodes name no account of anybody', () => {
		const fixed =
			/\b(partner|affiliate|reseller|account|tenant|customer|client)_?id['"]?\s*[:=]\s*['"`]/i;
		expect(sources.filter(([, text]) => fixed.test(text)).map(([path]) => path)).toEqual([]);
	});

	it('no-monorepo: the repository is that of the package', () => {
		expect(packageJson.repository).not.toHaveProperty('directory');
	});

	it.each([
		['icons/kudosity.svg', '#ffffff'],
		['icons/kudosity.dark.svg', '#2b2b2b'],
	])('icon-contrast: %s can be seen on %s', (path, background) => {
		const colors = projectFiles('icons', '.svg')[path]!.match(/#[0-9a-f]{6}\b/gi) ?? [];
		const best = Math.max(...colors.map((color) => contrast(color, background)));
		expect(best).toBeGreaterThan(3);
	});

	it('no-builder-hint-leakage: hints for builders are prose, on the node itself', () => {
		for (const { builderHint, name } of types) {
			expect(builderHint?.searchHint, name).toMatch(/\w{3}/);
			expect(JSON.stringify(builderHint)).not.toMatch(/\{\{|"?ai_\w+|\$json/);
		}
		expectNone(properties, ({ builderHint }) => builderHint);
	});
});
