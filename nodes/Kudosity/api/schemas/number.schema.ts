import { z } from 'zod/v4';
import { numberedPageSchema } from '../numberedPages';
import { count, idString } from './common.schema';

/** Which numbers: those the account has leased, or those it could lease. */
export const numberFilters = ['available', 'owned'] as const;
export type NumberFilter = (typeof numberFilters)[number];

/** A virtual number. Those that are available carry only `number` and `price` (a month, account currency). */
export const numberSchema = z.looseObject({ number: idString });
export type VirtualNumber = z.infer<typeof numberSchema>;

/** A page of GET /get-numbers.json; `numbers` can be absent when there are none. */
export const numberPageSchema = numberedPageSchema
	.extend({ numbers: z.array(numberSchema).nullish(), numbers_total: count.optional() })
	.transform(({ page, numbers, numbers_total: total }) => ({
		page,
		records: numbers ?? [],
		total,
	}));
