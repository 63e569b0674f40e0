import { numberedPage, type Rows } from '../http/collection.ts';
import type { V1Call } from './dialect.ts';

export interface V1List<Row> {
	/** Names of the array and of its total in the answer. */
	key: string;
	total: string;
	rows: Rows<Row>;
	newRow?: (index: number) => Row;
}

/** One page of a list: 10 rows unless told, 100 at most. */
export function v1Page<Row>(
	{ state, fields, fault }: V1Call,
	list: V1List<Row>,
	record: (row: Row) => unknown = (row) => row,
) {
	const size = { asked: fields.max, usual: 10, largest: 100 };
	const page = numberedPage({ ...list, page: fields.page, size, fault });
	const isLeftOut = page.rows.length === 0 && state.settings.omitEmptyArrays;
	return {
		page: { count: page.count, number: page.number },
		[list.total]: page.total,
		...(!isLeftOut && { [list.key]: page.rows.map(record) }),
	};
}
