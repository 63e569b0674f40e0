import { describe, expect, it } from 'vitest';
import { reply } from './replyTo.ts';
import { useExample } from './useExample.ts';

const to = '61491570006';
const boss = { from: '61491573770', to };
const file = 'purchase-approval.json';

describe('purchase-approval.json', () => {
	const example = useExample({ file, publish: false });
	const question = 'Two standing desks for $1,180: shall we buy? Reply BUY 4711 or NO.';

	it.each([
		['buy 4711', 'Buy it'],
		['no thanks', 'Do not buy it'],
	])('takes “%s” from the boss only', async (text, branch) => {
		const id = await example.start();
		await example.control.waitForMessages({ text: question });
		await example.control.inbound({ from: '61491571266', to, text: 'buy 4711' });
		await reply(example, question, text, boss);
		const { nodes } = await example.rest.waitForExecution(id);

		const branches = ['Buy it', 'Do not buy it', 'Ask somebody else'];
		expect(branches.filter((name) => nodes[name]?.runs)).toEqual([branch]);
	});
});

describe('purchase-approval.json, with a comma in the number', () => {
	const purchase = { What: 'A car', Price: '$11,180', Number: '4,711' };
	const example = useExample({ file, publish: false, pin: { Purchase: [purchase] } });

	it('takes the whole number only', async () => {
		const id = await example.start();
		await reply(example, 'A car for $11,180: shall we buy? Reply BUY 4,711 or NO.', '711', boss);
		await reply(example, 'Please reply BUY 4,711 or NO.', 'Buy 4,711', boss);
		const { nodes } = await example.rest.waitForExecution(id);

		expect(nodes['Buy it']?.items).toMatchObject([{ json: { approved: true, text: 'Buy 4,711' } }]);
	});
});
