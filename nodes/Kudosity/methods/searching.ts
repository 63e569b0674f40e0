import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { Service } from '../api/service';
import { createNodeService } from '../runtime/nodeService';
import { toNodeError } from '../runtime/toNodeError';

export type Option = INodeListSearchResult['results'][number];

type Search = {
	/** What the user typed, without spaces around it, in lower case. */
	wanted: string;
	/** The resource that the panel shows. */
	resource: unknown;
};

/** A list search of n8n out of what finds the options. */
export const searching = (find: (service: Service, search: Search) => Promise<Option[]>) =>
	async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		const search = {
			wanted: filter.trim().toLowerCase(),
			resource: this.getNodeParameter('resource', ''),
		};
		try {
			return { results: await find(createNodeService(this), search) };
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	};
