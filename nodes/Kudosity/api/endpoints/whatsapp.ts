import { chatMessage, dataOf, listedChatMessage, read, send, textOrNone } from '../endpoint';
import { cursorList } from '../lists';

const connection = 'key';
const path = '/v2/whatsapp/messages';

/** One text, template or message of Meta's to one recipient. */
export const sendWhatsappMessage = send({ connection, path, answer: () => dataOf(chatMessage()) });

/** With `status` and `events`. */
export const getWhatsappMessage = read({
	connection,
	path: `${path}/{id}`,
	answer: () => dataOf(chatMessage()),
});

/** Newest first. */
export const getWhatsappMessages = cursorList({
	path,
	records: 'messages',
	record: listedChatMessage,
	identify: ({ id }) => textOrNone(id),
});
