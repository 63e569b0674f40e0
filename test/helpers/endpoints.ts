import type { Endpoint } from '../seams.ts';
import { projectFiles } from './projectFiles.ts';

const isEndpoint = (value: unknown): value is Endpoint =>
	typeof value === 'object' && value !== null && 'path' in value && 'answer' in value;

const paths = Object.keys(projectFiles('nodes/Kudosity/api/endpoints', '.ts'));
const modules = await Promise.all(
	paths.map(
		async (path) => (await import(/* @vite-ignore */ `../../${path}`)) as Record<string, unknown>,
	),
);

/** Every endpoint of the nodes, with its export name. */
export const endpoints = modules.flatMap((exported) =>
	Object.entries(exported).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1])),
);
