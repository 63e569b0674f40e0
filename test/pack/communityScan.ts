import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

const builtFilePatterns = ['**/*.js', 'package.json'];

const scan = async (folder: string, patterns: string[]): Promise<string[]> => {
	const { passed, message, details } = await analyzePackage(folder, patterns);
	return passed && message === undefined ? [] : [[message, details].filter(Boolean).join('\n')];
};

/**
 * The scan that n8n runs before it lists a community package, on both things it looks at there.
 * It comes with a TypeScript that typescript-eslint cannot use; ours is the one that its parser finds,
 * since both lie at the top of node_modules.
 */
export const scanSource = async (project: string): Promise<string[]> =>
	await scan(project, SOURCE_FILE_PATTERNS);

export const scanTarball = async (folder: string): Promise<string[]> =>
	await scan(folder, builtFilePatterns);
