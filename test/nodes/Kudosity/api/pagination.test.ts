import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createService, endpoints, type Transport } from '../../../seams.ts';
import { fakeClock } from '../../../helpers/fakeClock.ts';
import { answering, fakeTransport, json, noAnswer } from '../../../helpers/fakeTransport.ts';
import { numberAt, numberService, numbersUpTo } from '../../../helpers/numberService.ts';

const readNumbers = async (transport: Transport, limit?: number) => {
	const numbers: unknown[] = [];
	const records = createService(transport).list(endpoints.getNumbers, { filter: 'owned' }, limit);
	for await (const { number } of records) numbers.push(number);
	return numbers;
};

const account = (length: number, largestPage?: number) =>
	fakeTransport(numberService({ total: () => length, largestPage }));

const page = (count: number, number: number, numbers?: number[]) =>
	json({
		page: { count, number },
		...(numbers && { numbers: numbers.map((value) => ({ number: value })) }),
	});

const pageNumbers = (requests: Array<{ query?: object }>) =>
	requests.map(({ query }) => (query as { page: number }).page);

describe('a list that misbehaves', () => {
	it('is refused when every page is the first page', async () => {
		const first = numberService({ total: () => 300 });
		const service = fakeTransport((request, index) =>
			first({ ...request, query: { ...request.query, page: 1 } }, index),
		);

		await expect(readNumbers(service.transport)).rejects.toThrow('page 1 instead of page 2');
		expect(service.requests.length).toBeLessThanOrEqual(4);
	});

	it('is refused when a page repeats its content under another number', async () => {
		const { transport } = fakeTransport(({ query }) => page(3, Number(query?.page), [1, 2]));

		await expect(readNumbers(transport)).rejects.toThrow('the same page again');
	});

	it.each([
		['is empty', []],
		['lacks its records', undefined],
	])('is refused when a page before the last one %s', async (_, numbers) => {
		const { transport } = answering(page(3, 1, [1]), page(3, 2, numbers), page(3, 3, [3]));

		await expect(readNumbers(transport)).rejects.toThrow('an empty page 2 of 3');
	});

	it('passes on that a later page got no answer', async () => {
		const { transport } = fakeTransport(({ query }) =>
			query?.page === 3 ? noAnswer() : page(9, Number(query?.page), [Number(query?.page)]),
		);

		await expect(readNumbers(transport)).rejects.toMatchObject({ name: 'NoAnswerError' });
	});

	it.each([
		['without page', { numbers: [] }],
		['whose page is text', { page: 'one', numbers: [] }],
		['whose records are no records', { page: { count: 1, number: 1 }, numbers: [1] }],
	])('is refused when it answers with a body %s', async (_, body) => {
		const { transport } = answering(json(body));

		await expect(readNumbers(transport)).rejects.toThrow('JSON in an unexpected format');
	});
});

describe('an empty account', () => {
	it.each([
		['no pages', page(0, 1, [])],
		['no pages, not even a first', page(0, 0, [])],
		['one page', page(1, 1, [])],
		['one page without the list itself', page(1, 1)],
		['null instead of a list', json({ page: { count: 0, number: 1 }, numbers: null })],
	])('has no records and costs one request when it answers with %s', async (_, answer) => {
		const service = answering(answer);

		expect(await readNumbers(service.transport)).toEqual([]);
		expect(service.requests).toHaveLength(1);
	});
});

describe('the cost of a list', () => {
	it.each([
		{ records: 2000, limit: undefined, requests: 20 },
		{ records: 1, limit: undefined, requests: 1 },
		{ records: 100, limit: undefined, requests: 1 },
		{ records: 101, limit: undefined, requests: 2 },
		{ records: 2000, limit: 50, requests: 1 },
		{ records: 2000, limit: 100, requests: 1 },
		{ records: 2000, limit: 150, requests: 2 },
		{ records: 2000, limit: 401, requests: 5 },
		{ records: 120, limit: 150, requests: 2 },
	])('is $requests requests for limit $limit of $records', async ({ records, limit, requests }) => {
		const service = account(records);

		expect(await readNumbers(service.transport, limit)).toEqual(
			numbersUpTo(Math.min(records, limit ?? records)),
		);
		expect(service.requests).toHaveLength(requests);
	});

	it('asks for pages of 100, or of the limit when that is less', async () => {
		const [large, small] = [account(300), account(300)];
		await readNumbers(large.transport, 150);
		await readNumbers(small.transport, 7);

		expect(large.requests.map(({ query }) => query?.max)).toEqual([100, 100]);
		expect(small.requests.map(({ query }) => query?.max)).toEqual([7]);
	});

	it('is one request for each page that the service gives when it ignores the size', async () => {
		const service = account(55, 10);

		expect(await readNumbers(service.transport, 50)).toEqual(numbersUpTo(50));
		expect(service.requests).toHaveLength(5);
	});

	it('is no further request once the reader stops', async () => {
		const service = account(2000);
		for await (const { number } of createService(service.transport).list(endpoints.getNumbers, {
			filter: 'owned',
		})) {
			if (number === String(numberAt(99))) break;
		}

		expect(service.requests).toHaveLength(1);
	});

	it('overlaps at most four requests and keeps the order', async () => {
		const clock = fakeClock();
		let inFlight = 0;
		let most = 0;
		const answer = numberService({ total: () => 2000 });
		const service = fakeTransport(async (request, index) => {
			most = Math.max(most, ++inFlight);
			// Later pages answer sooner.
			await clock.sleep(500 - index);
			inFlight--;
			return answer(request, index);
		});

		expect(await readNumbers(service.transport)).toEqual(numbersUpTo(2000));
		expect(most).toBe(4);
		expect(clock.now()).toBeLessThan(6 * 500);
	});
});

describe('a list that changes while it is read', () => {
	it('is read to its new end when it grows', async () => {
		const service = fakeTransport(
			numberService({ total: (index) => (index === 0 ? 195 : 320), largestPage: 100 }),
		);

		expect(await readNumbers(service.transport)).toEqual(numbersUpTo(320));
		expect(service.requests).toHaveLength(4);
	});

	it('gives a record once that slid onto the next page', async () => {
		const { transport } = answering(page(2, 1, [1, 2, 3]), page(2, 2, [3, 4, 5]));

		expect(await readNumbers(transport)).toEqual(['1', '2', '3', '4', '5']);
	});

	/** The numbers of an account, newest first: `arrived` says how many have come since the first request. */
	const newestFirst = (arrived: (index: number) => number) => {
		const totalAt = (index: number) => 300 + arrived(index);
		return fakeTransport(({ query }, index) => {
			const last = totalAt(index) - (Number(query?.page) - 1) * 100;
			const numbers = Array.from({ length: Math.min(100, last) }, (_, row) => last - row);
			return json({
				page: { count: Math.ceil(totalAt(index) / 100), number: query?.page },
				numbers_total: totalAt(index),
				numbers: numbers.map((number) => ({ number })),
			});
		});
	};
	const before = Array.from({ length: 300 }, (_, index) => String(300 - index));

	it.each([
		['a page', (index: number) => (index === 0 ? 0 : 100)],
		['several pages', (index: number) => (index === 0 ? 0 : 500)],
		['a page, time after time', (index: number) => 100 * Math.min(index, 5)],
	])('is read to its end when it grows at its head by %s', async (_, arrived) => {
		const read = await readNumbers(newestFirst(arrived).transport);

		expect(read.filter((number) => Number(number) <= 300)).toEqual(before);
		expect(new Set(read).size).toBe(read.length);
	});

	it('is refused, as one that may have changed, when it repeats more than it has grown by', async () => {
		const { transport } = fakeTransport(({ query }) =>
			json({
				page: { count: 3, number: query?.page },
				numbers_total: query?.page === 1 ? 6 : 7,
				numbers: [{ number: 1 }, { number: 2 }],
			}),
		);

		await expect(readNumbers(transport)).rejects.toMatchObject({
			reason: 'the same page again',
			listMayHaveChanged: true,
		});
	});

	it('is read once, to its last page, when it gets shorter, which can hide a record', async () => {
		const before = Array.from({ length: 25 }, (_, index) => index + 1);
		const after = before.filter((number) => number !== 4);
		const service = fakeTransport(({ query }, index) => {
			const numbers = index === 0 ? before : after;
			const start = (Number(query?.page) - 1) * 10;
			return json({
				page: { count: 3, number: query?.page },
				numbers_total: numbers.length,
				numbers: numbers.slice(start, start + 10).map((number) => ({ number })),
			});
		});

		const stayed = before.filter((number) => number !== 11);
		expect(await readNumbers(service.transport)).toEqual(stayed.map(String));
		expect(pageNumbers(service.requests)).toEqual([1, 2, 3]);
	});

	it.each([
		['an empty page', page(1, 2, [])],
		['its last page', page(1, 1, [1, 2])],
	])('ends when a page past its new end is answered with %s', async (_, pastTheEnd) => {
		const service = answering(page(2, 1, [1, 2]), pastTheEnd);

		expect(await readNumbers(service.transport)).toEqual(['1', '2']);
	});

	it('never asks for pages beyond a new count that is smaller', async () => {
		const service = fakeTransport(({ query }) => {
			const number = Number(query?.page);
			return page(number === 1 ? 40 : 3, number, [number]);
		});

		expect(await readNumbers(service.transport)).toEqual(['1', '2', '3']);
		expect(Math.max(...pageNumbers(service.requests))).toBeLessThanOrEqual(5);
	});
});

describe('any layout of pages', () => {
	it('gives all records in order, each once, for one request a page', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(450),
				fc.integer({ min: 1, max: 100 }),
				fc.option(fc.integer({ min: 1, max: 500 }), { nil: undefined }),
				async (records, largestPage, limit) => {
					const service = account(records, largestPage);
					const wanted = Math.min(records, limit ?? records);
					const size = Math.min(largestPage, limit ?? 100);

					expect(await readNumbers(service.transport, limit)).toEqual(numbersUpTo(wanted));
					expect(service.requests).toHaveLength(Math.max(1, Math.ceil(wanted / size)));
					expect(new Set(pageNumbers(service.requests)).size).toBe(service.requests.length);
				},
			),
			{ numRuns: 150 },
		);
	});
});
