import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { axios } from '../engine/engineModules.ts';
import { installDeduplicationStore } from '../engine/harness.ts';
import { skipPauses } from '../engine/pauses.ts';
import { createTrigger, tokenOf } from '../engine/triggerNode.ts';
import { useWaitingN8n } from '../engine/waitingN8n.ts';
import { campaign, createRandom, formatTable } from '../faults/campaign.ts';
import { sampleNames } from '../fixtures/events/index.ts';
import { askingOperations } from '../helpers/exampleFields.ts';
import { attackPoints, goodTriggerFields, goodValuesFor, triggerPlaces } from './attackPoints.ts';
import { createQuestions, replyPlaces } from './attackQuestion.ts';
import { createBooks, problemsOf, runHonestly, runWith } from './attackRun.ts';
import { createTriggerRuns, problemsOfLife } from './attackTrigger.ts';
import { eventPlaces, eventWith, valueAt } from './eventPlaces.ts';
import { asParsedJson, hostileValue } from './hostileValues.ts';
import { createHonestRuns } from './honestRuns.ts';
import { listenToLog } from './engineLog.ts';
import { secretForms, secretMarks } from './marks.ts';
import { problemsOfItem } from './plainItem.ts';

/** `KUDOSITY_SEED=7` replays the values, `KUDOSITY_HOSTILE=long` tries 60,000. */
const isLong = process.env.KUDOSITY_HOSTILE === 'long';
const valuesPer = isLong
	? { field: 85, eventField: 60, triggerField: 85, replyField: 30 }
	: { field: 7, eventField: 7, triggerField: 7, replyField: 7 };
const { seed } = campaign;
const timeout = isLong ? 900_000 : 60_000;

skipPauses();

const { apiKey, apiSecret } = secretMarks;
const n8n = useWaitingN8n({ accounts: [{ id: 'marked', apiKey, apiSecret }] });
const { service } = n8n;
const credentials = () => ({
	kudosityBasicApi: { apiKey, apiSecret, baseUrl: service.url },
	kudosityKeyApi: { apiKey, baseUrl: service.url },
});
const runs = createHonestRuns(service, credentials);

/** Where requests went, whoever answered them. */
const addresses = new Set<string>();
const interceptor = axios.interceptors.request.use((config) => {
	const { baseURL = '', url = '' } = config as { baseURL?: string; url?: string };
	addresses.add(URL.canParse(url) ? url : `${baseURL}${url}`);
	return config;
});
afterAll(() => axios.interceptors.request.eject(interceptor));

const logged = listenToLog();
const tried = { operations: 0, events: 0, 'trigger fields': 0, replies: 0 };

/** A random generator of its own for each place, so that one can be replayed alone. */
const randomFor = (place: string) =>
	createRandom([...place].reduce((hash, sign) => Math.imul(hash, 31) + sign.charCodeAt(0), seed));

const valuesFor = (place: string, count: number, target: Parameters<typeof hostileValue>[1]) => {
	const random = randomFor(place);
	return Array.from({ length: count }, () => hostileValue(random, target));
};

const asText = (value: unknown): string =>
	JSON.stringify(value, (_, inner: unknown) =>
		typeof inner === 'bigint' ? String(inner) : inner,
	) ?? '';

/** Requests that did not go to the service. */
const foreignAddresses = (): string[] =>
	[...addresses].filter((address) => new URL(address).origin !== service.url);

const secretsIn = (texts: string[]): string[] =>
	secretForms().filter((secret) => texts.some((text) => text.includes(secret)));

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

afterAll(() => {
	const rows = Object.entries(tried).map(([of, values]) => ({ of, values }));
	const total = rows.reduce((sum, { values }) => sum + values, 0);
	console.log(formatTable(`Hostile values, seed ${seed}`, [...rows, { of: 'all', values: total }]));
});

it('are as many values as were promised', () => {
	const operations = attackPoints.length * valuesPer.field;
	const events = eventPlaces.length * valuesPer.eventField;
	const triggerFields = triggerPlaces.length * valuesPer.triggerField;
	const replies = replyPlaces.length * valuesPer.replyField;
	expect(operations + events + triggerFields + replies).toBeGreaterThanOrEqual(
		isLong ? 60_000 : 6_500,
	);
});

describe('a generated value', () => {
	const points = attackPoints.map((point) => [point.operation, point.place, point] as const);

	it.each(points)('does no harm in %s, field %s', { timeout }, async (operation, place, point) => {
		const good = await runs.goodFields(operation);
		const books = createBooks(service);
		await books();
		await runHonestly(runs, point, good);
		const honest = await books();
		const paths = runs.pathsOf(operation, good, honest.requests);
		const [example] = goodValuesFor(point.property);
		const target = { good: good[point.property.name] ?? example, keys: point.keys };
		const values = valuesFor(`${operation} ${place}`, valuesPer.field, target);

		const batches = await runWith(runs, point, { good, values });
		tried.operations += values.length;
		const traffic = await books();
		const problems = problemsOf({ point, honest, paths, batches, traffic });
		const hosts = foreignAddresses();
		const shown = batches.flatMap(({ result: { outputs, hints, run } }) =>
			[outputs, hints, run.data.resultData].map(asText),
		);

		expect({ problems, hosts }, `KUDOSITY_SEED=${seed}`).toEqual({ problems: [], hosts: [] });
		expect(addresses.size > 0).toBe(operation in askingOperations);
		const asked = traffic.requests.map(({ path, query, body }) => asText([path, query, body]));
		expect(secretsIn([...shown, ...addresses, ...asked])).toEqual([]);
	});
});

describe('an event', () => {
	it.each(eventPlaces)(
		'with a generated value is a plain item: %s, %s',
		{ timeout },
		async (sample, path) => {
			const random = randomFor(`${sample} ${path}`);
			const parameters = {
				events: Object.keys(sampleNames),
				simplify: random.chance(0.7),
				options: { outputs: random.pick(['single', 'byEvent']) },
			};
			const trigger = await createTrigger({ credentials: credentials(), parameters });
			await trigger.activate();
			const [webhook] = await service.control.webhooks();
			const token = tokenOf(webhook?.url) ?? '';
			const target = { good: valueAt(sample, path), keys: ['event_type', 'mo', 'status'] };
			const problems: string[] = [];
			for (let count = 0; count < valuesPer.eventField; count++) {
				const value = asParsedJson(hostileValue(random, target));
				const body = eventWith(sample, path, value, { webhook_id: webhook?.id });
				const { status, started, outputs } = await trigger.receive({ body, query: { token } });
				tried.events += 1;
				const items = outputs.flat();
				if (status >= 500 || status < 200) problems.push(`answers ${status}`);
				if (started !== (items.length === 1)) problems.push(`has ${items.length} items`);
				problems.push(...items.flatMap(problemsOfItem));
				const shown = asText([items, trigger.warnings]);
				if (shown.includes(token) || secretsIn([shown]).length > 0) problems.push('shows a secret');
			}

			expect([...new Set(problems)], `KUDOSITY_SEED=${seed}`).toEqual([]);
		},
	);
});

describe('a trigger', () => {
	const places = triggerPlaces.map((place) => [place.place, place] as const);

	it.each(places)(
		'with a generated value is published as any other, or refused: %s',
		{ timeout },
		async (name, place) => {
			const { property, keys } = place;
			const good = goodTriggerFields(randomFor(`trigger ${name}`));
			const { runHonestly, runWith } = createTriggerRuns(service, credentials(), { place, good });
			const honest = await runHonestly();
			expect(honest.flatMap((life) => life.error ?? [])).toEqual([]);
			const token = tokenOf(honest[0]?.webhooks[0]?.url) ?? '';
			const target = { good: good[property.name] ?? goodValuesFor(property)[0], keys };
			const problems: string[] = [];
			for (const value of valuesFor(`trigger ${name}`, valuesPer.triggerField, target)) {
				const life = await runWith(value);
				tried['trigger fields'] += 1;
				const { error, delivered, warnings, requests } = life;
				const shown = [asText([error, delivered, warnings]), `${error?.stack}`, ...addresses];
				const isTokenShown = [...shown, ...logged].some((text) => text.includes(token));
				const secrets = secretsIn([...shown, asText(requests)]);
				problems.push(...problemsOfLife(life, honest, value));
				if (isTokenShown || secrets.length > 0) problems.push('shows a secret');
			}

			const found = { problems: [...new Set(problems)], hosts: foreignAddresses() };
			expect(found, `KUDOSITY_SEED=${seed}`).toEqual({ problems: [], hosts: [] });
		},
	);
});

describe('a reply', () => {
	it.each(replyPlaces)(
		'with a generated value is an answer, or leaves the question open: %s, %s',
		{ timeout },
		async (sample, path) => {
			const place = `reply ${sample} ${path}`;
			const random = randomFor(`question for ${place}`);
			const questions = { sample, random, credentials: credentials() };
			const { deliver, end } = await createQuestions(n8n, questions);
			const target = { good: valueAt(sample, path), keys: ['event_type', 'mo', 'opt_out'] };
			const found: string[] = [];
			for (const value of valuesFor(place, valuesPer.replyField, target)) {
				const { item, problems } = await deliver(path, asParsedJson(value));
				tried.replies += 1;
				found.push(...problems);
				if (secretsIn([asText(item)]).length > 0) found.push('shows a secret');
			}

			expect([...new Set(found)], `KUDOSITY_SEED=${seed}`).toEqual([]);
			expect(await end()).toMatchObject({ json: { replied: true, text: 'Yes' }, others: [] });
		},
	);
});
