import { describe, expect, it } from 'vitest';
import { useDeduplicationStore, useEmulator } from './emulator.ts';

const service = useEmulator();
useDeduplicationStore();

const ana = '61491570006';
const half = '\ud83d';
const otherHalf = '\ude00';
const sms = { message: 'Hi', sender: 'Acme', recipient: ana };

/** What the last request of a run sent to Kudosity. */
const bodyOf = async (name: string, fields: object, value: unknown = undefined) => {
	const { error } = await service.run(name, fields, { items: [{ value }] });
	expect(error?.message).toBeUndefined();
	return (await service.control.requests()).at(-1)!.body as Record<string, unknown>;
};
const value = '={{ $json.value }}';

describe('half an emoji', () => {
	it.each([
		[`Hi${half}`, 'Hi'],
		[`Hi ${otherHalf}Sam`, 'Hi Sam'],
		[`${half} 😀 ${otherHalf}`, ' 😀 '],
		[`${'x'.repeat(159)}😀`.slice(0, 160), 'x'.repeat(159)],
		['👍🏽👩‍💻', '👍🏽👩‍💻'],
	])('is dropped from an SMS: case %#', async (given, sent) => {
		const { json } = await service.sms([{ phone: ana, text: given }]);

		expect((await service.control.messages()).map(({ text }) => text)).toEqual([sent]);
		expect(json).toMatchObject([{ parts: 1 }]);
	});

	it('makes no text longer: parts, encoding, limit and dry run are those of what is sent', async () => {
		const text = `${'x'.repeat(160)}${half}`;
		const limit = { maxParts: 1 };
		const dry = await service.sms([{ phone: ana, text }], { ...limit, dryRun: 'always' });
		const real = await service.sms([{ phone: ana, text }], limit);

		for (const { json } of [dry, real]) {
			expect(json).toMatchObject([{ message: 'x'.repeat(160), parts: 1, encoding: 'GSM-7' }]);
		}
	});

	it('is dropped from v1 forms, contacts and lists', async () => {
		const name = `Sam${half}`;
		expect(await bodyOf('list/create', { name: value }, name)).toMatchObject({ name: 'Sam' });
		const [list] = (await service.run('list/create', { name: 'People' })).json;
		const contact = { contact: ana, listId: String(list!.id), firstName: value };
		expect(await bodyOf('contact/upsert', contact, name)).toMatchObject({ first_name: 'Sam' });
		const bulk = { message: value, sender: 'Acme', recipients: ana };
		expect(await bodyOf('bulkSms/send', bulk, `Hi${half}`)).toMatchObject({ message: 'Hi' });
	});

	it('is dropped inside of content, parameters, options and filters', async () => {
		const whatsapp = { recipient: ana, templateName: 'hi', contentType: 'template' };
		const template = { ...whatsapp, templateParameters: value };
		expect(await bodyOf('whatsapp/send', template, [`A${half}`, 'B'])).toMatchObject({
			content: { template: { parameters: ['A', 'B'] } },
		});
		const custom = { ...whatsapp, contentType: 'custom', content: value };
		const content = { type: 'text', text: { body: `A${half}` } };
		const sent = { content: { custom: { type: 'text', text: { body: 'A' } } } };
		expect(await bodyOf('whatsapp/send', custom, content)).toMatchObject(sent);
		expect(await bodyOf('whatsapp/send', custom, JSON.stringify(content))).toMatchObject(sent);
		const options = { messageRef: value };
		expect(await bodyOf('sms/send', { ...sms, options }, `a${half}1`)).toMatchObject({
			message_ref: 'a1',
		});
	});

	it('alone is an empty text', async () => {
		const { error } = await service.sms([{ phone: ana, text: half }]);
		expect(error?.message).toBe("'Message' is empty");
	});

	it('does not keep a message from being found after its answer was lost', async () => {
		await service.fault('resetAfterAcceptance', { method: 'POST', path: '/v2/sms' });
		const { json } = await service.sms([{ phone: ana, text: `Hi${half}` }]);
		expect(json).toMatchObject([{ id: expect.any(String) }]);
	});
});
