import { describe, expect, it } from 'vitest';
import { createTrigger, tokenOf } from '../engine/triggerNode.ts';
import { sampleNames } from '../fixtures/events/index.ts';
import { goodTriggerFields, goodValuesFor, triggerPlaces } from './attackPoints.ts';
import { createQuestions, replyPlaces } from './attackQuestion.ts';
import { createTriggerRuns, problemsOfLife } from './attackTrigger.ts';
import { eventPlaces, eventWith, valueAt } from './eventPlaces.ts';
import {
	asReplay,
	asText,
	randomFor,
	secretsIn,
	timeout,
	useMarkedAccount,
	valuesFor,
	valuesPer,
} from './generatedValues.ts';
import { asParsedJson, hostileValue } from './hostileValues.ts';
import { problemsOfItem } from './plainItem.ts';

const { n8n, service, credentials, addresses, logged, foreignAddresses, count } =
	useMarkedAccount();

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
			for (let index = 0; index < valuesPer.eventField; index++) {
				const value = asParsedJson(hostileValue(random, target));
				const body = eventWith(sample, path, value, { webhook_id: webhook?.id });
				const { status, started, outputs } = await trigger.receive({ body, query: { token } });
				count('events', 1);
				const items = outputs.flat();
				if (status >= 500 || status < 200) problems.push(`answers ${status}`);
				if (started !== (items.length === 1)) problems.push(`has ${items.length} items`);
				problems.push(...items.flatMap(problemsOfItem));
				const shown = asText([items, trigger.warnings]);
				if (shown.includes(token) || secretsIn([shown]).length > 0) problems.push('shows a secret');
			}

			expect([...new Set(problems)], asReplay(problems)).toEqual([]);
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
				count('trigger fields', 1);
				const { error, delivered, warnings, requests } = life;
				const shown = [asText([error, delivered, warnings]), `${error?.stack}`, ...addresses];
				const isTokenShown = [...shown, ...logged].some((text) => text.includes(token));
				const secrets = secretsIn([...shown, asText(requests)]);
				problems.push(...problemsOfLife(life, honest, value));
				if (isTokenShown || secrets.length > 0) problems.push('shows a secret');
			}

			const found = [...new Set(problems), ...foreignAddresses()];
			expect(found, asReplay(found)).toEqual([]);
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
				count('replies', 1);
				found.push(...problems);
				if (secretsIn([asText(item)]).length > 0) found.push('shows a secret');
			}

			expect([...new Set(found)], asReplay(found)).toEqual([]);
			expect(await end()).toMatchObject({ json: { replied: true, text: 'Yes' }, others: [] });
		},
	);
});
