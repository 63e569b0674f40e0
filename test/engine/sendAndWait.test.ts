import { describe, expect, it } from 'vitest';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { useDeduplicationStore } from './emulator.ts';
import { useWaitingN8n } from './waitingN8n.ts';

const n8n = useWaitingN8n();
const { service, reply, delivered, webhooksLeft } = n8n;
useDeduplicationStore();

const sender = '61491570156';
const contact = '61491573770';
const stranger = '61491571266';

const messages = async () => await service.control.messages();
const webhooks = async () => await service.control.webhooks();
const approval = { responseType: 'approval' };
const replyByMms = async (file: { name: string; content: string }) => {
	const written = { from: contact, to: sender, text: 'This one' };
	await service.control.inbound({ ...written, channel: 'MMS', media: [file] });
};

describe('a question', () => {
	it('goes out after its webhook was made, and waits', async () => {
		n8n.passTime(2 * 3_600_000);
		const { parked, run, error } = await n8n.ask();

		expect(error).toBeUndefined();
		expect(run.status).toBe('waiting');
		const [sent] = await messages();
		expect(parked).toMatchObject({
			replied: false,
			timedOut: true,
			optedOut: false,
			contact,
			sender,
			questionId: sent?.id,
		});
		const requests = await service.control.requests();
		expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
			'GET /v2/webhook',
			'POST /v2/webhook',
			'POST /v2/sms',
		]);
		const [webhook] = await webhooks();
		expect(webhook).toMatchObject({
			id: parked.webhookId,
			name: expect.stringMatching(/^n8n: Engine test - Kudosity \(question until .* UTC\)$/),
			filter: { event_type: ['SMS_INBOUND', 'MMS_INBOUND', 'OPT_OUT'], sender: [sender] },
		});
	});

	it.each(['number', 'list'])('goes on with the reply to a sender chosen by %s', async (mode) => {
		const question = await n8n.ask({ sender: { __rl: true, mode, value: sender } });
		await reply('Yes');

		expect((await messages())[0]?.sender).toBe(sender);
		expect((await question.resumed).json).toMatchObject({ replied: true, sender });
		await webhooksLeft(0);
	});

	it('is answered by the person who was asked, paired with its item, and leaves no webhook', async () => {
		const question = await n8n.ask();
		const { id } = await reply('Tuesday at 3, please');
		const item = await question.resumed;

		const respondedAt = expect.stringMatching(/^\d{4}-.*Z$/);
		expect(item.json).toEqual({
			replied: true,
			timedOut: false,
			optedOut: false,
			text: 'Tuesday at 3, please',
			data: { text: 'Tuesday at 3, please', respondedAt },
			keyword: 'TUESDAY',
			channel: 'SMS',
			contact,
			sender,
			respondedAt,
			questionId: question.parked.questionId,
			replyId: id,
			webhookId: question.parked.webhookId,
		});
		const [out] = await question.goOn([[item]]);
		expect(out?.pairedItem).toEqual({ item: 0 });
		await webhooksLeft(0);
		expect(await service.control.requests({ method: 'POST' })).toHaveLength(2);
		const path = `/v2/webhook/${String(question.parked.webhookId)}`;
		expect(await service.control.requests({ method: 'DELETE', path })).toHaveLength(1);
	});

	it('stays open when somebody else writes, or the person writes to another number', async () => {
		const question = await n8n.ask();
		await reply('Yes', stranger);
		await reply('Yes', contact, '61491570157');
		await delivered(1);
		expect(question.output()).toBeUndefined();
		expect(n8n.answers()).toEqual([200]);

		await reply('Mine');
		expect((await question.resumed).json.text).toBe('Mine');
	});

	it('tells nobody that its time is over while it waits, such as a caller who gets the output at once', async () => {
		const { json } = await n8n.ask();

		expect(json).toMatchObject([{ replied: false, timedOut: false, waiting: true, contact }]);
	});

	it('tells such a caller of no decision, and of no secret', async () => {
		const { json } = await n8n.ask(approval);

		for (const name of ['approved', 'matched', 'data', 'question']) {
			expect(json[0]).not.toHaveProperty(name);
		}
	});

	it('says after its time what is needed to go on', async () => {
		const question = await n8n.ask({ waitAmount: 30, waitUnit: 'minutes' });
		const [out] = await question.goOn();

		expect(out?.json).toEqual(question.parked);
		expect(out?.json).toMatchObject({ timedOut: true, replied: false, contact, sender });
		expect(out?.pairedItem).toMatchObject({ item: 0 });
		const waitMs = Date.parse(String(out?.json.waitedUntil)) - Date.now();
		expect(waitMs).toBeGreaterThan(29 * 60_000);
		expect(waitMs).toBeLessThan(31 * 60_000);
	});

	it('goes on with an error output too, for which n8n empties what the node returned', async () => {
		const question = await n8n.ask({}, { settings: { onError: 'continueErrorOutput' } });
		const [out] = await question.goOn();
		expect(out?.json).toMatchObject({ timedOut: true, contact });

		await reply('Hello');
		expect((await question.resumed).json.text).toBe('Hello');
	});

	it('ends with STOP, once, although the service reports it twice', async () => {
		const question = await n8n.ask();
		await reply('STOP');
		const { json } = await question.resumed;
		await delivered(2);

		expect(json).toMatchObject({ replied: false, timedOut: false, optedOut: true, contact });
		expect(question.resumptions()).toBe(1);
		expect(n8n.answers()).toEqual([200, 200]);
	});

	it('ends with an opt-out in other words, and sends nothing more', async () => {
		const question = await n8n.ask({
			responseType: 'approval',
			options: { unexpectedReplyMessage: 'YES or NO?' },
		});
		await reply('Please stop texting me');
		const { json } = await question.resumed;

		expect(json).toMatchObject({
			...{ replied: false, optedOut: true, approved: false },
			text: 'Please stop texting me',
		});
		const sent = (await service.control.messages()).filter(({ direction }) => direction === 'OUT');
		expect(sent).toHaveLength(1);
	});

	it('ends when the person opts out by a link', async () => {
		const question = await n8n.ask();
		await service.control.optOut(String(question.parked.questionId));

		expect((await question.resumed).json).toMatchObject({ optedOut: true, replied: false });
	});

	it('is answered once when the service delivers twice', async () => {
		await service.control.settings({ duplicateEvents: true });
		const question = await n8n.ask();
		await reply('Hello');
		await question.resumed;
		await delivered(2);

		expect(question.resumptions()).toBe(1);
	});

	it('hears a reply again that n8n failed to take', async () => {
		await service.control.settings({ retryDelaysMs: [1] });
		n8n.failNext(500);
		const question = await n8n.ask();
		await reply('Hello');

		expect((await question.resumed).json.text).toBe('Hello');
		await webhooksLeft(0);
	});

	it('has the pictures of an MMS answer as binary data', async () => {
		const question = await n8n.ask();
		const content = Buffer.from('89504e470d0a1a0a0000', 'hex').toString('base64');
		await replyByMms({ name: 'door.png', content });
		const { json, binary } = await question.resumed;

		expect(json).toMatchObject({ replied: true, text: 'This one', channel: 'MMS' });
		expect(json.media).toMatchObject([{ name: 'door.png', property: 'media0' }]);
		expect(binary?.media0).toMatchObject({ mimeType: 'image/png', fileName: 'door.png' });
	});

	it('says which file of an MMS answer cannot be read', async () => {
		const question = await n8n.ask();
		await replyByMms({ name: 'door.png', content: 'BASE64-encoded!' });
		const { json, binary } = await question.resumed;

		expect(json).toMatchObject({
			text: 'This one',
			media: [{ name: 'door.png' }],
			parseIssues: ['mo.media.0.content: is not base64'],
		});
		expect(binary).toBeUndefined();
	});
});

describe('the next question of an execution', () => {
	// n8n 1 would restart an execution that is still running.
	it.runIf(isCurrent)(
		'goes out once the time of the one before is over, for n8n still has a timer for that',
		async () => {
			const first = await n8n.ask({ waitAmount: 1, waitUnit: 'minutes' });
			await reply('Yes');
			await first.resumed;
			await webhooksLeft(0);
			const begun = performance.now();
			const { status } = await first.again();

			expect(status).toBe('waiting');
			expect(await messages()).toHaveLength(2);
			expect(performance.now() - begun).toBeGreaterThan(55_000);
			expect(performance.now() - begun).toBeLessThan(80_000);
		},
	);

	it.each([
		['the reply came early', { waitAmount: 2, waitUnit: 'minutes' }, 0],
		['nobody answered in time', { waitAmount: 1, waitUnit: 'minutes' }, 61_000],
	])('goes out at once when %s', async (_, wait, passedMs) => {
		const first = await n8n.ask(wait);
		if (passedMs > 0) n8n.passTime(passedMs);
		else {
			await reply('Yes');
			await first.resumed;
			await webhooksLeft(0);
		}
		const begun = performance.now();
		await first.again();

		expect(await messages()).toHaveLength(2);
		expect(performance.now() - begun).toBeLessThan(30_000);
	});
});

describe('an approval', () => {
	it.each([
		['yes', true],
		[' Yes! ', true],
		['👍🏽', true],
		['si', true],
		['No thanks.', false],
		['NEIN', false],
	])('takes “%s” for %s', async (text, approved) => {
		const question = await n8n.ask(approval);
		await reply(text);

		expect((await question.resumed).json).toMatchObject({
			replied: true,
			matched: true,
			approved,
			data: { approved },
			text,
		});
	});

	it('keeps waiting for a word that fits, and explains once what to write', async () => {
		const question = await n8n.ask({
			...approval,
			options: { unexpectedReplyMessage: 'Please reply YES or NO' },
		});
		await reply('Why do you ask?');
		await service.control.waitForMessages({ text: 'Please reply YES or NO' });
		await reply('Who are you?');
		await delivered(2);
		expect(question.output()).toBeUndefined();
		await reply('no');

		expect((await question.resumed).json).toMatchObject({ approved: false, text: 'no' });
		const texts = (await messages()).map(({ text, recipient }) => [text, recipient]);
		expect(texts).toEqual([
			['Yes or no?', contact],
			['Please reply YES or NO', contact],
		]);
	});

	it('goes on with what does not fit where that is wanted', async () => {
		const question = await n8n.ask({ ...approval, options: { onUnexpectedReply: 'continue' } });
		await reply('Call me');

		expect((await question.resumed).json).toMatchObject({
			replied: true,
			matched: false,
			approved: false,
			text: 'Call me',
		});
	});

	it('is not asked for by numbers, unless they are its words', async () => {
		const message = 'Can you come? Reply 1 for yes, 2 for no';
		const { error } = await n8n.run({ ...approval, message });
		expect(error?.message).toContain("'Message' asks for a reply with a number");
		expect(error?.description).toContain("'Options > Approve Words'");
		expect(await service.control.messages()).toEqual([]);

		const options = { approveWords: 'Yes, 1', declineWords: 'No, 2' };
		const question = await n8n.ask({ ...approval, message, options });
		await reply('1');
		expect((await question.resumed).json).toMatchObject({ approved: true });
	});

	it.each([
		'Text 1 for yes, 2 for no',
		'Send "1" or "2"',
		'OK?\nText 1\nor 2',
		'Send 1, 2 or 3',
		'To confirm, reply 1. To decline, reply 2.',
		'Please reply:\n1 - yes\n2 - no',
		'Reply ‘1’ for yes',
		'Reply (1) yes or (2) no',
		'Reply #1 for yes',
		'OK? 1 = yes, 2 = no',
		'Tue 9am? 1 to confirm, 2 to cancel',
		'Reply 1/2',
		'Text back 1 for yes, 2 for no',
		'Reply with the number 1 to confirm',
		'Select 1 for yes, 2 for no',
		'Reply ONLY 1 for YES or 2 for NO',
		'Reply with either 1 (accept) or 2 (decline)',
		'OK?\n1. Yes\n2. No',
		'1 - Yes, 2 - No',
		'Reply 1 Yes, 2 No',
		'Reply 1: Yes 2: No',
		'Reply 1) Yes 2) No',
		'Press 1.',
		'Enter 1',
		'Type 1 yes',
		'Text 1 back to confirm',
		'Reply 1 please',
		'Reply 1️⃣ for yes',
		'Reply with a 1 for yes',
	])('is not asked for by numbers in other forms: %s', async (message) => {
		const { error } = await n8n.run({ ...approval, message });
		expect(error?.message).toContain("'Message' asks for a reply with a number");
	});

	it.each([
		'Can you send 1 photo of the roof?',
		'May we text 1 reminder to Ana?',
		'Your Type 1 diabetes review is due. Can you come Tue 9am? Reply YES or NO',
		'Would you answer 1 quick question? Reply YES or NO',
		'Reply YES or NO. Questions? Call 1300 555 123 and press 1',
		'Will you choose 1 free item? YES or NO',
		'Please reply 1 day before: YES or NO',
		'Offer: 1 for $5, 2 for $8. Reply YES or NO',
		'Is 1 to 2 pm OK?',
		'Please press 1 on the intercom when you arrive. Reply YES if OK.',
		'Phone 1300 555 555 and press 1. Otherwise reply YES or NO',
		'Please reply 1 March latest: YES or NO',
		'Please reply 1 of the following: YES, NO, MAYBE',
		'Order: 1 to Sydney, 2 to Perth. OK? YES or NO',
		'Tickets: 1 for Ann, 2 for Bob. Approve? Reply YES or NO',
		'Can you send 1 or 2 photos?',
		'Please send 1-2 photos of the leak. Reply YES when ready',
		'Would you answer 1 or 2 questions?',
		'The driver will enter 1/5 Smith St. OK?',
		'Do you have type 1 or 2 diabetes?',
		'Can you cover ward 1 for Ann and ward 2 for Bob? Reply YES or NO',
		'Deliver 1 to the shop and 2 to the depot? Reply YES or NO',
		'Laptop 1 for Ann, laptop 2 for Bob for $2,400: shall we buy?',
		'Reply YES or NO, or call 1300 975 707 and press 1 for bookings',
	])('is asked where the number is none to reply with: %s', async (message) => {
		const { error } = await n8n.ask({ ...approval, message });
		expect(error).toBeUndefined();
	});

	it('takes the words that were chosen, and no others', async () => {
		const options = { approveWords: 'Book it, go', declineWords: 'later' };
		const question = await n8n.ask({ ...approval, options });
		await reply('yes');
		await delivered(1);
		expect(question.output()).toBeUndefined();
		await reply('book  IT');

		expect((await question.resumed).json).toMatchObject({ approved: true });
	});

	it.each(['approveWords', 'declineWords'])(
		'is not asked with the default words where the expression in %s returns nothing',
		async (name) => {
			const options = { [name]: '={{ $json.code }}' };
			const { error } = await n8n.run({ ...approval, options }, { items: [{ amount: 1180 }] });
			expect(`${error?.message}`).toMatch(/'Options > (Approve|Decline) Words' is empty/);
			expect(await service.control.messages()).toEqual([]);
		},
	);

	it.each([
		['是，好，可以', '好'],
		['نعم، موافق', 'موافق'],
		['はい、了解', '了解'],
		['Yes\nBook it', 'book it'],
		['Yes; Book it', 'book it'],
		['Yes/Book it', 'book it'],
	])('takes each of “%s”, with the comma of their script', async (approveWords, text) => {
		const question = await n8n.ask({ ...approval, options: { approveWords } });
		await reply(text);

		expect((await question.resumed).json).toMatchObject({ approved: true });
	});
});

describe('a choice', () => {
	const choice = { responseType: 'choice', choices: ['Morning', 'Afternoon', 'Not at all'] };

	it.each([
		['afternoon', 'Afternoon'],
		['  NOT AT  ALL ', 'Not at all'],
		['2', 'Afternoon'],
		['(1)', 'Morning'],
		['notatall', 'Not at all'],
		['2 please', 'Afternoon'],
		['Morning ;)', 'Morning'],
	])('takes “%s” for %s', async (text, chosen) => {
		const question = await n8n.ask(choice);
		await reply(text);

		expect((await question.resumed).json).toMatchObject({ matched: true, choice: chosen });
	});

	it('is the one without spaces', async () => {
		const question = await n8n.ask({ ...choice, choices: ['9 am', '2pm'] });
		await reply('9am thanks mate');

		expect((await question.resumed).json).toMatchObject({ matched: true, choice: '9 am' });
	});

	it('can be several in one text, with the comma of their script', async () => {
		const question = await n8n.ask({ ...choice, choices: ['早上、下午，晚上'] });
		await reply('２');

		expect((await question.resumed).json).toMatchObject({ choice: '下午' });
	});

	it('can be CANCEL, which ends the messages of nobody who was asked for it', async () => {
		const question = await n8n.ask({ ...choice, choices: ['Keep', 'Cancel'] });
		await reply('Cancel');

		expect((await question.resumed).json).toMatchObject({ replied: true, choice: 'Cancel' });
	});

	it.each([
		['Reply 1 to confirm, 2 to decline', ['Yes', 'No']],
		['Reply 1 to stay, 2 if you cannot come', ['Cancel', 'Keep']],
		['Press 1 for great, 2 for okay, 3 for poor', ['Great', 'OK', 'Poor']],
		['Reply with 1 to confirm or 2 to change the time', ['Confirm', 'Reschedule']],
		['Reply:\n1 - I am coming\n2 - Not coming', ['Yes', 'No']],
		['Tue 9am? 1 to confirm, 2 to cancel', ['Yes', 'No']],
		['1 = coming, 2 = not coming', ['Yes', 'No']],
	])('is not asked for by numbers that name no choice: %s', async (message, choices) => {
		const { error } = await n8n.run({ ...choice, message, choices });
		expect(error?.message).toContain("'Message' asks for a reply with a number");
		expect(error?.description).toContain(`Reply 1 for ${choices[0]}, 2 for ${choices[1]}`);
		expect(await service.control.messages()).toEqual([]);
	});

	it.each([
		['Reply 1 for Yes, 2 for No', ['Yes', 'No']],
		['Can you come on 1 May?', ['Yes', 'No']],
		['Yes or no? Reply 1 or 2', ['Yes', 'No']],
		['Table 1 or 2? Reply YES or NO', ['Yes', 'No']],
		['Inspection at 1/2 Smith St. Are you coming?', ['Yes', 'No']],
		['How was it, from 1 to 5?', ['1', '2', '3', '4', '5']],
		['How was it? Reply 1, 2 or 3', ['1', '2', '3']],
		['Please choose 1 of these: Beef, Fish or Veg', ['Beef', 'Fish', 'Veg']],
		['Choose 1: Small or Large', ['Small', 'Large']],
	])('is asked for where the message is clear: %s', async (message, choices) => {
		const { error } = await n8n.ask({ ...choice, message, choices });
		expect(error).toBeUndefined();
	});

	it.each([['4'], ['0'], ['tomorrow']])('goes on waiting after “%s”', async (text) => {
		const question = await n8n.ask(choice);
		await reply(text);
		await delivered(1);

		expect(question.output()).toBeUndefined();
	});
});

describe('a reaction that arrives as a text', () => {
	const message = 'Which show did you love? A – Hamilton, B – “Cats”';

	it('is no answer where any text is one', async () => {
		const question = await n8n.ask({ message, options: { smartEncoding: true } });
		// Carriers may write the quotes and dashes in their own way.
		await reply(`Loved “${message}”`);
		await reply(
			'\u200a\u200b👍\u200b to “\u200aWhich show did you love? A - Hamilton…\u200a”\u200a',
		);
		await reply('Removed a heart from “Which show did you love?”');
		await reply('Liked an image');
		await delivered(4);
		expect(question.output()).toBeUndefined();

		await reply('Loved “Hamilton”');
		expect((await question.resumed).json).toMatchObject({
			replied: true,
			text: 'Loved “Hamilton”',
			keyword: 'LOVED',
		});
	});

	it.each([
		[approval, 'Yes', { approved: true }],
		[
			{ responseType: 'choice', choices: ['Hamilton', 'Cats'] },
			'Cats',
			{ matched: true, choice: 'Cats' },
		],
	])('is not explained, and ends nothing: %j', async (type, answer, output) => {
		const options = { unexpectedReplyMessage: 'One word, please' };
		const question = await n8n.ask({ ...type, message, options });
		await reply(`Questioned “${message}”`);
		await delivered(1);
		await reply('Hello', stranger);
		await reply('Liked an image');
		await delivered(3);
		expect(question.output()).toBeUndefined();
		expect(await messages()).toHaveLength(1);

		await reply('Why?');
		await service.control.waitForMessages({ text: options.unexpectedReplyMessage });
		await reply('Liked “One word, please”');
		await delivered(5);
		expect(question.output()).toBeUndefined();
		expect(await messages()).toHaveLength(2);

		await reply(answer);
		expect((await question.resumed).json).toMatchObject(output);
	});

	it('ends no question that goes on with what it does not expect', async () => {
		const options = { onUnexpectedReply: 'continue' };
		const question = await n8n.ask({ ...approval, message, options });
		await reply(`Disliked “${message}”`);
		await delivered(1);
		expect(question.output()).toBeUndefined();

		await reply('Disliked “Cats”');
		expect((await question.resumed).json).toMatchObject({ replied: true, matched: false });
	});
});

describe('nothing is sent', () => {
	it.each<[string, Record<string, unknown>, string, RegExp?]>([
		['from a name', { sender: 'Acme' }, "'Sender' is a name, and recipients can't reply to a name"],
		[
			'where STOP approves, which is never an answer',
			{ ...approval, options: { approveWords: 'Go, Stop!' } },
			"'Options > Approve Words' includes STOP",
		],
		[
			'where STOP declines',
			{ ...approval, options: { declineWords: 'No, STOP' } },
			"'Options > Decline Words' includes STOP",
		],
		[
			'where a word means both',
			{ ...approval, options: { declineWords: 'yes' } },
			"'Options > Decline Words' have a word in common",
		],
		[
			'where STOP is a choice',
			{ responseType: 'choice', choices: ['Go on', 'stop'] },
			"'Choices' includes STOP",
			/another word/,
		],
		[
			'to somebody whom the guards do not allow',
			{ options: { allowedRecipients: stranger } },
			'Allowed Recipients',
		],
	])('%s', async (_, fields, message, remedy = /./) => {
		const { error } = await n8n.run(fields);

		expect(error?.message).toContain(message);
		expect(error?.description).toMatch(remedy);
		expect(await service.control.requests()).toEqual([]);
		const { options } = fields as { options?: object };
		const dry = await n8n.run({ ...fields, options: { ...options, dryRun: 'always' } });
		expect(dry.json).toMatchObject([{ outcome: 'notSent' }]);
	});

	it('for several items, with what to do', async () => {
		const { error } = await n8n.run({}, { items: [{}, {}] });

		expect(error?.message).toContain('but got 2');
		expect(error?.description).toMatch(/Loop Over Items.*Execute Sub-workflow/);
		expect(await service.control.requests()).toEqual([]);
	});

	it('in a dry run, which does not wait either', async () => {
		const { run, json } = await n8n.run({ options: { dryRun: 'always' } });

		expect(run.status).toBe('success');
		expect(json).toMatchObject([{ dryRun: true, message: 'Yes or no?' }]);
		expect(await service.control.requests({ method: 'POST' })).toEqual([]);
	});

	it('whose Deduplication Key was used, and says that nobody answered it', async () => {
		const once = { ...approval, options: { deduplicationKey: 'order-7' } };
		await n8n.ask(once);
		const before = { replied: true, approved: true, data: { approved: true } };
		const { run, json } = await n8n.run(once, { items: [before] });

		expect(run.status).toBe('success');
		expect(json).toMatchObject([
			{
				code: 'already_messaged',
				replied: false,
				timedOut: false,
				optedOut: false,
				approved: false,
				data: { approved: false },
			},
		]);
	});

	it('without a webhook for the reply', async () => {
		await service.fault('status403', { path: '/v2/webhook', method: 'POST' });
		const { error } = await n8n.run();

		expect(error?.message).toMatch(/^The question was not sent, because its webhook failed: /);
		expect(await messages()).toEqual([]);
	});
});
