import type { Json } from '../api/json';
import type { SendOptions } from '../fields/sendOptions';

/** Whom a message goes to: phone numbers in E.164 digits, or all contacts of a list. */
export type Receivers = { numbers: string[] } | { listId: string };

/** What guards and dry runs look at in an item that is sent. */
export type Message = {
	to: Receivers;
	options: SendOptions;
	/** Of messages of one name, which go out together, each number gets one. */
	nameOf?: () => string;
	/** The numbers that certainly got nothing although the message was accepted. */
	notSentOf?: (answer: Json) => Set<string>;
};

/** Of an operation that sends to the one number in its field Recipient. */
export const toRecipient = ({ recipient }: { recipient: string }): Receivers => ({
	numbers: [recipient],
});
