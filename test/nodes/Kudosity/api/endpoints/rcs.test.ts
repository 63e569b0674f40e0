import { describe, expect, it } from 'vitest';
import { getRcsMessages, createService, type Transport } from '../../../../seams.ts';
import { answering, json } from '../../../../helpers/fakeTransport.ts';

const page = (ids: string[] | undefined, pagination?: object | null) =>
	json({
		data: { ...(ids && { messages: ids.map((id) => ({ id, status: 'SENT' })) }) },
		request: {},
		meta: pagination === undefined ? {} : { pagination },
	});

const read = async (transport: Transport, limit?: number) => {
	const ids: string[] = [];
	const period = { date_range: 'last_week' } as const;
	for await (const { id } of createService(transport).list(getRcsMessages, period, limit)) {
		ids.push(String(id));
	}
	return ids;
};

describe('the pages of RCS messages', () => {
	it('are refused when more follow and no cursor says where', async () => {
		const { transport } = answering(page(['a'], { has_next: true, next_cursor: null }));

		await expect(read(transport)).rejects.toThrow('without a cursor');
	});

	it('are refused when a cursor comes again', async () => {
		const { transport } = answering(
			page(['a'], { has_next: true, next_cursor: 'x' }),
			page(['b'], { has_next: true, next_cursor: 'y' }),
			page(['c'], { has_next: true, next_cursor: 'x' }),
		);

		await expect(read(transport)).rejects.toThrow('leads back to an earlier one');
	});

	it('are refused when the answer has no data', async () => {
		const { transport } = answering(json({ meta: {} }));

		await expect(read(transport)).rejects.toThrow('a body of another shape (at data)');
	});

	it.each([
		['null', { next_cursor: null, has_next: false }],
		['left out', {}],
		['empty', { next_cursor: '', has_next: false }],
		['given, but nothing follows', { next_cursor: 'x', has_next: false }],
		['missing with all of the pagination', undefined],
		['missing with null pagination', null],
	])('end when the next cursor is %s', async (_, pagination) => {
		const service = answering(page(['a'], pagination));

		expect(await read(service.transport)).toEqual(['a']);
		expect(service.requests).toHaveLength(1);
	});

	it('go on over an empty page that names a cursor, and end where messages are left out', async () => {
		const { transport, requests } = answering(
			page([], { next_cursor: 'x' }),
			page(['a'], { next_cursor: 'y' }),
			page(undefined),
		);

		expect(await read(transport)).toEqual(['a']);
		expect(requests.map(({ query }) => query)).toEqual([
			{ date_range: 'last_week', limit: 100 },
			{ date_range: 'last_week', limit: 100, cursor: 'x' },
			{ date_range: 'last_week', limit: 100, cursor: 'y' },
		]);
	});

	it('are as small as the limit, and not read further than it', async () => {
		const service = answering(page(['a', 'b'], { has_next: true, next_cursor: 'x' }));

		expect(await read(service.transport, 2)).toEqual(['a', 'b']);
		expect(service.requests[0]?.query).toMatchObject({ limit: 2 });
	});
});
