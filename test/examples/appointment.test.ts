import { describe, expect, it } from 'vitest';
import { useExample } from './useExample.ts';

const example = useExample({ file: 'appointment.json', publish: false });

const own = '61491570006';
const customer = { from: '61491573770', to: own };
const reception = '61491570156';

const ask = async () => {
	await example.withTables({ 'Kudosity opt-outs': [{ phone: '61491570158' }] });
	const id = await example.start();
	await example.rest.waitForExecution(id, { statuses: ['waiting'] });
	return id;
};

const texts = async (recipient: string) =>
	(await example.control.messages({ recipient })).map(({ text }) => text);

const thanks = 'Thank you, see you then.';
const willCall = 'Thank you, we will call you.';

describe('appointment.json', () => {
	it.each([
		['confirm!', [thanks], []],
		['2', [willCall], ['Please call Sam (Tuesday, 3 pm): Move.']],
		['STOP', [], ['Please call Sam (Tuesday, 3 pm): no answer.']],
	])('takes “%s”, and tells the reception what it has to know', async (text, answers, notes) => {
		const id = await ask();
		await example.control.inbound({ ...customer, text });
		const { status } = await example.rest.waitForExecution(id);

		expect(status).toBe('success');
		expect((await texts(customer.from)).slice(1)).toEqual(answers);
		expect(await texts(reception)).toEqual(notes);
	});

	it('explains once what to write', async () => {
		const id = await ask();
		await example.control.inbound({ ...customer, text: 'What?' });
		await example.control.waitForMessages({}, { count: 2 });
		await example.control.inbound({ ...customer, text: 'What??' });
		await example.control.waitForDeliveries({}, { count: 2 });
		await example.control.inbound({ ...customer, text: 'Move' });
		await example.rest.waitForExecution(id);

		expect((await texts(customer.from)).slice(1)).toEqual([
			'Sorry, we did not understand. Please reply CONFIRM or MOVE.',
			willCall,
		]);
	});
});
