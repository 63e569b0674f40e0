import { describe, expect, it } from 'vitest';
import { changed, richContents, sampleEvent, type Json } from '../../../fixtures/events/index.ts';
import { readEvent, readOptOut } from '../../../seams.ts';

const contact = '61491578888';

const found = (event: Json, keywords?: string[]) => readOptOut(readEvent(event)!, keywords);
const ofText = (text: string) => changed(sampleEvent('smsInbound'), 'mo.message', text);
const howOf = (text: string, keywords?: string[]) => found(ofText(text), keywords)?.record?.how;

describe('how somebody opted out', () => {
	it.each([
		['optOutByLink', 'link'],
		['optOutBySms', 'stop'],
	])('is told by the event of Kudosity: %s', (name, how) => {
		expect(found(sampleEvent(name))?.record).toMatchObject({ eventType: 'OPT_OUT', contact, how });
	});

	it.each([undefined, 7, 'PORTAL'])('is left out where the event does not tell: %j', (source) => {
		const optOut = found(changed(sampleEvent('optOutByLink'), 'opt_out.source', source));
		expect(optOut?.record).toMatchObject({ contact });
		expect(optOut?.record).not.toHaveProperty('how');
	});

	it.each([
		['STOP', 'stop'],
		[' Stop. ', 'stop'],
		['ＳＴＯＰ', 'stop'],
		['Stop! Stop!', 'keyword'],
		['Stop 🛑', 'keyword'],
		['STOPALL', 'keyword'],
		['Unsubscribe', 'keyword'],
		['cancel', 'keyword'],
		['END', 'keyword'],
		['quit.', 'keyword'],
		['Revoke', 'keyword'],
		['Opt-out!', 'keyword'],
		['Stop texting me', 'words'],
		['Stop, don’t text me', 'words'],
		['STOP it now please', 'words'],
		['stop 🙏 texting 🙏 me', 'words'],
		['Unsubscribe me please', 'words'],
		['Please stop', 'words'],
		['please, STOP!!', 'words'],
		['Please stop texting me', 'words'],
		['Pls stop', 'words'],
		['plz unsubscribe', 'words'],
		['Please unsubscribe me', 'words'],
		['Opt out please', 'words'],
		['Please opt-out', 'words'],
		['Opt me out', 'words'],
		['Stop sending me these messages', 'words'],
		['please stop sending text reminders', 'words'],
		['Unsubscribe me from all of your lists', 'words'],
		['STOP please remove me from your list', 'words'],
		['Stop. Wrong number, this is not Dave', 'words'],
		['STOP I never signed up for this', 'words'],
		['Stop, thank you very much', 'words'],
		['Please stop, I am not interested anymore', 'words'],
		['Unsubscribe please and thank you', 'words'],
		['Opt out of all messages please', 'words'],
		['STOP\nI have moved to another dentist', 'words'],
		['Stop all texts to this number', 'words'],
		['Please unsubscribe this number right now', 'words'],
		['Hi, please stop', 'words'],
		['Thanks, but please stop', 'words'],
		['I moved away. Stop', 'words'],
		['Wrong number - stop', 'words'],
		['Can you please stop texting me', 'words'],
		['I asked you to stop sending me messages', 'words'],
		['Take me off your mailing list', 'words'],
		['Could you remove my number from your database', 'words'],
		['No stop', 'words'],
		['Bad. Stop', 'words'],
		['No, stop texting me', 'words'],
		['Wrong number stop', 'words'],
		['Not interested stop', 'words'],
		['just stop', 'words'],
		['can you please stop', 'words'],
		['Yes stop', 'words'],
		['Hey stop', 'words'],
		['I never signed up STOP', 'words'],
		['Sold the house stop', 'words'],
		['For the third time STOP', 'words'],
		['Good morning, please just stop', 'words'],
		['I already said STOP!', 'words'],
		['I texted stop twice already', 'words'],
		['How many times have I told you to stop', 'words'],
		['Reply STOP', 'words'],
		['Remove me from your list, it says reply STOP to opt out but that does not work', 'words'],
		['I send STOP to this number every week, please stop texting me', 'words'],
		['Unsubscribe me. I wont text STOP to a stranger', 'words'],
		['You people won’t stop texting me', 'words'],
		['Who is this stop', 'words'],
		['I didnt ask for this stop', 'words'],
		['no more stop', 'words'],
		['dont send me any more stop', 'words'],
		['Please remove me from your system', 'words'],
		['remove from list', 'words'],
		['“Stop”', 'stop'],
		['why wont you stop', 'words'],
		['I want you to stop', 'words'],
		['We need this to stop', 'words'],
		['unsub pls', 'words'],
		['Wrong number. Please stop. Thanks', 'words'],
		['Hi there, please stop.\nThanks Jane', 'words'],
		['Not interested. Stop. Sent from my iPhone', 'words'],
		['stop calling me I’m not interested', 'words'],
		['Stop harassing me with these texts', 'words'],
		['I’m not interested in this at all so please stop', 'words'],
		['I can’t unsubscribe', 'words'],
		['Cannot opt out, link broken', 'words'],
		['You need to stop', 'words'],
		['these texts need to stop', 'words'],
		['Please remove', 'words'],
		['Wrong number please remove me', 'words'],
		['not interested remove me', 'words'],
		['Remove me now', 'words'],
		['take my number off', 'words'],
		['Can you please remove me', 'words'],
		['Don’t text me again', 'words'],
		['do not contact me', 'words'],
		['No more messages please', 'words'],
		['this is the third time I text STOP', 'words'],
		['STOP! It says reply STOP to opt out', 'words'],
		['I want to unsubscribe', 'words'],
		['Please can you unsubscribe me', 'words'],
		['never signed up unsubscribe', 'words'],
		['How do I unsubscribe?', 'words'],
		['I would like to opt out', 'words'],
		['please opt me out of this', 'words'],
		['Remove me', 'words'],
		['Please remove me', 'words'],
		['Remove my number please', 'words'],
		['Wrong person. Take me off', 'words'],
		['No. Stop messaging me please', 'words'],
		['Nah, unsubscribe', 'words'],
		['I don’t want your "deals" so please stop texting me about "bargains"', 'words'],
		['Your "VIP club" keeps texting me. Please stop texting me. Not a "VIP" thanks', 'words'],
		['“Stop texting me about your weekly specials”', 'words'],
		['No more text please', 'words'],
		['no more txts', 'words'],
		['Please don’t text me anymore I’m not interested', 'words'],
		['Dont txt me', 'words'],
		['Delete my details from your system', 'words'],
		['Take my name off your list', 'words'],
		['Please remove this number from your contacts', 'words'],
		['How do I stop these messages?', 'words'],
		['I want to stop receiving these', 'words'],
		['Please don’t send me any more messages', 'words'],
		['Do not send any more texts', 'words'],
		['unsubcribe me', 'words'],
		['I text STOP to this number last week and still getting these', 'words'],
		['I said stop last week', 'words'],
		['I asked you nicely to stop', 'words'],
		['Not interested. Remove', 'words'],
		['Make it stop', 'words'],
		['I want to unsubscribe from your text messages', 'words'],
		['I wish to opt out of all text messages', 'words'],
		['I told you to stop sending me text messages', 'words'],
		['I asked you to stop, please don’t text me again', 'words'],
		['I asked you to stop. Do not text me', 'words'],
		['I want to unsubscribe. Do not call me', 'words'],
		['I clicked to unsubscribe but still get text messages', 'words'],
		['Link to unsubscribe doesn’t work. Send me no more', 'words'],
		['Text STOP 2 times already', 'words'],
		['I text STOP 2 weeks ago and still get these', 'words'],
		['I said stop now', 'words'],
		['I said stop it', 'words'],
		['I replied STOP still getting texts', 'words'],
		['I sent STOP a month ago', 'words'],
		['I said stop on Monday', 'words'],
		['I have texted STOP for weeks', 'words'],
		['I replied STOP earlier', 'words'],
		['I replied STOP to your text and you still text me', 'words'],
		['I told you to stop or I’m calling a lawyer', 'words'],
		['I asked you to stop because I’m not a customer', 'words'],
		['I asked you to stop all contact', 'words'],
		['These messages must stop', 'words'],
		['The texts must stop', 'words'],
		['Your texts should stop', 'words'],
		['This must stop', 'words'],
		['The spam must stop', 'words'],
		['This harassment must stop', 'words'],
		['Can the texts stop', 'words'],
		['You and your team must stop', 'words'],
		['I’d like to stop', 'words'],
		['Want to stop', 'words'],
		['I want to unsubscribe please call me', 'words'],
		['Unsubscibe', 'words'],
		['Unsubscribed thanks', 'words'],
		['I already unsubscribed', 'words'],
		['I unsubscribed last week', 'words'],
		['I keep unsubscribing and you keep texting', 'words'],
		['unsuscribe', 'words'],
		['Don’t text me again on this number', 'words'],
		['Do not contact me again at all', 'words'],
		['Don’t send any more texts to this number', 'words'],
		['Don’t text me anymore at work', 'words'],
		['Take me off your list for good', 'words'],
		['I did reply stop to unsubscribe', 'words'],
		['You must stop', 'words'],
		['You guys must stop', 'words'],
		['When will you stop', 'words'],
		['Tell your team to stop', 'words'],
		['Ask your staff to stop', 'words'],
		['Text stop didn’t work', 'words'],
		['Yes remove me', 'words'],
		['remove me thx', 'words'],
		['remove my name', 'words'],
		['Get me off your list', 'words'],
		['Please opt me out of the SMS list', 'words'],
		['No longer at this number stop', 'words'],
		['The person you are looking for is no longer at this number stop', 'words'],
		['She doesn’t live at this address stop', 'words'],
		['Sam no longer lives at the house stop', 'words'],
		['I don’t work at Bayside stop', 'words'],
		['Not at this company anymore STOP', 'words'],
		['I’m not at the gym anymore stop', 'words'],
		['I don’t live near the shop anymore stop', 'words'],
		['We are not near Bondi stop', 'words'],
		['Not interested at all stop', 'words'],
		['No thanks not at the moment stop', 'words'],
		['Not at this time STOP', 'words'],
		['Don’t text me at work stop', 'words'],
		['dont text me at 6am stop', 'words'],
		['Already bought at JB stop', 'words'],
		['looking at other options stop', 'words'],
		['I no longer live in the area please remove', 'words'],
		['please take this number off your books', 'words'],
		['cancel my sms', 'words'],
		['No more deals', 'words'],
	])('by %j is: %s', (text, how) => {
		expect(howOf(text)).toBe(how);
	});

	it.each([
		'',
		'   ',
		'Yes',
		'Stop by at ten tomorrow',
		'Don’t stop',
		'please stop by',
		'Stop by at ten',
		'Please',
		'Please don’t stop',
		'We have got to stop this terrible bill',
		'please cancel my appointment',
		'Stopping at five',
		'Stop at the front desk when you come',
		'Stop in front of the shop please',
		'Stop raising your prices every year',
		'Stop changing the menu all the time',
		'See you at the bus stop, thanks',
		'I’m at the bus stop',
		'Meet me at the Smith Street stop',
		'Pick me up at the hospital stop',
		'I’m near the Broadway stop',
		'At Central stop',
		'See you at this stop',
		'Please cancel my reminder for Monday',
		'Can you take my order off your books',
		'No more deals left at the shop',
		'The item is no longer in stock please remove',
		'I got off at the wrong stop',
		'Where do I get off? Stop 5 or 6?',
		'Please don’t message me again until Monday',
		'Don’t text me again today please I’m in meetings',
		'Please do not send any messages before 8',
		'dont send any updates until he is out of surgery',
		'Please don’t send any texts to my wife',
		'Take my name off the list for Saturday thanks',
		'Please take my name off the class list',
		'Please take us off the guest list',
		'Remove us from the dinner list please',
		'I unsubscribed by mistake',
		'Why was I unsubscribed?',
		'Have I been unsubscribed?',
		'I accidentally unsubscribed, can you add me back',
		'You said stop these tablets',
		'Running late, had to stop',
		'Thanks, I’ll stop',
		'Will it stop?',
		'When will it stop?',
		'What time do you stop?',
		'Just waiting for rain to stop',
		'Yes the bleeding did stop',
		'How do I make the bleeding stop?',
		'Should he stop?',
		'Do I just stop?',
		'You said to stop food from 8pm, correct?',
		'The vet said to stop the tablets, is that ok?',
		'It said to stop fluids at 6am',
		'Driver said one more stop',
		'You said to stop in anytime',
		'Waiting at the Smith Street stop',
		'We’d like to opt out of the swimming program',
		'You could text at bus stop',
		'Yes, please remove',
		'Sure, remove',
		'Text STOP to 12345 to opt out',
		'Thanks! To stop texts, txt STOP to 80062',
		'We got your message. Reply STOP to stop texts',
		'To stop our messages call 1300 555 123',
		'At the bus stop',
		'I’m at the stop',
		'It’s the next stop',
		'It won’t stop',
		'It just doesn’t stop, sorry',
		'One more stop',
		'See you at this stop',
		'Which stop?',
		'non stop',
		'To opt out, reply STOP',
		'We got your message. If you want to unsubscribe reply STOP',
		'Dr told me to stop warfarin',
		'The doctor told me to stop',
		'Surgeon said to stop blood thinners before the op',
		'I told him to stop',
		'Should I stop?',
		'Can I stop',
		'Do you want me to stop?',
		'Can you ask the neighbours to stop',
		'I can’t get it to stop',
		'Please don’t take me off the list',
		'Take me off the waiting list',
		'Please don’t text me before 9 am',
		'Ok no need to stop',
		'I need to stop',
		'We decided to stop',
		'When should I stop?',
		'When does it stop',
		'The doctor told me to stop taking the tablets',
		'I was told to stop eating at 10pm',
		'My wife said stop by at 5',
		'Gefällt „Sommerschluss bei Acme! Opt out: https://acme.example/o/1“',
		'Liked “Sale at Acme today only. Opt out: https://acme.example/o/1”',
		'Does the number 7 tram in front of your shop also come on Sunday, and where does it stop',
		'Don’t unsubscribe me',
		'I did not want to opt out',
		'We got your message. Reply STOP to unsubscribe',
		'Thanks for contacting Acme! Text STOP to opt out',
		'Remove me from the 3 pm list of tables',
		'Please remove my name badge',
		'No, don’t stop',
		'Don’t stop texting me',
		'Cancel my 3pm, book 4pm',
		'Thank you!',
		'Take me off the 3 pm slot',
		'Please, hi',
		'...',
		'the end',
		'START',
		'🛑',
		'x'.repeat(1e6),
	])('is nothing of %j', (text) => {
		expect(found(ofText(text))).toBeUndefined();
	});

	it('is nothing of a status or a click', () => {
		for (const name of ['smsStatusDelivered', 'linkHit']) {
			expect(found(sampleEvent(name))).toBeUndefined();
		}
	});

	it.each([
		['rcsInboundText', 'TEXT', { text: { message: 'Stop' } }, 'stop'],
		['whatsappInboundReaction', 'TEXT', { text: { message: 'quit' } }, 'keyword'],
		['whatsappInboundReaction', 'BUTTON', { button: { text: 'Stop promotions' } }, 'words'],
		['whatsappInboundReaction', 'REPLY', { reply: { id: '1', title: 'Unsubscribe' } }, 'keyword'],
	])('is read from the words of %s with %s, too', (name, type, content, how) => {
		const event = changed(
			changed(sampleEvent(name), 'mo.content_type', type),
			'mo.content',
			content,
		);
		const [inner] = Object.values(content) as [{ message?: string; text?: string; title?: string }];
		expect(found(event)?.record).toMatchObject({
			how,
			text: inner.message ?? inner.text ?? inner.title,
		});
	});

	it('is read from an MMS', () => {
		const event = changed(sampleEvent('mmsInbound'), 'mo.message', 'Stop');
		expect(found(event)?.record).toMatchObject({ channel: 'MMS', how: 'stop' });
		expect(found(sampleEvent('mmsInbound'))).toBeUndefined();
	});

	it('is nothing of a reaction, whatever it quotes', () => {
		const quoted = changed(ofText('Liked “STOP”'), 'mo.last_message.message', 'STOP');
		expect(found(quoted)).toBeUndefined();
		const reaction = changed(sampleEvent('whatsappInboundReaction'), 'mo.message', 'STOP');
		expect(found(reaction)).toBeUndefined();
	});
});

describe('the keywords of a workflow', () => {
	it('count in place of the usual ones', () => {
		expect(howOf('Cancel', ['STOP', 'QUIT'])).toBeUndefined();
		expect(howOf('quit', ['STOP', 'QUIT'])).toBe('keyword');
	});

	it.each([
		['Arrêt', 'ARRET'],
		['arret!', 'Arrêt'],
		['no more', 'No more'],
		['配信停止', '配信停止'],
		['🛑', '🛑'],
	])('are compared without case, accents and punctuation: %j is %j', (text, keyword) => {
		expect(howOf(text, [keyword])).toBe('keyword');
	});

	it('never take away STOP, and the words that begin with it', () => {
		expect(howOf('stop', ['QUIT'])).toBe('stop');
		expect(howOf('Stop stop', ['QUIT'])).toBe('keyword');
		expect(howOf('Stop texting me', ['QUIT'])).toBe('words');
	});

	it('make no opt-out of a text without words', () => {
		for (const text of ['', '...', '👍']) expect(howOf(text, ['!', 'QUIT'])).toBeUndefined();
	});
});

describe('the record of an opt-out', () => {
	it('is flat: who, how, where, the words, the message before and the time', () => {
		expect(found(ofText('Stop it'))?.record).toStrictEqual({
			eventType: 'OPT_OUT',
			contact,
			how: 'words',
			channel: 'SMS',
			text: 'Stop it',
			messageId: '5b2f7f0e-3f4f-4a86-9a38-2f6f1c0b7a21',
			messageRef: 'booking-4182',
			timestamp: '2026-08-05T11:58:03.000Z',
		});
		expect(found(sampleEvent('optOutByLink'))?.record).toStrictEqual({
			eventType: 'OPT_OUT',
			contact,
			how: 'link',
			channel: 'SMS',
			messageId: '5b2f7f0e-3f4f-4a86-9a38-2f6f1c0b7a21',
			messageRef: 'booking-4182',
			timestamp: '2026-08-05T12:05:20.456Z',
		});
	});

	it.each([
		['5215512345678', '525512345678'],
		['+541123456789', '5491123456789'],
		['12345', '12345'],
		['MyShop', undefined],
		['AU.13491208655302741918', undefined],
		['13491208655302741918', undefined],
	])('has the number of %s as contact, in one spelling: %s', (sender, contact) => {
		const inbound = changed(ofText('STOP'), 'mo.sender', sender);
		expect(found(inbound)?.record?.contact).toBe(contact);
		const event = changed(sampleEvent('optOutBySms'), 'opt_out.source_message.recipient', sender);
		expect(found(event)?.record?.contact).toBe(contact);
		if (contact === undefined) expect(found(event)?.record).not.toHaveProperty('contact');
	});
});

describe('a message that nobody can read', () => {
	it.each([
		['smsInbound', 'mo.message', { a: 1 }],
		['smsInbound', 'mo', undefined],
		['rcsInboundText', 'mo.content.text.message', undefined],
		['optOutByLink', 'opt_out.source_message', 'Hi'],
	])('may be an opt-out, and is passed on as it came: %s with %s %j', (name, path, value) => {
		const optOut = found(changed(sampleEvent(name), path, value));
		expect(optOut).toBeDefined();
		expect(optOut?.record).toBeUndefined();
	});

	it('may be one of a new kind', () => {
		const event = changed(sampleEvent('whatsappInboundReaction'), 'mo.content_type', 'POLL');
		const optOut = found(changed(event, 'mo.content', { poll: { choice: 'Stop' } }));
		expect(optOut?.record).toBeUndefined();
		expect(optOut?.issues).toEqual(['mo.content_type: POLL is not a known kind of content']);
	});

	it.each(Object.entries(richContents()))('is not one of the kind %s', (kind, content) => {
		const event = changed(sampleEvent('whatsappInboundReaction'), 'mo.content_type', kind);
		expect(found(changed(event, 'mo.content', content))).toBeUndefined();
	});

	it('is read where its text is there, and another part is not', () => {
		expect(found(changed(ofText('Hello'), 'timestamp', {}))).toBeUndefined();
		expect(found(changed(ofText('STOP'), 'timestamp', {}))?.record).toMatchObject({ how: 'stop' });
	});
});
