import { describe, expect, it } from 'vitest';
import { exampleFields, operationsByName } from '../helpers/exampleFields.ts';
import { continues, useDeduplicationStore, useShortTimeouts } from './emulator.ts';
import { useWaitingN8n } from './waitingN8n.ts';

const n8n = useWaitingN8n();
const { service } = n8n;
useDeduplicationStore();
useShortTimeouts();

const [ana, ben] = ['61491570006', '61491570156'];
const filler = 'x'.repeat(100);
/** Two parts as it is, and one with plain characters. */
const typed = `It\u2019s on \u2013 \u201cnow\u201d ${filler}`;
const plain = `It's on - "now" ${filler}`;
const changed = {
	replaced: [
		{ from: '\u201c', to: '"', count: 1 },
		{ from: '\u201d', to: '"', count: 1 },
		{ from: '\u2019', to: "'", count: 1 },
		{ from: '\u2013', to: '-', count: 1 },
	],
	partsSaved: 1,
};
const smart = { smartEncoding: true };

const texts = async () => (await service.control.messages()).map(({ text }) => text);
const takesSms = Object.entries(operationsByName)
	.filter(([, { sends }]) => sends?.text ?? sends?.fallback)
	.map(([name]) => name);

it('is an option of everything that sends an SMS, and of nothing else', () => {
	const withOption = Object.entries(operationsByName).filter(([, { properties }]) =>
		JSON.stringify(properties).includes('"smartEncoding"'),
	);
	expect(withOption.map(([name]) => name)).toEqual(takesSms);
});

describe('Smart Encoding of an SMS', () => {
	it('sends the plain characters, and says what was changed', async () => {
		const { json, hints } = await service.sms([{ phone: ana, text: typed }], smart);

		expect(await texts()).toEqual([plain]);
		expect(json).toMatchObject([{ parts: 1, encoding: 'GSM-7', smartEncoding: changed }]);
		expect(hints).toEqual(['1 accepted, 1 SMS part saved by Smart Encoding']);
	});

	it.each([
		['it is off', typed, {}],
		['nothing is saved', 'It\u2019s on', smart],
		['there is an emoji', `${typed} \u{1F600}`, smart],
	])('changes nothing where %s', async (_, text, options) => {
		const { json, hints } = await service.sms([{ phone: ana, text }], options);

		expect(await texts()).toEqual([text]);
		expect(json[0]).not.toHaveProperty('smartEncoding');
		expect(hints).toEqual([]);
	});

	it('comes before the limit of parts, and each item has its own switch', async () => {
		const items = [
			{ phone: ana, text: typed, smart: true },
			{ phone: ben, text: typed, smart: 'false' },
		];
		const options = { maxParts: 1, smartEncoding: '={{ $json.smart }}' };
		const { json } = await service.sms(items, options, { settings: continues });

		expect(json).toMatchObject([{ smartEncoding: changed }, { error: expect.any(String) }]);
		expect(await texts()).toEqual([plain]);
	});

	it('shows in a dry run the text that would be sent', async () => {
		const dry = { ...smart, dryRun: 'always' };
		const items = [ana, ben].map((phone) => ({ phone, text: typed }));
		const { json, hints } = await service.sms(items, dry);

		expect(json[0]).toMatchObject({ dryRun: true, message: plain, smartEncoding: changed });
		expect(hints).toEqual([
			'Dry run (nothing sent): 2 ready to send, 2 SMS parts saved by Smart Encoding',
		]);
	});

	it('finds a message whose answer was lost', async () => {
		await service.fault('resetAfterAcceptance', { method: 'POST', path: '/v2/sms' });
		const { json } = await service.sms([{ phone: ana, text: typed }], smart);

		expect(json).toMatchObject([{ id: expect.any(String), smartEncoding: changed }]);
		expect(await texts()).toEqual([plain]);
	});
});

it('combines bulk items that read the same once they are plain, each number once', async () => {
	const items = [
		{ to: ana, text: typed },
		{ to: [ana, ben], text: plain },
	];
	const { json } = await service.bulk(items, { ...smart, maxPerRecipientPerDay: 2 });

	expect(await service.control.requests()).toMatchObject([
		{ body: { message: plain, to: `${ana},${ben}` } },
	]);
	expect(json).toMatchObject([{ recipients: 1, smartEncoding: changed }, { recipients: 2 }]);
	expect(json[1]).not.toHaveProperty('smartEncoding');
});

it.each(['rcs/send', 'whatsapp/send'])('changes the SMS fallback of %s only', async (name) => {
	const fields = { ...exampleFields(operationsByName[name]!), message: typed };
	const options = { ...smart, smsFallbackMessage: typed, smsFallbackSender: ana, maxParts: 1 };
	const { json, error } = await service.run(name, { ...fields, options });

	expect(error).toBeUndefined();
	expect(json).toMatchObject([{ smartEncoding: changed }]);
	expect(await service.control.requests()).toMatchObject([
		{ body: { content: { text: { message: typed } }, sms_fallback: { message: plain } } },
	]);
});

describe('a question', () => {
	const asked = { message: typed, responseType: 'approval' };
	const both = {
		...changed,
		replaced: changed.replaced.map((each) => ({ ...each, count: 2 })),
		partsSaved: 2,
	};

	it('and the second message are sent with plain characters', async () => {
		const question = await n8n.ask({
			...asked,
			options: { ...smart, unexpectedReplyMessage: typed },
		});
		expect(question.parked.smartEncoding).toEqual(both);
		await n8n.reply('Perhaps');
		await service.control.waitForMessages({ text: plain }, { count: 2 });
		await n8n.reply('Yes');

		expect((await question.resumed).json).toMatchObject({ approved: true, smartEncoding: both });
		expect((await texts()).filter((text) => text.includes(filler))).toEqual([plain, plain]);
	});
});

describe('an opt-out placeholder that a word processor changed, or that was typed from memory', () => {
	it.each([
		'[opt\u2011out\u2011link]',
		'[opt\u2013out\u2013link]',
		'[opt-out\u2010link]',
		'[opt\u00ad-out-link]',
		'\uff3bopt-out-link\uff3d',
		'[unsub\u2212reply\u2212link]',
		'[Opt-out-link]',
		'[OPT-OUT-LINK]',
		'[opt out link]',
		'[opt_out_link]',
		'[ opt-out-link ]',
		'[opt-out - link]',
		'{opt-out-link}',
		'(opt-out-link)',
		'【opt-out-link】',
		'<Opt-out link>',
		'[optout-link]',
		'[opt-out]',
		'[Unsubscribe]',
		'[unsubscribe-link]',
	])('%s is refused', async (placeholder) => {
		for (const options of [{}, smart]) {
			const text = `${typed} [opt-out-link] ${placeholder}`;
			const { error } = await service.sms([{ phone: ana, text }], options);
			expect(error?.message).toMatch(
				/^'Message' has a misspelled \[.*-link\], e.g. with a capital letter/,
			);
		}
		expect(await service.control.requests()).toEqual([]);
	});

	it('is none in brackets around a sentence', async () => {
		for (const text of [
			'Sale [reply STOP to opt out]',
			'Sale. Reply STOP (opt out)',
			'Sale. [Unsubscribe](https://acme.example/u)',
		]) {
			expect((await service.sms([{ phone: ana, text }])).error).toBeUndefined();
		}
	});

	it('is none where brackets stand around the right one', async () => {
		const { error } = await service.sms([{ phone: ana, text: '(Stop: [opt-out-link])' }]);
		expect(error).toBeUndefined();
	});
});
