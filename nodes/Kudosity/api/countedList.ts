import { z } from 'zod/v4';
import { read, type ListEndpoint } from './endpoint';
import { UnexpectedResponseError } from './errors';
import type { Page } from './pagination';
import { count, recordList } from './schemas/common.schema';

type Declared<Item> = {
	path: string;
	/** The name of the array that holds the records; it can be absent when there are none. */
	records: string;
	record: () => z.ZodType<Item>;
	identify: (item: Item) => string | undefined;
};

type Counted<Item> = {
	records: Item[];
	page?: number;
	limit?: number;
	total_count?: number;
};

const unexpected = (reason: string) => new UnexpectedResponseError(200, reason);

/** The end is where the total is reached; a full page past it says that the total is wrong. */
const readCounted = <Item>(
	{ records, page, limit, total_count: total }: Counted<Item>,
	{ asked, size }: { asked: number; size: number },
): Page<Item, number> => {
	if (page !== undefined && page !== asked) {
		throw unexpected(`page ${page} where page ${asked} was asked for`);
	}
	const perPage = Math.min(size, Math.max(1, limit ?? size));
	const before = (asked - 1) * perPage;
	const seen = before + records.length;
	if (records.length === 0) {
		if (total !== undefined && before < total) {
			throw unexpected(`an empty page ${asked} of a list of ${total}`);
		}
		return { records, next: [], total };
	}
	const isFull = records.length >= perPage;
	const isLast = total === undefined ? !isFull : seen >= total && !(isFull && seen > total);
	return { records, next: isLast ? [] : [asked + 1], total };
};

/** A list of v2 by numbered pages that says how many records there are; `limit` is 100 at the most. */
export const countedList = <Item>({
	path,
	records,
	record,
	identify,
}: Declared<Item>): ListEndpoint<Item, Counted<Item>> => ({
	...read({
		connection: 'key',
		path,
		answer: () => {
			const number = count.nullish().catch(undefined);
			const pagination = z.looseObject({ page: number, limit: number, total_count: number });
			return z
				.looseObject({
					data: z.looseObject({ [records]: recordList(record()) }),
					meta: z.looseObject({ pagination: pagination.nullish() }).nullish(),
				})
				.transform(({ data, meta }): Counted<Item> => {
					const { page, limit, total_count } = meta?.pagination ?? {};
					return {
						records: (data[records] ?? []) as Item[],
						page: page ?? undefined,
						limit: limit ?? undefined,
						total_count: total_count ?? undefined,
					};
				});
		},
	}),
	pages: {
		largestPage: 100,
		ask: (page = 1, limit) => ({ page, limit }),
		read: (answer, asked = 1, size) => readCounted(answer, { asked: asked as number, size }),
		identify,
	},
});
