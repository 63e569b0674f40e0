import { describe, expect, it } from 'vitest';
import { useExample } from './useExample.ts';

const table = 'Kudosity opt-outs';

describe('import-opt-outs.json', () => {
	const example = useExample({ file: 'import-opt-outs.json', publish: false });
	const rows = async () => await example.rows(table);

	it('adds who opted out before, each once, and leaves rows alone that are there', async () => {
		await example.control.settings({ listMembers: 130 });
		await example.inAllLists('optOut', '61491573087');
		await example.inAllLists('optOut', '61491574118');
		await example.inAllLists('delete', '61491575254');
		await example.withTables({ [table]: [{ phone: '61491573087', source: 'link' }] });
		const { status, error } = await example.run();

		expect([status, error]).toEqual(['success', undefined]);
		const all = await rows();
		const phones = all.map(({ phone }) => phone);
		expect(new Set(phones).size).toBe(phones.length);
		// Active in one list, and deleted from another.
		expect(phones).not.toContain('61491575789');
		expect(all).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ phone: '61491573087', source: 'link' }),
				expect.objectContaining({ phone: '61491574118', source: 'optedOut' }),
				// Active in one list, and opted out of another.
				expect.objectContaining({ phone: '61491574632', source: 'optedOut' }),
				expect.objectContaining({ phone: '61491575254', source: 'notActive' }),
			]),
		);

		await example.run();
		expect(await rows()).toEqual(all);
	});

	it('makes an empty table where nobody has opted out', async () => {
		await example.control.settings({ lists: 0 });
		const { status, nodes } = await example.run();

		expect(status).toBe('success');
		expect(nodes['Get opted out']?.items).toEqual([]);
		expect(await rows()).toEqual([]);
	});

	it('fails where a list cannot be read, and adds nobody', async () => {
		const match = { path: '/get-list.json', count: 'forever' } as const;
		await example.control.addFault({ fault: 'status403', match });
		const { status, lastNode } = await example.run();

		expect([status, lastNode]).toEqual(['error', 'Get opted out']);
		expect(await rows()).toEqual([]);
	});
});
