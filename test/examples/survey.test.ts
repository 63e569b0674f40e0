import { describe, expect, it } from 'vitest';
import { reply } from './replyTo.ts';
import { useExample } from './useExample.ts';

const sam = { from: '61491573770', to: '61491570006' };
const first = 'How was your visit? Reply GOOD, OK or BAD. Reply STOP for no more messages.';
const second = 'Thank you! One last question: what could we do better?';

describe('survey.json', () => {
	const example = useExample({ file: 'survey.json', publish: false });
	const begin = async () => {
		await example.withTables({ 'Kudosity opt-outs': [{ phone: '61491570158' }] });
		return await example.start();
	};

	it('asks two questions in a row, and keeps the answers', async () => {
		const id = await begin();
		await reply(example, first, '1', sam);
		await reply(example, second, 'More music', sam);
		const { status } = await example.rest.waitForExecution(id);

		expect(status).toBe('success');
		expect(await example.rows('Kudosity feedback')).toMatchObject([
			{ phone: sam.from, visit: 'Good', comment: 'More music' },
		]);
	});

	it('keeps the first answer of somebody who then writes STOP', async () => {
		const id = await begin();
		await reply(example, first, 'bad', sam);
		await reply(example, second, 'STOP', sam);
		await example.rest.waitForExecution(id);

		expect(await example.rows('Kudosity feedback')).toMatchObject([
			{ phone: sam.from, visit: 'Bad' },
		]);
	});

	it('asks nothing more after STOP', async () => {
		const id = await begin();
		await reply(example, first, 'STOP', sam);
		const { status } = await example.rest.waitForExecution(id);

		expect(status).toBe('success');
		expect(await example.rows('Kudosity feedback')).toEqual([]);
		expect(await example.control.messages()).toHaveLength(1);
	});
});
