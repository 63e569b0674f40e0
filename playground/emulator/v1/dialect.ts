import type { FastifyRequest } from 'fastify';
import { v1Body } from '../http/refusal.ts';
import { textsOf, type Call, type Dialect, type Route } from '../http/routes.ts';
import { numericCheck, type V1Fields } from './values.ts';

export type V1Call = Call<V1Fields>;
export type V1Route = Route<V1Fields>;

/** Form and query count alike. */
const fields = ({ query, body }: FastifyRequest) => ({
	...textsOf(query),
	...(typeof body === 'object' && textsOf(body)),
});

/** Every operation takes GET and POST, and answers with `error.code` SUCCESS when it succeeds. */
export const v1Dialect: Dialect<V1Fields> = {
	methods: () => ['GET', 'POST'],
	fields,
	answer: (result) => ({ ...(numericCheck(result) as object), ...v1Body('SUCCESS', 'OK') }),
};
