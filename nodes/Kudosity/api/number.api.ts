import { largestPage, numberedPages } from './numberedPages';
import { paginate } from './pagination';
import { requestJson } from './request';
import { numberPageSchema, type NumberFilter, type VirtualNumber } from './schemas/number.schema';
import type { Transport } from './transport';

export type NumbersWanted = { filter: NumberFilter; limit?: number };

export const createNumberApi = (transport: Transport) => ({
	/** GET /get-numbers.json, page by page. */
	iterate: ({ filter, limit = Infinity }: NumbersWanted): AsyncGenerator<VirtualNumber> => {
		const max = Math.min(largestPage, limit);
		const pages = numberedPages(
			async (page) =>
				await requestJson(
					transport,
					{
						connection: 'basic',
						method: 'GET',
						path: '/get-numbers.json',
						query: { filter, page, max },
						repeatable: true,
					},
					numberPageSchema,
				),
		);
		return paginate({ ...pages, identify: ({ number }) => number }, limit);
	},
});
