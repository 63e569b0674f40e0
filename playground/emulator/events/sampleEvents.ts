import { randomUUID } from 'node:crypto';
import {
	inboundEvent,
	inboundId,
	linkHitEvent,
	optOutEvent,
	statusEvent,
	type Channel,
	type EventBody,
	type EventType,
	type QuotedMessage,
} from './events.ts';

/** A real picture: one green pixel. */
export const tinyPngBase64 =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk2M/wHwAEAQH/rU0a2AAAAABJRU5ErkJggg==';

/** One sample for each kind of rich reply; the key under `content` is the kind in lower case. */
export const richContents = {
	TEXT: { text: { message: 'Half past nine suits me' } },
	IMAGE: {
		image: { url: 'https://files.example.com/gate.jpg', name: 'gate.jpg', caption: 'The gate' },
	},
	VIDEO: { video: { url: 'https://files.example.com/walk.mp4', name: 'walk.mp4' } },
	AUDIO: { audio: { url: 'https://files.example.com/note.mp3', name: 'note.mp3' } },
	FILE: { file: { url: 'https://files.example.com/quote.pdf', name: 'quote.pdf' } },
	LOCATION: {
		location: { lat: -33.8568, long: 151.2153, name: 'Harbour', address: 'Bennelong Point' },
	},
	CONTACT: {
		contact: {
			emails: [{ email: 'robin@example.com', type: 'WORK' }],
			name: { formatted_name: 'Robin Reed', first_name: 'Robin', last_name: 'Reed' },
			phones: [{ phone: '61491578888', type: 'MOBILE' }],
		},
	},
	REPLY: { reply: { id: 'slot-2', title: 'Tuesday', description: 'Tuesday, 10 am' } },
	STICKER: { sticker: { url: 'https://files.example.com/wave.webp', name: 'wave.webp' } },
	BUTTON: { button: { text: 'Confirm', payload: 'confirm-17' } },
	REACTION: { reaction: { action: 'react', emoji: '👍' } },
} as const;
export type ContentType = keyof typeof richContents;
export const contentTypes = Object.keys(richContents) as ContentType[];

const contact = '61491578888';
const ownNumber = '61491570006';

const sampleQuote = (type: Channel): QuotedMessage => ({
	type,
	id: randomUUID(),
	message: 'Your table for four is booked. Details: https://sho.example/k3Xq',
	message_ref: 'booking-4182',
	recipient: contact,
	sender: ownNumber,
});

const sampleStatus = (type: Channel, status: string) =>
	statusEvent({
		type,
		id: randomUUID(),
		message_ref: 'booking-4182',
		sender: type === 'RCS' ? 'PlaygroundAgent' : ownNumber,
		recipient: contact,
		status,
	});

const sampleRich = (type: Channel, contentType: ContentType) =>
	inboundEvent({
		type,
		id: randomUUID(),
		sender: contact,
		recipient: type === 'RCS' ? 'PlaygroundAgent' : ownNumber,
		content_type: contentType,
		content: richContents[contentType],
	});

const sampleText = (type: 'SMS' | 'MMS') =>
	inboundEvent({
		type,
		id: inboundId(),
		sender: contact,
		recipient: ownNumber,
		message: type === 'SMS' ? 'Yes please ' : 'Here is the receipt',
		...(type === 'MMS' && { media: [{ name: 'image-0.png', content: tinyPngBase64 }] }),
		last_message: sampleQuote('SMS'),
	});

/** A fresh, plausible event of any type, with new ids. `contentType` picks the kind of a rich reply. */
export function sampleEvent(eventType: EventType, contentType?: ContentType): EventBody {
	switch (eventType) {
		case 'LINK_HIT':
			return linkHitEvent({
				hits: 1,
				url: 'https://www.example.com/bookings/4182',
				source_message: sampleQuote('SMS'),
			});
		case 'OPT_OUT':
			return optOutEvent({ source: 'LINK_HIT', source_message: sampleQuote('SMS') });
		case 'SMS_INBOUND':
			return sampleText('SMS');
		case 'MMS_INBOUND':
			return sampleText('MMS');
		case 'RCS_INBOUND':
			return sampleRich('RCS', contentType ?? 'TEXT');
		case 'WHATSAPP_INBOUND':
			return sampleRich('WHATSAPP', contentType ?? 'REACTION');
		case 'SMS_STATUS':
			return sampleStatus('SMS', 'DELIVERED');
		case 'MMS_STATUS':
			return sampleStatus('MMS', 'SENT');
		case 'RCS_STATUS':
			return sampleStatus('RCS', 'READ');
		case 'WHATSAPP_STATUS':
			return sampleStatus('WHATSAPP', 'READ');
	}
}
