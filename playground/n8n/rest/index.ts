import { z } from 'zod/v4';
import { credentialCalls } from './credentials.ts';
import { dataTableCalls } from './dataTables.ts';
import { executionCalls } from './executions.ts';
import { type Cookies, createSession, type Session } from './session.ts';
import { workflowCalls } from './workflows.ts';

type Owner = { email: string; password: string; firstName: string; lastName: string };

/** The playground's login, printed by `npm start`. */
export const playgroundOwner: Owner = {
	email: 'owner@playground.example',
	password: 'Playground1',
	firstName: 'Playground',
	lastName: 'Owner',
};

const settingsSchema = z.looseObject({
	userManagement: z.looseObject({ showSetupOnFirstLoad: z.boolean().optional() }),
});

const ownerCalls = ({ call }: Session) => {
	const login = async ({ email, password }: Owner = playgroundOwner): Promise<void> => {
		await call('POST', '/login', z.unknown(), { emailOrLdapLoginId: email, password });
	};

	return {
		login,
		/** Creates the owner of a new instance, or logs in if there is one. */
		signIn: async (owner: Owner = playgroundOwner): Promise<void> => {
			const settings = await call('GET', '/settings', settingsSchema);
			if (settings.userManagement.showSetupOnFirstLoad) {
				await call('POST', '/owner/setup', z.unknown(), owner);
			}
			await login(owner);
		},
	};
};

const typeSchema = z.looseObject({ name: z.string(), displayName: z.string() });
const nodeTypeSchema = typeSchema.extend({
	version: z.union([z.number(), z.array(z.number())]),
	/** The editor's limit per workflow. */
	maxNodes: z.number().optional(),
});
const listSearchSchema = z.looseObject({
	results: z.array(z.looseObject({ name: z.string(), value: z.union([z.string(), z.number()]) })),
	paginationToken: z.unknown().optional(),
});

type TypeDescription = z.infer<typeof typeSchema>;
type NodeTypeDescription = z.infer<typeof nodeTypeSchema>;

type ListSearch = {
	/** e.g. `n8n-nodes-kudosity-messaging.kudosity` */
	type: string;
	typeVersion: number;
	method: string;
	/** The parameter that the list belongs to. */
	parameter: string;
	parameters: Record<string, unknown>;
	credentials: Record<string, { id: string; name: string }>;
	filter?: string;
	paginationToken?: string;
};

const typeCalls = ({ call, read }: Session) => ({
	/** Every node type in the editor. A type with versions may appear several times. */
	nodeTypes: async (): Promise<NodeTypeDescription[]> =>
		z.array(nodeTypeSchema).parse(await read('/types/nodes.json')),

	credentialTypes: async (): Promise<TypeDescription[]> =>
		z.array(typeSchema).parse(await read('/types/credentials.json')),

	/** The entries of a "From list" drop-down. */
	searchList: async (search: ListSearch): Promise<z.infer<typeof listSearchSchema>> =>
		await call('POST', '/dynamic-node-parameters/resource-locator-results', listSearchSchema, {
			path: `parameters.${search.parameter}`,
			nodeTypeAndVersion: { name: search.type, version: search.typeVersion },
			methodName: search.method,
			currentNodeParameters: search.parameters,
			credentials: search.credentials,
			filter: search.filter,
			paginationToken: search.paginationToken,
		}),
});

/**
 * The REST interface of n8n's editor, for n8n 1.123 and 2.x. Log in first, or pass the cookies of a logged-in
 * session: n8n allows five logins per minute.
 */
export const createRest = (url: string, cookies: Cookies = new Map()) => {
	const session = createSession(url, cookies);
	return {
		cookies,
		...ownerCalls(session),
		...credentialCalls(session),
		...workflowCalls(session),
		...executionCalls(session),
		...typeCalls(session),
		...dataTableCalls(session),
	};
};

export type Rest = ReturnType<typeof createRest>;
