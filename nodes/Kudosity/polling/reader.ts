import type { IPollFunctions } from 'n8n-workflow';
import { getSmses } from '../api/endpoints/sms';
import { readRetryAfter, type RetryPolicy } from '../api/retry';
import { createService, type Service } from '../api/service';
import type { Transport } from '../api/transport';
import { readFields } from '../fields/field';
import { loadPhones } from '../fields/phone/phones';
import { hourMs } from '../lib/time';
import { createNodeClock } from '../n8n/clock';
import { defaultCountryOf } from '../n8n/credentials';
import { createTransports, withSignal } from '../n8n/transport';
import { fields, type PolledEvent } from './fields';

/** Time after which a poll starts no more work that it can leave to the next poll. */
const readingMs = 15_000;

/** Time after which a poll's requests are aborted. n8n polls at most once a minute, so polls rarely overlap. */
const maxPollMs = 25_000;

/** One retry is enough: after that, it is better to wait for the next poll. */
const policy: RetryPolicy = {
	maxRepeats: 1,
	firstPauseMs: 500,
	maxPauseMs: 2_000,
	maxTotalMs: 10_000,
	maxRetryAfterMs: 2_000,
};

/**
 * The longest pause after Kudosity asks us to send no requests. If Kudosity asks for more, the pause is still this
 * long.
 */
const maxQuietMs = hourMs;

/** What one poll works with: the service, the node's settings, the poll's time limit, and Kudosity's clock. */
export type Reader = {
	service: Service;
	events: PolledEvent[];
	/** The account's numbers and sender names to watch. If the list is empty, all are watched. */
	senders: string[];
	simplify: boolean;
	statusDays: number;
	/** Whether the poll's time is used up. The next poll reads the rest. */
	isOver: () => boolean;
	/** Kudosity's time at its latest response, minus the request's duration. NaN before the first response. */
	serviceNowMs: () => number;
	askTime: () => Promise<number>;
	/** How long Kudosity asked us to send no requests; 0 if it didn't. */
	quietMs: () => number;
};

/**
 * Creates the reader for one poll. Each poll needs its own, because a reader has a time limit and reads the credential
 * only once.
 */
export async function createReader(outer: IPollFunctions): Promise<Reader> {
	const signal = AbortSignal.timeout(maxPollMs);
	const context = withSignal(outer, signal) as IPollFunctions;
	const clock = createNodeClock(signal);
	const startedMs = clock.now();
	const paced = createTransports(context, clock, { policy })();
	let serviceNowMs = NaN;
	let quietMs = 0;
	const transport: Transport = async (request) => {
		const result = await paced(request);
		if (result.kind === 'noAnswer') return result;
		const { beganMs, endedMs, serviceMs = clock.calendarNow() } = result.timing!;
		// The request's duration is subtracted, because the response may lack messages that arrived during the request.
		serviceNowMs = serviceMs - (endedMs - beganMs);
		if (result.status === 429) {
			const asked = readRetryAfter(result.headers['retry-after'], clock.calendarNow());
			quietMs = Math.min(asked ?? 0, maxQuietMs);
		}
		return result;
	};
	const service = createService(transport);
	const values = fields.map(({ property: { name } }) => [name, outer.getNodeParameter(name)]);
	const { events, simplify, filters, options } = readFields(fields, Object.fromEntries(values), {
		timeZone: outer.getTimezone(),
		phones: await loadPhones(),
		defaultCountry: await defaultCountryOf(context, 'key'),
	});
	return {
		service,
		events,
		senders: filters.sender ?? [],
		simplify: simplify ?? true,
		statusDays: options.statusDays ?? 2,
		isOver: () => clock.now() - startedMs > readingMs,
		serviceNowMs: () => serviceNowMs,
		askTime: async () => {
			await service.call(getSmses, { limit: 1 });
			return serviceNowMs;
		},
		quietMs: () => quietMs,
	};
}
