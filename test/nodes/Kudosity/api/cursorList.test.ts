import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createService, endpoints, type Transport } from '../../../seams.ts';
import { answering, fakeTransport, json } from '../../../helpers/fakeTransport.ts';

const page = (ids: string[] | undefined, pagination?: object | null) =>
	json({
		data: { ...(ids && { messages: ids.map((id) => ({ id, status: 'SENT' })) }) },
		meta: pagination === undefined ? {} : { pagination },
	});

const read = async (transport: Transport, limit?: number) => {
	const ids: unknown[] = [];
	const period = { date_range: 'last_week' };
	const records = createService(transport).list(endpoints.getRcsMessages, period, limit);
	for await (const { id } of records) ids.push(id);
	return ids;
};

describe('pages that lead from one to the next', () => {
	it.each([
		[
			'more follow and no cursor says where',
			[page(['a'], { has_next: true })],
			'without the cursor',
		],
		[
			'a cursor comes again',
			['x', 'y', 'x'].map((cursor, index) => page([String(index)], { next_cursor: cursor })),
			'leads back to an earlier one',
		],
		['the answer has no data', [json({ meta: {} })], 'JSON in an unexpected format (at data)'],
	])('are refused when %s', async (_, replies, reason) => {
		await expect(read(answering(...replies).transport)).rejects.toThrow(reason);
	});

	it('are refused when they never end', async () => {
		const { transport, requests } = fakeTransport((_, index) =>
			page([String(index)], { next_cursor: `${index + 1}` }),
		);

		await expect(read(transport)).rejects.toThrow('more than 10000 pages');
		expect(requests).toHaveLength(10_000);
	});

	it.each([
		['null', { next_cursor: null, has_next: false }],
		['left out', {}],
		['empty', { next_cursor: '', has_next: false }],
		['given, but nothing follows', { next_cursor: 'x', has_next: false }],
		['missing with all of the pagination', undefined],
		['missing with null pagination', null],
	])('end when the next cursor is %s', async (_, pagination) => {
		expect(await read(answering(page(['a'], pagination)).transport)).toEqual(['a']);
	});

	it('go on over an empty page that names a cursor, and end where messages are left out', async () => {
		const { transport, requests } = answering(
			page([], { next_cursor: 'x' }),
			page(['a'], { next_cursor: 'y' }),
			page(undefined),
		);

		expect(await read(transport)).toEqual(['a']);
		const asked = { date_range: 'last_week', limit: 100 };
		expect(requests.map(({ query }) => query)).toEqual([
			asked,
			{ ...asked, cursor: 'x' },
			{ ...asked, cursor: 'y' },
		]);
	});

	it('are as small as the limit, and not read further than it', async () => {
		const service = answering(page(['a', 'b'], { has_next: true, next_cursor: 'x' }));

		expect(await read(service.transport, 2)).toEqual(['a', 'b']);
		expect(service.requests[0]?.query).toMatchObject({ limit: 2 });
	});

	it('are each read once and in order, whatever their sizes', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat(5), { minLength: 1, maxLength: 20 }), async (sizes) => {
				const pages = sizes.map((size, index) =>
					Array.from({ length: size }, (_, row) => `${index}.${row}`),
				);
				const service = answering(
					...pages.map((ids, index) =>
						page(ids, index + 1 < sizes.length ? { next_cursor: String(index + 1) } : {}),
					),
				);

				expect(await read(service.transport)).toEqual(pages.flat());
				expect(service.requests.slice(1).map(({ query }) => query?.cursor)).toEqual(
					pages.slice(1).map((_, index) => String(index + 1)),
				);
			}),
			{ numRuns: 100 },
		);
	});
});
