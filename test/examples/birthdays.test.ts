import { describe, expect, it } from 'vitest';
import { now, optOutsTable, over, sending } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const table = 'Kudosity birthdays';

/** Where the example is. */
const dayIn = (days: number) => {
	const at = new Date(Date.now() + days * 86_400_000);
	const parts = new Intl.DateTimeFormat('en-AU', {
		timeZone: 'Australia/Sydney',
		day: 'numeric',
		month: 'numeric',
	}).formatToParts(at);
	const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
	return { day: part('day'), month: part('month') };
};

const people = [
	{ phone: '0491 570 156', first_name: 'Sam', ...dayIn(0) },
	{ phone: '61491570157', ...dayIn(0) },
	{ phone: 'n/a', first_name: 'Alex', ...dayIn(0) },
	{ phone: '61491570158', first_name: 'Kim', ...dayIn(1) },
	{ phone: '61491570159', first_name: 'Robin', ...dayIn(0) },
];

describe('birthdays.json', () => {
	const example = useExample({ file: 'birthdays.json', publish: false });
	const texts = async () =>
		(await example.control.messages()).map(({ recipient, text }) => [
			recipient,
			text.split('!')[0],
		]);

	it('greets those whose birthday it is and who have not opted out, once a year', async () => {
		await example.withTables({
			[table]: people,
			[optOutsTable]: [{ phone: '+61 491 570 159' }, { phone: '61491570313' }],
		});
		await example.run();
		expect(await texts()).toEqual([]);

		await example.edit(sending());
		for (let hour = 0; hour < 2; hour++) expect((await example.run()).status).toBe('success');
		expect(await texts()).toEqual([
			['61491570156', 'Happy birthday, Sam'],
			['61491570157', 'Happy birthday'],
		]);
	});

	it('greets nobody at night, and everybody in the morning', async () => {
		await example.withTables({
			[table]: people.slice(0, 1),
			[optOutsTable]: [{ phone: '61491570313' }],
		});
		await example.edit(sending({ sendingHours: { window: over() } }));
		expect((await example.run()).status).toBe('success');
		expect(await texts()).toEqual([]);

		await example.edit(sending({ sendingHours: { window: now() } }));
		await example.run();
		expect(await texts()).toHaveLength(1);
	});
});
