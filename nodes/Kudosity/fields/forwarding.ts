import { phoneNumbers } from './readers/phone';
import { field, type Field, type InputOf, type Read } from './field';
import { publicUrl } from './readers/address';
import { isEmailAddress } from './readers/email';
import { maybeListId } from './listId';
import { commaList } from './readers/list';
import { optional, optionalText } from './readers/text';
import { refuse } from './refusal';

const readAddresses = (value: unknown): string[] | undefined => {
	const addresses = commaList(value);
	if (addresses.length === 0) return undefined;
	return addresses.every(isEmailAddress)
		? addresses
		: refuse('has an entry that is no email address', 'Separate the addresses by commas');
};

const readNumbers: Read<string[] | undefined> = (value, scope) => {
	if (commaList(value).length === 0) return undefined;
	const { numbers, refused } = phoneNumbers(value, scope);
	const [first] = refused;
	return first
		? refuse(`has no phone number at position ${first.position}: it ${first.reason}`, first.remedy)
		: numbers;
};

const forwardEmail = field(
	{
		displayName: 'Forward to Email',
		name: 'forwardEmail',
		type: 'string',
		default: '',
		placeholder: 'e.g. team@example.com, sam@example.com',
		description: 'Email addresses that get a copy of what arrives, separated by commas',
	},
	readAddresses,
);

const forwardSms: Field<'forwardSms', string[] | undefined> = {
	...field(
		{
			displayName: 'Forward to Phone Numbers',
			name: 'forwardSms',
			type: 'string',
			default: '',
			placeholder: 'e.g. 61491570006, 61491570156',
			description:
				'Phone numbers that get a copy of what arrives, separated by commas. Each copy is an SMS, and costs as much.',
		},
		readNumbers,
	),
	takesPhoneNumbers: true,
};

export const forwardUrl = field(
	{
		displayName: 'Forward to URL',
		name: 'forwardUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/replies',
		description:
			'A public address that is called with GET when an SMS arrives. A Webhook node of n8n can take it; for the Kudosity Trigger it is not needed.',
	},
	optional(publicUrl),
);

const addToList = maybeListId('The contact list that people who write are added to');

const membersMessage = field(
	{
		displayName: 'Message to Members',
		name: 'membersMessage',
		type: 'string',
		default: '',
		placeholder: 'e.g. Thanks, you are on our list already',
		description:
			'The answer to people who are on the list already. Each answer is an SMS that costs money.',
	},
	optionalText,
);

const welcomeMessage = field(
	{
		displayName: 'Welcome Message',
		name: 'welcomeMessage',
		type: 'string',
		default: '',
		placeholder: 'e.g. Thanks, we will get back to you',
		description: 'The answer to people who write. Each answer is an SMS that costs money.',
	},
	optionalText,
);

/** What is done with messages that arrive, at a number or with a keyword. */
export const forwarding = [
	forwardEmail,
	forwardSms,
	forwardUrl,
	addToList,
	membersMessage,
	welcomeMessage,
] as const;

/** The same in the service's words. */
export const forwardingValues = (options: Partial<InputOf<typeof forwarding>>) => ({
	forward_email: options.forwardEmail,
	forward_sms: options.forwardSms,
	forward_url: options.forwardUrl,
	list_id: options.listId,
	members_message: options.membersMessage,
	welcome_message: options.welcomeMessage,
});
