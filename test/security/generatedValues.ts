import { afterAll, beforeEach, expect } from 'vitest';
import { axios } from '../engine/engineModules.ts';
import { installDeduplicationStore } from '../engine/harness.ts';
import { skipPauses } from '../engine/pauses.ts';
import { useWaitingN8n } from '../engine/waitingN8n.ts';
import { campaign, createRandom, formatTable } from '../faults/campaign.ts';
import { listenToLog } from './engineLog.ts';
import { hostileValue } from './hostileValues.ts';
import { secretForms, secretMarks } from './marks.ts';

/** `KUDOSITY_SEED=7` replays the values, `KUDOSITY_HOSTILE=long` tries 60,000. */
export const isLong = process.env.KUDOSITY_HOSTILE === 'long';
export const valuesPer = isLong
	? { field: 85, eventField: 60, triggerField: 85, replyField: 30 }
	: { field: 7, eventField: 7, triggerField: 7, replyField: 7 };
export const { seed } = campaign;
export const timeout = isLong ? 900_000 : 60_000;

/** A random generator of its own for each place, so that one can be replayed alone. */
export const randomFor = (place: string) =>
	createRandom([...place].reduce((hash, sign) => Math.imul(hash, 31) + sign.charCodeAt(0), seed));

export const valuesFor = (
	place: string,
	count: number,
	target: Parameters<typeof hostileValue>[1],
) => {
	const random = randomFor(place);
	return Array.from({ length: count }, () => hostileValue(random, target));
};

/** The message of a failure: how to run it again, and what was found, which a report in JSON has nowhere else. */
export const asReplay = (problems: string[]): string =>
	`KUDOSITY_SEED=${seed} ${problems.slice(0, 5).join('; ')}`;

export const asText = (value: unknown): string =>
	JSON.stringify(value, (_, inner: unknown) =>
		typeof inner === 'bigint' ? String(inner) : inner,
	) ?? '';

export const secretsIn = (texts: string[]): string[] =>
	secretForms().filter((secret) => texts.some((text) => text.includes(secret)));

/**
 * An account whose secrets can be recognized, and records of where requests went and of what n8n logged. After each
 * test, the log has no secret and `Object` is as it was.
 */
export const useMarkedAccount = () => {
	skipPauses();
	const { apiKey, apiSecret } = secretMarks;
	const n8n = useWaitingN8n({ accounts: [{ id: 'marked', apiKey, apiSecret }] });
	const { service } = n8n;
	const credentials = () => ({
		kudosityBasicApi: { apiKey, apiSecret, baseUrl: service.url },
		kudosityKeyApi: { apiKey, baseUrl: service.url },
	});

	/** Where requests went, whoever answered them. */
	const addresses = new Set<string>();
	const interceptor = axios.interceptors.request.use((config) => {
		const { baseURL = '', url = '' } = config as { baseURL?: string; url?: string };
		addresses.add(URL.canParse(url) ? url : `${baseURL}${url}`);
		return config;
	});
	afterAll(() => axios.interceptors.request.eject(interceptor));

	const logged = listenToLog();
	beforeEach(async () => {
		await installDeduplicationStore().install();
		addresses.clear();
		logged.length = 0;
		return () => {
			expect({}).not.toHaveProperty('polluted');
			expect(Object.keys(Object.prototype)).toEqual([]);
			expect(secretsIn(logged)).toEqual([]);
		};
	});

	const tried = new Map<string, number>();
	afterAll(() => {
		const rows = [...tried].map(([of, values]) => ({ of, values }));
		console.log(formatTable(`Hostile values, seed ${seed}`, rows));
	});

	return {
		n8n,
		service,
		credentials,
		addresses,
		logged,
		/** Requests that did not go to the service. */
		foreignAddresses: (): string[] =>
			[...addresses].filter((address) => new URL(address).origin !== service.url),
		/** Counts the values that were tried, for the table at the end. */
		count: (of: string, values: number) => tried.set(of, (tried.get(of) ?? 0) + values),
	};
};
