import type { Transport } from './transport';

/** When a request was under way by our clock, and the time that its answer named; milliseconds since the epoch. */
export type Sighting = { beganMs: number; endedMs: number; serviceMs?: number };

export type Span = { fromMs: number; toMs: number };

/** What the service's web server and its database may be apart. */
const slackMs = 1000;

const timeOf = (date: string | undefined): number => (date === undefined ? NaN : Date.parse(date));

/** Notes of each request that passes when that was. */
export const createWitness = (now: () => number) => {
	let latest: Sighting | undefined;
	return {
		watch:
			(transport: Transport): Transport =>
			async (request) => {
				const beganMs = now();
				const result = await transport(request);
				const serviceMs = timeOf(result.kind === 'answer' ? result.headers.date : undefined);
				const told = Number.isNaN(serviceMs) ? {} : { serviceMs };
				latest = { beganMs, endedMs: now(), ...told };
				return result;
			},
		latest: () => latest,
	};
};

export type Witness = ReturnType<typeof createWitness>;

/**
 * The time of a request by the service's clock, which can differ from ours by hours: `answered` tells how
 * much. An answer's date has whole seconds, so the span is that much longer at both ends. None without a date.
 */
export const spanByService = (
	request: Sighting | undefined,
	answered: Sighting | undefined,
): Span | undefined => {
	if (!request || answered?.serviceMs === undefined) return undefined;
	const leastAheadMs = answered.serviceMs - answered.endedMs;
	const mostAheadMs = answered.serviceMs + 1000 - answered.beganMs;
	return {
		fromMs: request.beganMs + leastAheadMs - slackMs,
		toMs: request.endedMs + mostAheadMs + slackMs,
	};
};
