import type { Field, Read } from './field';
import { senderAddress } from './readers/phone';
import { resourceLocator, type Shown } from './resourceLocator';

const shown: Shown<'sender'> = {
	displayName: 'Sender',
	name: 'sender',
	noun: 'sender',
	searchListMethod: 'searchSenders',
	placeholder: 'e.g. 61491570110',
	description:
		'A number of your account, or a sender name of at most 11 characters. Recipients can only reply to a number. The list has verified senders, and those used lately.',
	hint: 'A number of your account, or a name of at most 11 characters',
	by: 'Number or Name',
	isTypedFirst: true,
};

/** What a message goes out from: typed, or chosen among those that the credential can list. */
export const senderField = (
	special: Partial<Omit<Shown<'sender'>, 'name'>> = {},
	read: Read<string> = senderAddress,
): Field<'sender', string> => ({
	...resourceLocator({ ...shown, ...special }, read),
	takesPhoneNumbers: true,
});

export const sender = senderField();
