import { describe, expect, it } from 'vitest';
import { until } from '../../playground/n8n/until.ts';
import { everyTwoSeconds } from '../e2e/workflow.ts';
import { useExample } from './useExample.ts';

const texted = '61491571266';
const contact = '61491576398';

const example = useExample({
	file: 'answer-without-public-address.json',
	change: (node) =>
		node.name === 'SMS received'
			? { ...node, parameters: { ...node.parameters, ...everyTwoSeconds } }
			: node,
});

const text = async (words: string, from = contact) =>
	await example.control.inbound({ from, to: texted, text: words });

describe('answer-without-public-address.json', () => {
	it('answers YES and NO once, from the number that was texted, keeps the rest, and leaves out STOP', async () => {
		await text('Yes!');
		await text('Stop', '61491573770');
		await text('When do you open?', '61491578888');
		await text('And on Sundays?', '61491578888');
		await example.control.waitForMessages({}, { count: 1 });
		await text(' no. ');
		const messages = await example.control.waitForMessages({}, { count: 2 });

		expect(messages.map(({ sender, recipient, text }) => [sender, recipient, text])).toEqual([
			[texted, contact, expect.stringContaining('you are confirmed')],
			[texted, contact, expect.stringContaining('Your appointment is canceled')],
		]);
		// Both may come in a later poll than “Yes!”, and so after “no.” was answered.
		const rows = await until({ what: 'two rows in the inbox' }, async () => {
			const found = await example.rows('Kudosity inbox');
			return found.length >= 2 ? found : undefined;
		});
		expect(rows.map((row) => [row.contact, row.text])).toEqual([
			['61491578888', 'When do you open?'],
			['61491578888', 'And on Sundays?'],
		]);
	});

	it('sends nothing for the sample message in the editor', async () => {
		const { status, nodes } = await example.run();

		expect(status).toBe('success');
		expect(nodes['Answer YES']?.items).toMatchObject([{ json: { outcome: 'dryRun' } }]);
		expect(await example.control.messages()).toEqual([]);
	});
});
