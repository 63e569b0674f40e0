import { describe, expect, it } from 'vitest';
import { contactsTable } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const owner = '61491570156';

describe('campaign-report.json', () => {
	const example = useExample({ file: 'campaign-report.json', publish: false });

	it('notes what became of each message, and texts the count', async () => {
		await example.withTables({});
		const phones = ['61491570157', '61491570158', '61491570159'];
		const ids: string[] = [];
		for (const phone of phones) ids.push(await example.sendSms(phone));
		await example.sendSms('61491570110');
		await example.insert(contactsTable, [
			...phones.map((phone, index) => ({ phone, outcome: 'sent', message_id: ids[index] })),
			{ phone: '61491570313', outcome: 'skipped', reason: 'A landline' },
		]);
		const [first, second, third] = ids;
		await example.control.setStatus(first!, 'DELIVERED');
		await example.control.setStatus(second!, 'FAILED', 'No such number');
		await example.control.setStatus(third!, 'DELIVERED');
		const { status, error } = await example.run();

		expect([status, error]).toEqual(['success', undefined]);
		expect((await example.rows(contactsTable)).map(({ reason }) => reason)).toEqual([
			'DELIVERED',
			'FAILED',
			'DELIVERED',
			'A landline',
		]);
		const texts = (await example.control.messages()).flatMap(({ recipient, text }) =>
			recipient === owner ? [text] : [],
		);
		expect(texts).toEqual(['2 DELIVERED, 1 FAILED']);
	});

	it('texts nothing while no message was sent', async () => {
		await example.withTables({ [contactsTable]: [{ phone: '61491570157' }] });
		const { status } = await example.run();

		expect(status).toBe('success');
		expect(await example.control.messages()).toEqual([]);
	});
});
