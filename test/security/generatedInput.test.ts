import { describe, expect, it } from 'vitest';
import { askingOperations } from '../helpers/exampleFields.ts';
import { attackPoints, goodValuesFor, triggerPlaces } from './attackPoints.ts';
import { replyPlaces } from './attackQuestion.ts';
import { createBooks, problemsOf, runHonestly, runWith } from './attackRun.ts';
import { eventPlaces } from './eventPlaces.ts';
import {
	asReplay,
	asText,
	isLong,
	secretsIn,
	timeout,
	useMarkedAccount,
	valuesFor,
	valuesPer,
} from './generatedValues.ts';
import { createHonestRuns } from './honestRuns.ts';

const { service, credentials, addresses, foreignAddresses, count } = useMarkedAccount();
const runs = createHonestRuns(service, credentials);

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
		count('fields of operations', values.length);
		const traffic = await books();
		const problems = problemsOf({ point, honest, paths, batches, traffic });
		const hosts = foreignAddresses();
		const shown = batches.flatMap(({ result: { outputs, hints, run } }) =>
			[outputs, hints, run.data.resultData].map(asText),
		);

		expect([...problems, ...hosts], asReplay([...problems, ...hosts])).toEqual([]);
		expect(addresses.size > 0).toBe(operation in askingOperations);
		const asked = traffic.requests.map(({ path, query, body }) => asText([path, query, body]));
		expect(secretsIn([...shown, ...addresses, ...asked])).toEqual([]);
	});
});
