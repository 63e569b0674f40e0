import { z } from 'zod/v4';
import { RestError, type Session } from './session.ts';

type CredentialData = Record<string, unknown>;

const credentialSchema = z.looseObject({ id: z.string(), name: z.string(), type: z.string() });
const credentialWithDataSchema = credentialSchema.extend({
	/** Secrets are redacted. */
	data: z.record(z.string(), z.unknown()).default({}),
});
const testResultSchema = z.object({ status: z.enum(['OK', 'Error']), message: z.string() });

type Credential = z.infer<typeof credentialSchema>;
type CredentialTestResult = z.infer<typeof testResultSchema>;

type NewCredential = { name: string; type: string; data: CredentialData };

export const credentialCalls = ({ call }: Session) => ({
	createCredential: async (credential: NewCredential): Promise<Credential> =>
		await call('POST', '/credentials', credentialSchema, credential),

	updateCredential: async (id: string, credential: NewCredential): Promise<Credential> =>
		await call('PATCH', `/credentials/${id}`, credentialSchema, credential),

	deleteCredential: async (id: string): Promise<void> => {
		await call('DELETE', `/credentials/${id}`, z.unknown());
	},

	listCredentials: async (): Promise<Credential[]> =>
		await call('GET', '/credentials', z.array(credentialSchema)),

	readCredential: async (id: string) =>
		await call('GET', `/credentials/${id}?includeData=true`, credentialWithDataSchema),

	/** Result of the credential dialog's Test button. n8n 1 only tests stored credentials, so it is stored meanwhile. */
	testCredential: async (type: string, data: CredentialData): Promise<CredentialTestResult> => {
		const draft = { name: 'Under test', type, data };
		const test = async (id: string) =>
			await call('POST', '/credentials/test', testResultSchema, { credentials: { ...draft, id } });
		try {
			return await test('');
		} catch (error) {
			if (!(error instanceof RestError && error.status === 403)) throw error;
		}
		const { id } = await call('POST', '/credentials', credentialSchema, draft);
		try {
			return await test(id);
		} finally {
			await call('DELETE', `/credentials/${id}`, z.unknown());
		}
	},
});
