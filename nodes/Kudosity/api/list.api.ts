import { largestPage, numberedPages } from './numberedPages';
import { paginate } from './pagination';
import { requestJson } from './request';
import { listPageSchema, type ContactList } from './schemas/list.schema';
import type { Transport } from './transport';

export const createListApi = (transport: Transport) => ({
	/** GET /get-lists.json, page by page. */
	iterate: ({ limit = Infinity }: { limit?: number } = {}): AsyncGenerator<ContactList> => {
		const max = Math.min(largestPage, limit);
		const pages = numberedPages(
			async (page) =>
				await requestJson(
					transport,
					{
						connection: 'basic',
						method: 'GET',
						path: '/get-lists.json',
						query: { page, max },
						repeatable: true,
					},
					listPageSchema,
				),
		);
		return paginate({ ...pages, identify: ({ id }) => id }, limit);
	},
});
