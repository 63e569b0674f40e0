import { describe, expect, it } from 'vitest';
import { contactsTable, named, now, optOutsTable, over, sending } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const sam = { phone: '+61 491 570 156', first_name: 'Sam' };
const kim = { phone: '61491570157', first_name: 'Kim' };
const optedOut = { [optOutsTable]: [{ phone: '61491570313' }] };

const many = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ phone: `${61491000000 + index}` }));

describe.each(['campaign.json', 'campaign-bulk.json'])('%s', (file) => {
	const example = useExample({ file, publish: false, change: named });
	const outcomes = async () =>
		(await example.rows(contactsTable)).map(({ outcome }) => outcome as string);
	const recipients = async () =>
		(await example.control.accepted()).map(({ recipient }) => recipient);

	it('sends nothing in the editor, and asks for the name of the campaign', async () => {
		await example.withTables({ [contactsTable]: [sam, kim, ...many(1)], ...optedOut });
		await example.run();
		expect(await recipients()).toEqual([]);

		await example.edit(sending({ campaignName: '' }));
		const { status, error } = await example.run();
		expect([status, error?.message]).toEqual([
			'error',
			expect.stringContaining("Campaign Name' is empty"),
		]);
		expect(await recipients()).toEqual([]);
	});

	it('sends nothing outside of the hours, and goes on within them', async () => {
		await example.withTables({ [contactsTable]: [sam, kim], ...optedOut });
		await example.edit(sending({ sendingHours: { window: over() } }));
		const { status } = await example.run();
		expect(status).toBe('success');
		expect(await example.rows(contactsTable)).toMatchObject(
			[sam, kim].map(() => ({
				outcome: 'notSent',
				reason: expect.stringContaining('allowed again from'),
				can_retry: true,
			})),
		);

		await example.edit(sending({ sendingHours: { window: now() } }));
		await example.run();
		expect(await recipients()).toEqual(['61491570156', '61491570157']);
		expect(await outcomes()).toEqual(['sent', 'sent']);
	});

	it('sends to some at a time, and to the rest with the next execution', async () => {
		await example.withTables({ [contactsTable]: many(23), ...optedOut });
		await example.edit((node) => {
			if (node.name !== 'Get contacts') return sending()(node);
			expect(node.parameters.limit).toBe(500);
			return { ...node, parameters: { ...node.parameters, limit: 20 } };
		});
		await example.run();
		expect((await outcomes()).filter((outcome) => outcome === 'sent')).toHaveLength(20);
		await example.run();
		expect((await recipients()).sort()).toEqual(many(23).map(({ phone }) => phone));
		expect(await outcomes()).toEqual(Array(23).fill('sent'));
	});

	it('sends nobody two messages where two executions begin at once', async () => {
		await example.withTables({ [contactsTable]: many(60), ...optedOut });
		await example.edit(sending());
		const ids = await Promise.all([example.start(), example.start()]);
		for (const id of ids) await example.rest.waitForExecution(id, { timeoutMs: 110_000 });
		await example.run();

		expect((await recipients()).sort()).toEqual(many(60).map(({ phone }) => phone));
		expect(await outcomes()).toEqual(
			many(60).map(() => expect.stringMatching(/^(s|alreadyS)ent$/)),
		);
		const [row] = await example.rows(contactsTable);
		expect(row?.message_id).toEqual(expect.any(String));
	});
});
