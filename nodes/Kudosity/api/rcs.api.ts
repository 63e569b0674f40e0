import { UnexpectedResponseError } from './errors';
import { paginate, type Page } from './pagination';
import type { RcsPeriod } from './rcsPeriod';
import { requestJson } from './request';
import {
	rcsAnswerSchema,
	rcsPageSchema,
	type RcsMessage,
	type RcsPage,
} from './schemas/rcs.schema';
import type { Transport } from './transport';

const collection = '/v2/rcs/messages';

/** The service refuses more on a page. */
const largestPage = 100;

const readPage = ({ data, meta }: RcsPage): Page<RcsMessage, string> => {
	const { next_cursor: cursor, has_next: hasNext } = meta?.pagination ?? {};
	if (hasNext && !cursor) {
		throw new UnexpectedResponseError(200, 'a page that says more follow, without a cursor');
	}
	return { records: data.messages ?? [], next: cursor && hasNext !== false ? [cursor] : [] };
};

export const createRcsApi = (transport: Transport) => ({
	/** GET /v2/rcs/messages/{id}: a message with its status and events. */
	get: async (id: string): Promise<RcsMessage> => {
		const path = `${collection}/${encodeURIComponent(id)}`;
		const request = { connection: 'key', method: 'GET', path, repeatable: true } as const;
		return (await requestJson(transport, request, rcsAnswerSchema)).data;
	},

	/** GET /v2/rcs/messages, newest first, cursor by cursor. */
	iterate: ({
		period,
		limit = Infinity,
	}: {
		period: RcsPeriod;
		limit?: number;
	}): AsyncGenerator<RcsMessage> => {
		const query = { ...period, limit: Math.min(largestPage, limit) };
		const fetchPage = async (cursor: string) =>
			readPage(
				await requestJson(
					transport,
					{
						connection: 'key',
						method: 'GET',
						path: collection,
						query: cursor === '' ? query : { ...query, cursor },
						repeatable: true,
					},
					rcsPageSchema,
				),
			);
		return paginate({ first: '', fetchPage, identify: ({ id }) => id }, limit);
	},
});
