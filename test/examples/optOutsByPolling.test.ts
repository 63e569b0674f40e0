import { describe, expect, it } from 'vitest';
import { until } from '../../playground/n8n/until.ts';
import { everyTwoSeconds } from '../e2e/workflow.ts';
import { useExample } from './useExample.ts';

const table = 'Kudosity opt-outs';
const own = '61491570006';

describe('keep-opt-outs-by-polling.json', () => {
	const example = useExample({
		file: 'keep-opt-outs-by-polling.json',
		change: (node) =>
			node.name === 'SMS received'
				? { ...node, parameters: { ...node.parameters, ...everyTwoSeconds } }
				: node,
	});
	const phones = async () => (await example.rows(table)).map(({ phone }) => phone).sort();

	it('keeps all opt-outs of a poll, also those that Kudosity refuses, and nobody else', async () => {
		const texts = [
			['61491573087', 'STOP'],
			['61491570158', 'When do you open?'],
			['61491574118', 'Unsubscribe'],
			['MyShop', 'STOP'],
			['62275', 'Quit.'],
			// In no list.
			['61491570157', 'End'],
			['61491571266', 'Please stop texting me'],
		] as const;
		for (const [from, text] of texts) await example.control.inbound({ from, to: own, text });
		const expected = ['61491570157', '61491571266', '61491573087', '61491574118', '62275'];
		await until({ what: 'five rows' }, async () =>
			(await phones()).length >= expected.length ? true : undefined,
		);

		expect(await phones()).toEqual(expected);
		const rows = await example.rows(table);
		const [row] = rows;
		const sourceOf = (number: string) => rows.find(({ phone }) => phone === number)?.source;
		expect(['61491573087', '62275', '61491571266'].map(sourceOf)).toEqual([
			'stop',
			'keyword',
			'words',
		]);
		expect(Date.parse(String(row?.opted_out_at))).toBeGreaterThan(Date.now() - 120_000);
		const requests = await example.control.requests({ path: '/optout-list-member.json' });
		expect(requests.map(({ body }) => (body as { msisdn: string }).msisdn).sort()).toEqual([
			'61491570157',
			'61491571266',
			'61491573087',
			'61491574118',
		]);
	});

	it('runs in the editor on its pinned message', async () => {
		const { status } = await example.run();

		expect(status).toBe('success');
		expect(await phones()).toEqual(['61491570156']);
	});
});
