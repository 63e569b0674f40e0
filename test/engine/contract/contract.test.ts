import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../helpers/endpoints.ts';
import { askingOperations, workingFields } from '../../helpers/exampleFields.ts';
import { credentialsFor, useEmulator } from '../emulator.ts';
import { exceptions, type Exception } from './exceptions.ts';
import { fullRuns, partialRuns, partsOf } from './fullFields.ts';
import { startRecordingProxy, type Exchange } from './recordingProxy.ts';
import { stillMissing } from './stillMissing.ts';
import { createValidators } from './validators.ts';
import { apis, hasDocuments, operationsOf } from './vendorDocuments.ts';

type Fields = Record<string, unknown>;

const useContract = () => {
	const documented = apis.flatMap(operationsOf);
	const validators = { v1: createValidators('v1'), v2: createValidators('v2') };

	const operationOf = ({ api, method, path }: Exchange) =>
		documented.find(
			(operation) =>
				operation.api === api &&
				operation.method === method &&
				new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
		);

	return {
		documented: documented.map(({ api, method, path }) => `${api} ${method} ${path}`),
		/** What the documents say against a request and its answer. */
		issuesOf: (exchange: Exchange): string[] => {
			const operation = operationOf(exchange);
			if (!operation) return [`${exchange.method} ${exchange.path} is not documented`];
			const { requestIssues, answerIssues } = validators[exchange.api];
			return [...requestIssues(operation, exchange), ...answerIssues(operation, exchange)].map(
				(issue) => `${operation.method} ${operation.path}: ${issue}`,
			);
		},
	};
};

const reason = 'no copy of the vendor’s OpenAPI documents lies beside the repository';

if (!hasDocuments) console.info(`Not checked against the service’s own documents: ${reason}`);

describe.runIf(hasDocuments)('by the service’s own documents', () => {
	const service = useEmulator();
	const contract = hasDocuments ? useContract() : undefined!;
	const recorded = new Map<string, Exchange[]>();
	let proxy: Awaited<ReturnType<typeof startRecordingProxy>>;
	beforeAll(async () => void (proxy = await startRecordingProxy(service.url)));
	afterAll(async () => await proxy.close());

	const issuesOf = (exchanges: Exchange[]) => [...new Set(exchanges.flatMap(contract.issuesOf))];
	const isException = (text: string) => exceptions.some(({ issue }) => issue.test(text));

	/** What goes over the wire; nothing where the node refuses the fields. */
	const exchangesOf = async (name: string, fields: Fields): Promise<Exchange[]> => {
		await service.run(name, fields, { credentials: credentialsFor(proxy.url) });
		return proxy.take();
	};

	const exchangesOfParts = async (name: string, working: Fields, full: Fields) => {
		const exchanges: Exchange[] = [];
		const left = new Set(partsOf(name, full));
		for (const fields of partialRuns(name, working, full)) {
			const sent = await exchangesOf(name, fields);
			if (sent.length > 0) partsOf(name, fields).forEach((part) => left.delete(part));
			exchanges.push(...sent);
		}
		expect([...left], 'fields that no run could use').toEqual([]);
		return exchanges;
	};

	/** All that goes over the wire when everything is asked for that can be. */
	const allExchangesOf = async (name: string, working: Fields): Promise<Exchange[]> => {
		const all = await exchangesOf(name, working);
		for (const full of fullRuns(name, working)) {
			const exchanges = await exchangesOf(name, full);
			const isRefused = exchanges.length === 0;
			all.push(...(isRefused ? await exchangesOfParts(name, working, full) : exchanges));
		}
		return all;
	};

	const record = async (name: string): Promise<Exchange[]> => {
		const known = recorded.get(name);
		if (known) return known;
		const working = await workingFields(
			name,
			async (other, fields) => (await service.run(other, fields)).json,
		);
		const exchanges = await allExchangesOf(name, working);
		recorded.set(name, exchanges);
		return exchanges;
	};

	it.each(Object.keys(askingOperations))(
		'%s asks, and is answered, as documented in all it can be asked for',
		async (name) => {
			const exchanges = await record(name);
			expect(exchanges.map(({ status }) => status)).toContainEqual(
				expect.toBeOneOf([200, 201, 204]),
			);
			expect(
				issuesOf(exchanges).filter((issue) => !isException(issue)),
				'put this right, or say in exceptions.ts why the documents are not followed',
			).toEqual([]);
		},
	);

	it('meets each of the exceptions, which are needed no longer otherwise', async () => {
		const issues: string[] = [];
		for (const name of Object.keys(askingOperations)) {
			if (!recorded.has(name)) await service.reset();
			issues.push(...issuesOf(await record(name)));
		}
		const isMet = ({ issue }: Exception) => issues.some((text) => issue.test(text));
		expect(
			exceptions.filter((exception) => !isMet(exception)).map(({ issue }) => issue),
			'remove these from exceptions.ts',
		).toEqual([]);
	}, 120_000);

	it('has an endpoint for each documented operation but those that are still missing', () => {
		const ours = new Set(
			endpoints.map(
				([, { connection, method, path }]) =>
					`${connection === 'basic' ? 'v1' : 'v2'} ${method} ${path}`,
			),
		);
		expect(contract.documented.filter((operation) => !ours.has(operation))).toEqual(stillMissing);
	});
});
