import type { Call, Dialect, Route } from '../http/routes.ts';
import { fieldsOf, type Fields } from './body.ts';

export type V2Call = Call<Fields>;
export type V2Route = Route<Fields>;

export const v2Dialect: Dialect<Fields> = {
	methods: ({ method }) => [method],
	fields: ({ body }) => fieldsOf(body),
	answer: (result) => result,
};
