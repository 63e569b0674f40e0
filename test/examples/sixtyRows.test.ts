import { describe, expect, it } from 'vitest';
import { sevenOptOuts, sixtyRows, theirSpellings } from '../fixtures/sixtyRows.ts';
import { firstOf } from '../helpers/runsAll.ts';
import { contactsTable, named, optOutsTable, sending } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const examples = ['send-to-contacts.json', 'campaign.json', 'campaign-bulk.json'];

const contacts = sixtyRows.map(({ phone, name }) => ({
	phone: phone === null ? null : String(phone),
	first_name: name,
}));

/** Parts of what the table says of a row that gets no message; null where it gets one. */
const reasonsWith = (optOuts: string[], file: string) =>
	sixtyRows.map(({ phone, number, type, isDuplicate, reason }) => {
		// Bulk SMS could read them, but one row is for one person.
		if (file === 'campaign-bulk.json' && reason === 'looks like two numbers')
			return 'needs one recipient per item';
		// A column of text has no tick box.
		if (reason !== null) return typeof phone === 'boolean' ? 'is not a phone number' : reason;
		if (optOuts.includes(number!)) return 'Blocked Recipients';
		if (isDuplicate) return 'already sent to the number';
		return type === 'landline' ? 'landline' : null;
	});

const optOutsOf = { nobody: [], seven: sevenOptOuts };

describe.each(examples)('%s, with the sixty rows of a spreadsheet', (file) => {
	const example = useExample({ file, publish: false, change: named });

	const cases = [
		['24 people, as seven opted out', 'seven', theirSpellings],
		['31 people', 'nobody', []],
	] as const;

	it.each(firstOf(1, cases))(
		'sends %s one message, and each row has its reason',
		async (_, who, blocked) => {
			const reasons = reasonsWith(optOutsOf[who], file);
			const people = sixtyRows.flatMap(({ number }, index) =>
				reasons[index] === null ? [number] : [],
			);
			await example.withTables({
				[contactsTable]: contacts,
				[optOutsTable]: blocked.map((phone) => ({ phone })),
			});
			const allowEmptyList = blocked.length === 0;

			// First a dry run, as the note says, with a number that is corrected before the messages are sent.
			await example.edit(sending({ dryRun: 'manual', allowEmptyList }));
			await example.updateRows(contactsTable, { phone: 'n/a' }, 1);
			await example.run();
			expect(await example.control.accepted()).toEqual([]);
			expect(await example.rows(contactsTable)).toMatchObject(
				contacts.map(() => ({ outcome: expect.any(String), can_retry: true })),
			);
			await example.updateRows(contactsTable, { phone: contacts[0]!.phone }, 1);

			await example.edit(sending({ allowEmptyList }));
			const { status, error } = await example.run();
			expect([status, error]).toEqual(['success', undefined]);
			const sent = (await example.control.accepted()).map(({ recipient }) => recipient);
			expect(sent.sort()).toEqual(people.sort());
			const rows = await example.rows(contactsTable);
			const told = rows.map(({ reason }) => reason);
			expect(told).toEqual(reasons.map((reason) => reason && expect.stringContaining(reason)));
			expect(rows.filter(({ outcome }) => outcome === 'sent')).toHaveLength(people.length);

			await example.run();
			expect(await example.control.accepted()).toHaveLength(people.length);
			expect(await example.rows(contactsTable)).toEqual(rows);
		},
	);
});
