import { describe, expect, it } from 'vitest';
import { reply } from './replyTo.ts';
import { useExample } from './useExample.ts';

const to = '61491570006';
const sam = { from: '61491573770', to };
const kim = { from: '61491571266', to };
const manager = '61491570156';
const table = 'Kudosity staff';

describe('fill-a-shift.json', () => {
	const example = useExample({ file: 'fill-a-shift.json', publish: false });
	const staff = [
		{ phone: sam.from, first_name: 'Sam' },
		{ phone: kim.from, first_name: ' ' },
	];
	const [first, second] = ['Hi Sam', 'Hi there'].map(
		(greeting) => `${greeting}, can you take the shift on Tuesday? Reply YES or NO.`,
	) as [string, string];
	const told = async () =>
		(await example.control.messages({ recipient: manager })).map(({ text }) => text);

	it('asks the next person when the one before declines, and tells the manager who takes it', async () => {
		await example.withTables({ [table]: staff });
		const id = await example.start();
		await reply(example, first, 'No', sam);
		await reply(example, second, 'OK', kim);
		const { status } = await example.rest.waitForExecution(id);

		expect(status).toBe('success');
		expect(await told()).toEqual([`The shift on Tuesday: ${kim.from} takes it.`]);
	});

	it('asks nobody else once it is taken', async () => {
		await example.withTables({ [table]: staff });
		const id = await example.start();
		await reply(example, first, 'yes', sam);
		await example.rest.waitForExecution(id);

		expect(await example.control.messages({ recipient: kim.from })).toEqual([]);
		expect(await told()).toEqual([`The shift on Tuesday: ${sam.from} takes it.`]);
	});

	it('passes over people who opted out or have no proper number, and says that nobody takes it', async () => {
		const wrong = ['', '0491'].map((phone) => ({ phone, first_name: 'Alex' }));
		await example.withTables({ [table]: [...wrong, ...staff] });
		await example.control.inbound({ ...sam, text: 'STOP' });
		const id = await example.start();
		await reply(example, second, 'no', kim);
		const { status } = await example.rest.waitForExecution(id);

		expect(status).toBe('success');
		expect(await told()).toEqual(['The shift on Tuesday: nobody takes it.']);
		expect(await example.control.messages({ recipient: sam.from })).toEqual([]);
	});
});
