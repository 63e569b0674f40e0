import { describe, expect, it } from 'vitest';
import { importRan, named } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const contacts = 'Kudosity contacts';
const optOuts = 'Kudosity opt-outs';

const filled = {
	[contacts]: [
		{ phone: '+61 491 573 087', first_name: 'Sam' },
		{ phone: '61491574118', first_name: 'Kim' },
		{ phone: '0491 574 632', first_name: 'Alex' },
		{ phone: '61491575254', first_name: ' ' },
		{ phone: null, first_name: 'Nobody' },
	],
	[optOuts]: [{ phone: '61491574118' }],
};

describe('send-to-contacts.json', () => {
	const example = useExample({ file: 'send-to-contacts.json', publish: false, change: named });

	it('makes its tables at the first run, and sends nothing', async () => {
		const { status } = await example.run();

		expect(status).toBe('success');
		expect(await example.control.messages()).toEqual([]);
		for (const [table, rows] of Object.entries(filled)) {
			await example.insert(table, rows);
			expect(await example.rows(table)).toMatchObject(rows);
		}
	});

	it('sends to the contacts who have not opted out, whatever way their number is written, each campaign once', async () => {
		await example.withTables(filled);
		const { status } = await example.run();

		expect(status).toBe('success');
		const messages = await example.control.messages();
		expect(messages.map(({ recipient, message_ref }) => [recipient, message_ref])).toEqual([
			['61491573087', 'autumn-offer'],
			['61491574632', 'autumn-offer'],
			['61491575254', 'autumn-offer'],
		]);
		expect(messages.map(({ text }) => text)).toEqual([
			expect.stringMatching(/^Hi Sam, /),
			expect.stringMatching(/^Hi Alex, /),
			expect.stringMatching(/^Hi there, /),
		]);
		const empty = expect.stringContaining('empty');
		const reasons = (await example.rows(contacts)).map(({ reason }) => reason);
		expect(reasons).toEqual([null, null, null, null, empty]);

		const { nodes } = await example.run();
		expect(await example.control.messages()).toHaveLength(3);
		expect(nodes['Send SMS']?.items.map(({ json }) => json.skipped)).toEqual([true, true, true]);
	});

	it('says in the table why a message was not sent, and forgets it when it was', async () => {
		await example.withTables({ ...filled, [optOuts]: [importRan] });
		await example.control.settings({ balance: 0 });
		const { status } = await example.run();
		const reasons = async () => (await example.rows(contacts)).map(({ reason }) => reason);

		expect(status).toBe('success');
		expect((await reasons()).slice(0, 4)).toEqual(
			Array(4).fill(expect.stringContaining('balance')),
		);
		await example.control.settings({ balance: 100 });
		await example.run();
		expect((await reasons()).slice(0, 4)).toEqual([null, null, null, null]);
	});
});

describe('send-to-contacts.json, as it comes', () => {
	const example = useExample({ file: 'send-to-contacts.json', publish: false });

	it('sends nothing before the campaign has a name', async () => {
		await example.withTables({ [contacts]: [{ phone: '61491573087' }], [optOuts]: [importRan] });
		const { status, error } = await example.run();

		expect(status).toBe('error');
		expect(error?.message).toContain('enter a name as campaign');
		expect(await example.control.messages()).toEqual([]);
	});
});
