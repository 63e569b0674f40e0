import type { ICredentialTestFunction } from 'n8n-workflow';

/** Creates a credential test whose code is loaded on first use, because n8n loads every installed node at startup. */
export function credentialTest(
	name: 'testBasicCredential' | 'testKeyCredential',
): ICredentialTestFunction {
	return async function (credential) {
		const tests = await import('./credentialTest');
		return await tests[name].call(this, credential);
	};
}
