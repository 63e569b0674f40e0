import { v1Routes } from './v1/routes.ts';
import { v2Routes } from './v2/routes.ts';

/** Every operation that the emulator knows, paths as in OpenAPI; v1 takes each by GET and POST. */
export const routes: Array<{ host: 'v1' | 'v2'; method: string; path: string }> = [
	...v1Routes.flatMap(({ path }) =>
		['GET', 'POST'].map((method) => ({ host: 'v1' as const, method, path })),
	),
	...v2Routes.map(({ method, path }) => ({ host: 'v2' as const, method, path })),
];
