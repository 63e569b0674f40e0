import { chatMessage, dataOf, listedChatMessage, read, send } from '../endpoint';
import { cursorList } from '../lists';

const path = '/v2/whatsapp/messages';

export const sendWhatsappMessage = send({ path, answer: () => dataOf(chatMessage()) });

/** The message includes its `status` and `events`. */
export const getWhatsappMessage = read({
	path: `${path}/{id}`,
	answer: () => dataOf(chatMessage()),
});

/** The messages, newest first. */
export const getWhatsappMessages = cursorList({
	path,
	records: 'messages',
	record: listedChatMessage,
});
