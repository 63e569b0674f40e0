import { describe, expect, it } from 'vitest';
import { contactsTable, named, optOutsTable, sending } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const file = 'send-to-contacts.json';

const sam = { phone: '+61 491 570 156', first_name: 'Sam' };
const kim = { phone: '61491570157', first_name: 'Kim' };
const alex = { phone: '0491 570 158', first_name: ' ' };
const nobody = { phone: 'n/a', first_name: 'Nobody' };
const filled = {
	[contactsTable]: [sam, kim, alex, nobody],
	[optOutsTable]: [{ phone: '+61 491 570 157' }],
};

describe('send-to-contacts.json, as it comes', () => {
	const example = useExample({ file, publish: false });

	it('makes its tables at the first run, and sends nothing', async () => {
		const { status } = await example.run();

		expect(status).toBe('success');
		await example.insert(contactsTable, [sam]);
		await example.insert(optOutsTable, filled[optOutsTable]);
		expect(await example.rows(contactsTable)).toMatchObject([{ ...sam, outcome: null }]);
	});

	it('asks for the name of the campaign', async () => {
		await example.withTables(filled);
		const { status, error } = await example.run();

		expect(status).toBe('error');
		expect(error?.message).toContain("Campaign Name' is empty");
		for (const { outcome } of await example.rows(contactsTable)) expect(outcome).toBeNull();
	});
});

describe('send-to-contacts.json, without a name', () => {
	const change = sending({ campaignName: '' });
	const example = useExample({ file, publish: false, change });

	it('sends nothing, and asks for the name', async () => {
		await example.withTables({ ...filled, [contactsTable]: [sam, alex, { phone: '61491570159' }] });
		const { status, error } = await example.run();

		expect([status, error?.message]).toEqual([
			'error',
			expect.stringContaining("Campaign Name' is empty"),
		]);
		expect(await example.control.messages()).toEqual([]);
		expect((await example.rows(contactsTable))[0]).toMatchObject({ outcome: null });
	});
});

describe('send-to-contacts.json, with a name', () => {
	const example = useExample({ file, publish: false, change: named });

	it('sends nothing before the dry run is removed, and notes what would be sent', async () => {
		await example.withTables(filled);
		const { status } = await example.run();

		expect(status).toBe('success');
		expect(await example.control.messages()).toEqual([]);
		expect(await example.rows(contactsTable)).toMatchObject([
			{ outcome: 'dryRun', reason: null, can_retry: true },
			{ outcome: 'skipped', reason: expect.stringContaining('Blocked'), can_retry: true },
			{ outcome: 'dryRun', can_retry: true },
			{ outcome: 'notSent', reason: expect.stringContaining('a phone number'), can_retry: true },
		]);
	});

	it('asks for the opt-outs while there are none', async () => {
		await example.withTables({ [contactsTable]: [sam] });
		const { status, error } = await example.run();

		expect(status).toBe('error');
		expect(`${error?.message} ${error?.description}`).toContain('Allow Empty List');
	});
});

describe('send-to-contacts.json, without its dry run', () => {
	const example = useExample({
		file,
		publish: false,
		change: sending({ onOutcomeUnknown: 'fail' }),
	});

	it('sends to those who have not opted out, and the next run to those who are new', async () => {
		await example.withTables(filled);
		await example.run();

		const sent = (await example.control.messages()).map(({ recipient, text }) => [recipient, text]);
		expect(sent).toEqual([
			['61491570156', expect.stringMatching(/^Hi Sam, /)],
			['61491570158', expect.stringMatching(/^Hi there, /)],
		]);
		const rows = await example.rows(contactsTable);
		expect(rows).toMatchObject([
			{ outcome: 'sent', reason: null, can_retry: false, message_id: expect.any(String) },
			{ outcome: 'skipped', message_id: null },
			{ outcome: 'sent' },
			{ outcome: 'notSent', can_retry: false },
		]);

		await example.insert(contactsTable, [{ phone: '61491570159' }, { phone: '0491 570 156' }]);
		const { nodes } = await example.run();
		expect(nodes['Get contacts']?.items).toHaveLength(2);
		expect(await example.control.messages()).toHaveLength(3);
		expect((await example.rows(contactsTable)).slice(4)).toMatchObject([
			{ outcome: 'sent' },
			{ outcome: 'alreadySent' },
		]);
	});

	it('sends later what was not sent for lack of credit', async () => {
		await example.withTables(filled);
		await example.control.settings({ balance: 0 });
		const { status, error } = await example.run();
		expect([status, error?.message]).toEqual(['error', expect.stringContaining('balance')]);
		expect((await example.rows(contactsTable))[0]).toMatchObject({ ...sam, outcome: null });

		await example.control.settings({ balance: 100 });
		await example.run();
		expect((await example.rows(contactsTable))[0]).toMatchObject({ outcome: 'sent' });
	});

	it('sends nothing again of which Kudosity did not say that it was sent', async () => {
		await example.withTables(filled);
		const custom = { fault: 'custom', status: 500 } as const;
		await example.control.addFault({ match: { path: '/v2/sms', nth: 1 }, ...custom });
		await example.run();
		const rows = await example.rows(contactsTable);
		await example.run();

		expect(await example.rows(contactsTable)).toEqual(rows);
		expect(rows.map(({ outcome }) => outcome)).toContain('notConfirmed');
		expect(await example.control.messages()).toHaveLength(1);
	});
});
