import { describe, expect, it } from 'vitest';
import { useExample } from './useExample.ts';

const example = useExample({ file: 'appointment.json', publish: false });

const customer = { from: '61491573770', to: '61491570006' };

const ask = async () => {
	const id = await example.start();
	await example.rest.waitForExecution(id, { statuses: ['waiting'] });
	return id;
};

const texts = async () => (await example.control.messages()).map(({ text }) => text);

describe('appointment.json', () => {
	it.each([
		['confirm!', 'Thank you, see you Tuesday, 3 pm.'],
		['2', 'Thank you. We will call you to find another time.'],
	])('takes “%s” and says what comes of it', async (answer, confirmation) => {
		const id = await ask();
		await example.control.inbound({ ...customer, text: answer });
		const { status } = await example.rest.waitForExecution(id);

		expect(status).toBe('success');
		expect((await texts()).slice(1)).toEqual([confirmation]);
	});

	it('explains once what to write', async () => {
		const id = await ask();
		await example.control.inbound({ ...customer, text: 'What?' });
		await example.control.waitForMessages({}, { count: 2 });
		await example.control.inbound({ ...customer, text: 'What??' });
		await example.control.waitForDeliveries({}, { count: 2 });
		await example.control.inbound({ ...customer, text: 'Move' });
		await example.rest.waitForExecution(id);

		expect((await texts()).slice(1)).toEqual([
			'Sorry, we did not understand. Please reply CONFIRM or MOVE.',
			'Thank you. We will call you to find another time.',
		]);
	});

	it('sends nothing more to whoever answers STOP', async () => {
		const id = await ask();
		await example.control.inbound({ ...customer, text: 'STOP' });
		const { nodes } = await example.rest.waitForExecution(id);

		expect(nodes['Send no more']?.runs).toBe(1);
		expect(await texts()).toHaveLength(1);
	});
});
