import { describe, expect, it } from 'vitest';
import { continues, useDeduplicationStore, useEmulator } from './emulator.ts';
import { useWaitingN8n } from './waitingN8n.ts';

const service = useEmulator();
useDeduplicationStore();

/** Two spellings of one person, and the number of somebody else who differs in a digit. */
const people = [
	{ one: '525512345678', other: '5215512345678', stranger: '525512345679' },
	{ one: '541123456789', other: '5491123456789', stranger: '5491123456780' },
	{ one: '5511997654321', other: '551197654321', stranger: '5511997654320' },
	{ one: '551171234567', other: '5511971234567', stranger: '5511971234568' },
];

const fast = { requestsPerSecond: 500 };
const run = async (items: object[], options: object) =>
	await service.sms(items, { ...fast, ...options }, { settings: continues });

describe.each(people)('$one and $other', ({ one, other, stranger }) => {
	const items = [one, other, stranger].map((digits) => ({ phone: `+${digits}` }));
	const allowedAre = async (allowedRecipients: string) => {
		const { json } = await run(items, { allowedRecipients });
		return json.map(({ error }) => error === undefined);
	};

	it.each([one, other])('are both meant by %s in Allowed Recipients', async (entry) => {
		expect(await allowedAre(`+${entry}`)).toEqual([true, true, false]);
		expect(await allowedAre(`+${entry.slice(0, -1)}*`)).toEqual([true, true, true]);
		expect(await allowedAre(`+${entry.slice(0, -3)}9*`)).toEqual([false, false, false]);
	});

	it('use up one limit per day', async () => {
		const { json } = await run(items, { maxPerRecipientPerDay: 1 });
		expect(json.map(({ error }) => error === undefined)).toEqual([true, false, true]);
		const again = await run(items, { maxPerRecipientPerDay: 1 });
		expect(again.json.map(({ error }) => error === undefined)).toEqual([false, false, false]);
	});

	it('use up one limit in a dry run', async () => {
		const { json } = await run(items, { maxPerRecipientPerDay: 1, dryRun: 'always' });
		expect(json.map(({ error }) => error === undefined)).toEqual([true, false, true]);
	});

	it('get one message of bulk, in one item or in two', async () => {
		const { json } = await service.bulk(
			[{ to: [one, other].map((each) => `+${each}`) }, { to: `+${other}` }, { to: `+${stranger}` }],
			{},
			{ settings: continues },
		);
		expect(json).toMatchObject([{ recipients: 1 }, { recipients: 1 }, { recipients: 1 }]);
		const requests = await service.control.requests({ path: '/send-sms.json' });
		const sent = requests.flatMap(({ body }) => String(Object(body).to).split(','));
		expect(sent).toEqual([one, stranger]);
	});

	it('are duplicates for Clean', async () => {
		const fields = { phoneNumber: '={{ $json.phone }}', defaultCountry: 'AU' };
		const { json } = await service.run('phoneNumber/clean', fields, { items, credentials: {} });
		const found = json.map(({ cleaned }) => (cleaned as { isDuplicate: boolean }).isDuplicate);
		expect(found).toEqual([false, true, false]);
	});
});

describe('a question by WhatsApp', () => {
	const n8n = useWaitingN8n();
	const sender = '61491570006';

	it.each(people)('to $one is answered as $other', async ({ one, other, stranger }) => {
		const recipient = `+${one}`;
		const fields = { responseType: 'approval', sender, contentType: 'text', recipient };
		const question = await n8n.ask(fields, {}, 'whatsapp/sendAndWait');
		const say = async (from: string, text: string) =>
			await n8n.service.control.inbound({ channel: 'WHATSAPP', from, to: sender, text });
		await say(stranger, 'No');
		await say(other, 'Yes');

		const { json } = await question.resumed;
		expect(json).toMatchObject({ replied: true, approved: true });
		const { contact } = json as { contact: string };
		expect(json).toMatchObject({ contact: { 52: one, 54: other, 55: contact }[one.slice(0, 2)] });
		const { error } = await service.sms([{ phone: `+${contact}` }], fast, {});
		expect(error).toBeUndefined();
	});
});
