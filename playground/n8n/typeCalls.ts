import { z } from 'zod/v4';
import type { Session } from './session.ts';

const typeSchema = z.looseObject({ name: z.string(), displayName: z.string() });
const nodeTypeSchema = typeSchema.extend({
	version: z.union([z.number(), z.array(z.number())]),
	/** The editor takes no more of them into one workflow. */
	maxNodes: z.number().optional(),
});
const listSearchSchema = z.looseObject({
	results: z.array(z.looseObject({ name: z.string(), value: z.union([z.string(), z.number()]) })),
	paginationToken: z.unknown().optional(),
});

export type TypeDescription = z.infer<typeof typeSchema>;
export type NodeTypeDescription = z.infer<typeof nodeTypeSchema>;

type ListSearch = {
	/** e.g. `n8n-nodes-kudosity-messaging.kudosity` */
	type: string;
	typeVersion: number;
	method: string;
	/** The parameter the list belongs to. */
	parameter: string;
	parameters: Record<string, unknown>;
	credentials: Record<string, { id: string; name: string }>;
	filter?: string;
	paginationToken?: string;
};

export const typeCalls = ({ call, read }: Session) => ({
	/** Every node type that the editor offers; one with versions may come several times. */
	nodeTypes: async (): Promise<NodeTypeDescription[]> =>
		z.array(nodeTypeSchema).parse(await read('/types/nodes.json')),

	credentialTypes: async (): Promise<TypeDescription[]> =>
		z.array(typeSchema).parse(await read('/types/credentials.json')),

	/** What a "From list" drop-down shows. */
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
