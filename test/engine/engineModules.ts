import { createRequire } from 'node:module';
import { join } from 'node:path';

type Interceptors<Value> = {
	use(onValue: (value: Value) => Value, onError?: (error: unknown) => never): number;
	eject(id: number): void;
};
type Axios = { interceptors: { request: Interceptors<object>; response: Interceptors<unknown> } };

/** As a package in the project's folder requires: one copy of n8n's modules for the engine and for the built nodes. */
export const require = createRequire(join(import.meta.dirname, '../../package.json'));

/** What n8n's engine sends requests with. */
export const axios: Axios = createRequire(require.resolve('@n8n/backend-network'))('axios');

const builtNodes = join(import.meta.dirname, '../../dist/');

/** The nodes load their code anew with the next run, and so have none of the memory of their process. */
export const forgetBuiltNodes = (): void => {
	for (const file of Object.keys(require.cache)) {
		if (file.startsWith(builtNodes)) delete require.cache[file];
	}
};
