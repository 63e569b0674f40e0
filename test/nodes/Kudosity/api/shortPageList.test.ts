import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createService, endpoints, type ApiRequest, type Transport } from '../../../seams.ts';
import { answering, fakeTransport, json, noAnswer } from '../../../helpers/fakeTransport.ts';

const idsUpTo = (count: number) => Array.from({ length: count }, (_, index) => `sms-${index}`);

const asked = ({ query }: ApiRequest) => ({
	page: Number(query?.page),
	limit: Number(query?.limit),
});

/** Totals are right on the first page only, as seen live. */
const answer = (ids: string[], total = 0) =>
	json({ smses: ids.map((id) => ({ id })), total_records: String(total), total_segments: '0' });

/** GET /v2/sms with at most `most` records on a page; `ids` is the list at the time of each request. */
const smsService = (ids: (index: number) => string[], most = 1000) =>
	fakeTransport((request, index) => {
		const all = ids(index);
		const { page, limit } = asked(request);
		const size = Math.min(limit, most);
		const rows = all.slice((page - 1) * size, page * size);
		return answer(rows, page === 1 ? all.length : 0);
	});

const read = async (transport: Transport, limit?: number) => {
	const ids: unknown[] = [];
	const options = { order_by: 'CREATED_AT_DESC' };
	for await (const { id } of createService(transport).list(endpoints.getSmses, options, limit))
		ids.push(id);
	return ids;
};

describe('a list of SMS that misbehaves', () => {
	it.each([0, 50, 98, 99, 100, 149])(
		'is read to its end when entry %i is no record',
		async (odd) => {
			const all = idsUpTo(150);
			const { transport } = fakeTransport((request) => {
				const { page, limit } = asked(request);
				const size = Math.min(limit, 100);
				const rows = all.map((id, index) => (index === odd ? null : { id }));
				return json({ smses: rows.slice((page - 1) * size, page * size) });
			});

			expect(await read(transport)).toEqual(all.filter((_, index) => index !== odd));
		},
	);

	it('is refused when every page is the first one', async () => {
		const { transport, requests } = fakeTransport(() => answer(idsUpTo(1000), 5000));

		await expect(read(transport)).rejects.toMatchObject({
			reason: 'the same page again',
			listMayHaveChanged: true,
		});
		expect(requests.length).toBeLessThan(30);
	});

	it('passes on that a later page got no answer', async () => {
		const { transport } = fakeTransport((request) =>
			asked(request).page === 1 ? answer(idsUpTo(1000)) : noAnswer(),
		);

		await expect(read(transport)).rejects.toMatchObject({ name: 'NoAnswerError' });
	});

	it.each([
		['smses is text', { smses: 'none' }],
		['it is a list', []],
	])('is refused when %s', async (_, body) => {
		await expect(read(answering(json(body)).transport)).rejects.toThrow(
			'JSON in an unexpected format',
		);
	});
});

describe('an account without messages', () => {
	it.each([
		['an empty list', { smses: [], total_records: '0', total_segments: '0' }],
		['no list', { total_records: '0' }],
		['null', { smses: null }],
		['a total that says otherwise', { smses: [], total_records: '12' }],
	])('has none after one request when the answer has %s', async (_, body) => {
		expect(await read(answering(json(body)).transport)).toEqual([]);
	});
});

describe('the cost of a list of SMS', () => {
	it.each([
		{ records: 99, limit: undefined, requests: 1 },
		{ records: 12, limit: 50, requests: 1 },
		{ records: 50, limit: 50, requests: 1 },
		{ records: 5000, limit: 1000, requests: 1 },
		{ records: 5000, limit: 1001, requests: 2 },
		// One more shows that the service did not just allow less than was asked for.
		{ records: 450, limit: undefined, requests: 2 },
		{ records: 10_000, limit: undefined, requests: 11 },
	])('is $requests requests for limit $limit of $records', async ({ records, limit, requests }) => {
		const service = smsService(() => idsUpTo(records));

		expect(await read(service.transport, limit)).toEqual(
			idsUpTo(Math.min(records, limit ?? records)),
		);
		expect(service.requests).toHaveLength(requests);
	});

	it('is no page larger than the limit', async () => {
		const { transport, requests } = smsService(() => idsUpTo(5000));
		await read(transport, 7);

		expect(requests.map(({ query }) => query)).toEqual([
			{ page: 1, limit: 7, order_by: 'CREATED_AT_DESC' },
		]);
	});
});

describe('a service that gives fewer records on a page than asked for', () => {
	it.each([100, 250, 999])('is read to the end when it gives %s', async (most) => {
		const service = smsService(() => idsUpTo(2345), most);

		expect(await read(service.transport)).toEqual(idsUpTo(2345));
	});
});

describe('a list of SMS that changes while it is read', () => {
	it('gives each record once when new ones push the others onto later pages', async () => {
		const before = idsUpTo(2500);
		const arrived = Array.from({ length: 5 }, (_, index) => `new-${index}`);
		const { transport } = smsService((index) => (index === 0 ? before : [...arrived, ...before]));

		expect(await read(transport)).toEqual(before);
	});

	it('gives each record once when a whole page of new ones arrives', async () => {
		const before = idsUpTo(2500);
		const arrived = Array.from({ length: 1500 }, (_, index) => `new-${index}`);
		const { transport } = smsService((index) => (index === 0 ? before : [...arrived, ...before]));
		const ids = await read(transport);

		expect(ids.filter((id) => !arrived.includes(String(id)))).toEqual(before);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it('is read to the end when it grows by a page or more, time after time', async () => {
		const before = idsUpTo(261);
		const arrivedBy = [0, 0, 33, 127, 246, 397];
		const all = (index: number) => {
			const arrived = idsUpTo(arrivedBy[index] ?? 397).map((id) => `new-${id}`);
			return [...arrived.toReversed(), ...before];
		};
		const ids = await read(smsService(all, 100).transport);

		expect(ids.filter((id) => String(id).startsWith('sms'))).toEqual(before);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it('is refused when two pages alternate for ever', async () => {
		const pages = [idsUpTo(1000), [...idsUpTo(1000).slice(1), 'sms-0']];
		const { transport, requests } = fakeTransport((_, index) => answer(pages[index % 2]!, 5000));

		await expect(read(transport)).rejects.toMatchObject({
			reason: 'the same page again',
			listMayHaveChanged: true,
		});
		expect(requests.length).toBeLessThan(30);
	});

	it('is read to its last page when some that were read leave the filter, which can hide others', async () => {
		const before = idsUpTo(2500);
		const { transport, requests } = smsService((index) =>
			index === 0 ? before : before.slice(700),
		);

		expect(await read(transport)).toEqual([...before.slice(0, 1000), ...before.slice(1700)]);
		expect(requests.map((request) => asked(request).page)).toEqual([1, 2]);
	});

	it('ends when nothing is left', async () => {
		const before = idsUpTo(2500);
		const { transport } = smsService((index) => (index === 0 ? before : []));

		expect(await read(transport)).toEqual(before.slice(0, 1000));
	});

	it('gives records without an ID once', async () => {
		const all = Array.from({ length: 1500 }, (_, index) => ({ message: String(index) }));
		const { transport } = fakeTransport((request) => {
			const { page, limit } = asked(request);
			return json({ smses: all.slice((page - 1) * limit, page * limit) });
		});
		const texts: unknown[] = [];
		for await (const { message } of createService(transport).list(endpoints.getSmses))
			texts.push(message);

		expect(texts).toEqual(all.map(({ message }) => message));
	});

	const growth = fc.array(fc.nat(250), { maxLength: 6 });
	const losses = fc.array(fc.record({ at: fc.nat(), count: fc.nat(120) }), { maxLength: 6 });

	it('has all that were there, in order, each once, however it grows', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(1500),
				fc.integer({ min: 100, max: 400 }),
				growth,
				async (records, most, arrivals) => {
					const before = idsUpTo(records);
					let all = before;
					const service = smsService((index) => {
						const count = arrivals[index - 1] ?? 0;
						all = [...Array.from({ length: count }, (_, row) => `new-${index}-${row}`), ...all];
						return all;
					}, most);

					const ids = await read(service.transport);
					expect(new Set(ids).size).toBe(ids.length);
					expect(ids.filter((id) => String(id).startsWith('sms'))).toEqual(before);
				},
			),
			{ numRuns: 40 },
		);
	});

	it('has each once, and comes to its end, however it shrinks', async () => {
		await fc.assert(
			fc.asyncProperty(fc.nat(1500), growth, losses, async (records, arrivals, left) => {
				let all = idsUpTo(records);
				const service = smsService((index) => {
					const count = arrivals[index - 1] ?? 0;
					const { at, count: leaving } = left[index - 1] ?? { at: 0, count: 0 };
					all = all.toSpliced(at % Math.max(1, all.length), leaving);
					all = [...Array.from({ length: count }, (_, row) => `new-${index}-${row}`), ...all];
					return all;
				}, 100);

				const ids = await read(service.transport);
				expect(new Set(ids).size).toBe(ids.length);
			}),
			{ numRuns: 40 },
		);
	});
});
