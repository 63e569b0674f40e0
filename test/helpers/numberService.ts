import type { ApiRequest } from '../seams.ts';
import { json, type Reply } from './fakeTransport.ts';

export const numberAt = (index: number) => 61480000000 + index;

/** The account's first `length` numbers, as the node outputs them. */
export const numbersUpTo = (length: number) =>
	Array.from({ length }, (_, index) => String(numberAt(index)));

type Layout = {
	/** How many numbers there are when request `index` (from 0) arrives. */
	total: (index: number) => number;
	/** Page size limit of the service, whatever the request says. */
	largestPage?: number;
};

/** GET /get-numbers.json for a made-up account. */
export const numberService =
	({ total, largestPage = 100 }: Layout) =>
	({ query = {} }: ApiRequest, index: number): Reply => {
		const size = Math.min(Number(query.max), largestPage);
		const page = Number(query.page);
		const length = total(index);
		const rows = Array.from({ length }, (_, row) => ({ number: numberAt(row), price: 15 }));
		return json({
			page: { count: Math.ceil(length / size), number: page },
			numbers_total: length,
			filter: query.filter,
			numbers: rows.slice((page - 1) * size, page * size),
			error: { code: 'SUCCESS', description: 'OK' },
		});
	};
