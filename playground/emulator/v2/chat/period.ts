import { problemRefusal } from '../../http/refusal.ts';
import type { Query } from '../../http/routes.ts';

const DAY_MS = 24 * 3_600_000;

export interface Period {
	fromMs: number;
	toMs: number;
}

function customPeriod({ start_date: start, end_date: end }: Query): Period {
	const fromMs = Date.parse(String(start));
	const toMs = Date.parse(String(end));
	const name = Number.isNaN(fromMs) ? 'start_date' : 'end_date';
	if (Number.isNaN(fromMs + toMs)) {
		throw problemRefusal(400, [{ name, message: `${name} is required for custom_date` }]);
	}
	if (toMs < fromMs || toMs - fromMs > 90 * DAY_MS) {
		const message = 'end_date must be at most 90 days after start_date';
		throw problemRefusal(400, [{ name: 'end_date', message }]);
	}
	return { fromMs, toMs };
}

/** The account's time zone is UTC here. */
function lastMonth(now: Date): Period {
	const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
	return { fromMs: Date.UTC(year, month - 1), toMs: Date.UTC(year, month) - 1 };
}

/** The time that `date_range`, `start_date` and `end_date` ask for; a year unless told. */
export function readPeriod(query: Query): Period {
	const now = new Date();
	const back = (days: number) => ({ fromMs: now.getTime() - days * DAY_MS, toMs: now.getTime() });
	switch (query.date_range ?? 'all') {
		case 'last_week':
			return back(7);
		case 'last_thirty':
			return back(30);
		case 'last_month':
			return lastMonth(now);
		case 'all':
			return back(365);
		case 'custom_date':
			return customPeriod(query);
		default: {
			const message =
				'date_range must be one of: last_week, last_thirty, last_month, all, custom_date';
			throw problemRefusal(400, [{ name: 'date_range', message }]);
		}
	}
}
