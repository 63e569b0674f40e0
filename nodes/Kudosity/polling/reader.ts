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

/** Time after which a poll begins nothing that the next poll can do. */
const readingMs = 15_000;

/** Time after which a poll's requests are stopped. n8n polls every minute at most, so polls rarely overlap. */
const maxPollMs = 25_000;

/** One repeat is enough, because the next poll is the better second try. */
const policy: RetryPolicy = {
	maxRepeats: 1,
	firstPauseMs: 500,
	maxPauseMs: 2_000,
	maxTotalMs: 10_000,
	maxRetryAfterMs: 2_000,
};

/** Limit of the pause that Kudosity can ask for. */
const maxQuietMs = hourMs;

/** Fields of the node and requests of one poll. */
export type Reader = {
	service: Service;
	events: PolledEvent[];
	/** The account's numbers and names to watch; all of them if there are none. */
	senders: string[];
	simplify: boolean;
	statusDays: number;
	/** Whether the poll has used its time, so the next one reads the rest. */
	isOver: () => boolean;
	/** Kudosity's time of its latest answer, less the time that the request took. */
	serviceNowMs: () => number;
	/** Asks Kudosity for its time. */
	askTime: () => Promise<number>;
	/** How long Kudosity asks to be left alone. */
	quietMs: () => number;
};

/** A reader serves one poll, because n8n reads the credential once for each context that we make. */
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
		// The answer does not have a message that arrived while it was on its way.
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
