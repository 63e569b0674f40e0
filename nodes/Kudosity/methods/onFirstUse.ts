import type { ICredentialTestFunction } from 'n8n-workflow';

/** A credential test that is loaded on first use, because n8n loads every installed node when it starts. */
export const credentialTest = (
	name: 'testBasicCredential' | 'testKeyCredential',
): ICredentialTestFunction =>
	async function (credential) {
		const tests = await import('./credentialTest');
		return await tests[name].call(this, credential);
	};
