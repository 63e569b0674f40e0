import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { format, resolveConfig } from 'prettier';
import { resources } from '../../nodes/Kudosity/resources/index.ts';

const credentials = ['basic', 'key', 'none'] as const;
type Credential = (typeof credentials)[number];

/** What users' saved workflows depend on: each operation's fields, by the credential that it uses. */
export type Contract = Record<Credential, Record<string, string[]>>;

/** The paths under which values are stored, e.g. `options.messageRef`. */
const pathsOf = (properties: INodeProperties[]): string[] =>
	properties.flatMap(({ name, type, options = [] }) => {
		const within = (paths: string[]) => paths.map((path) => `${name}.${path}`);
		if (type === 'collection') return within(pathsOf(options as INodeProperties[]));
		if (type !== 'fixedCollection') return [name];
		const groups = options as INodePropertyCollection[];
		return groups.flatMap((group) =>
			within(pathsOf(group.values).map((path) => `${group.name}.${path}`)),
		);
	});

const operationsOf = (credential: Credential) =>
	resources
		.filter(({ connection = 'none' }) => connection === credential)
		.flatMap(({ value, operations }) =>
			operations.map((operation) => [
				`${value}/${operation.value}`,
				pathsOf(operation.fields.map(({ property }) => property)).sort(),
			]),
		);

/** The contract as the code has it. */
export const currentContract = (): Contract => ({
	basic: Object.fromEntries(operationsOf('basic').sort()),
	key: Object.fromEntries(operationsOf('key').sort()),
	none: Object.fromEntries(operationsOf('none').sort()),
});

const without = (names: string[], others: string[] = []): string[] =>
	names.filter((name) => !others.includes(name));

/** What `current` lacks of what was promised: operations and fields that were removed or renamed. */
export const missingFrom = (current: Contract, promised: Contract): string[] =>
	credentials.flatMap((credential) =>
		Object.entries(promised[credential] ?? {}).flatMap(([name, paths]) =>
			name in current[credential]
				? without(paths, current[credential][name]).map((path) => `${name} ${path}`)
				: [`${name} (${credential})`],
		),
	);

const contractPath = resolve(import.meta.dirname, 'contract.json');

/**
 * Writes the contract as the code has it.
 *
 * @throws Error once a version is published, when something is gone: saved workflows depend on it
 */
export const writeContract = async (): Promise<void> => {
	const stored = JSON.parse(await readFile(contractPath, 'utf8')) as Contract & {
		/** Whether a version is published. */
		released: boolean;
	};
	const missing = missingFrom(currentContract(), stored);
	if (stored.released && missing.length > 0) {
		throw new Error(`Saved workflows depend on ${missing.join(', ')}`);
	}
	const text = JSON.stringify({ released: stored.released, ...currentContract() });
	const config = await resolveConfig(contractPath);
	await writeFile(contractPath, await format(text, { ...config, parser: 'json' }));
};
