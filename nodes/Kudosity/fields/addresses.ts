import { isLoopbackUrl, isPublicUrl } from '../api/credential';
import { lacksToken } from '../events/tokens';
import { parseUrl } from '../lib/text';
import { optionalListId } from './recordFields';
import { type InputOf, listTextField, type Read, refuse, takingPhones, textField } from './field';
import { commaList, optional, optionalText, phoneNumbers, trimmedText } from './readers';

/**
 * Matches a single URL. It must not end in an invisible character that was copied along, because the URL would then
 * lead nowhere.
 */
const oneUrl = /^https?:\S*[^\s\p{Cf}]$/iu;

/**
 * Reads a URL that is either https on a public host, or on a loopback host: the playground's emulator of the service
 * runs there.
 */
export function publicUrl(value: unknown): string {
	const url = trimmedText(value);
	if (oneUrl.test(url) && (isPublicUrl(url) || isLoopbackUrl(url))) return url;
	return refuse(
		'is not a public https URL',
		'Use an https URL that can be reached from the internet, without spaces or hidden characters, e.g. https://example.com/events',
	);
}

/**
 * Reads a webhook's URL. In this node's output, the token in a URL is hidden (`***`). A URL copied from there is
 * refused, because the trigger at this URL would reject every event.
 */
export function webhookUrl(value: unknown): string {
	const url = publicUrl(value);
	if (!lacksToken(url)) return url;
	return refuse(
		'is missing its token, which is never shown',
		"Leave the field empty to keep the URL. Don't change the webhook of a Kudosity Trigger by hand",
	);
}

/** Reads a URL that a browser can open, whether it is public or not. */
export function webAddress(text: string): string {
	const url = text.trim();
	return oneUrl.test(url) && parseUrl(url)
		? url
		: refuse('is not a valid URL', 'Use one https:// URL, without spaces or hidden characters');
}

/** The maximum length according to RFC 5321. It also keeps the pattern fast for texts with many dots. */
const maxLength = 254;

/** Whether a text looks like an email address. The address may not exist. */
export function isEmailAddress(text: string): boolean {
	return text.length <= maxLength && /^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>]+$/.test(text);
}

export function emailAddress(text: string): string {
	const address = text.trim();
	return isEmailAddress(address)
		? address
		: refuse('is not an email address', 'Use one address, e.g. sam@example.com');
}

function readAddresses(value: unknown): string[] | undefined {
	const addresses = commaList(value);
	if (addresses.length === 0) return undefined;
	return addresses.every(isEmailAddress)
		? addresses
		: refuse('has an entry that is not an email address', 'Separate the addresses with commas');
}

const readNumbers: Read<string[] | undefined> = takingPhones((value, scope) => {
	if (commaList(value).length === 0) return undefined;
	const { numbers, refused } = phoneNumbers(value, scope);
	const [first] = refused;
	if (!first) return numbers;
	return refuse(
		`has an invalid phone number: the one at position ${first.position} ${first.reason}`,
		first.remedy,
	);
});

export const forwardUrl = textField(optional(publicUrl), {
	displayName: 'Forward to URL',
	name: 'forwardUrl',
	placeholder: 'e.g. https://example.com/replies',
	description:
		'Public URL that Kudosity calls (GET) when an SMS arrives. Replaces the current URL. Not needed with the Kudosity Trigger.',
});

/** Options for messages that arrive at a number or with a keyword. */
export const forwarding = [
	textField(readAddresses, {
		displayName: 'Forward to Email',
		name: 'forwardEmail',
		placeholder: 'e.g. team@example.com, sam@example.com',
		description: 'Comma-separated email addresses that get a copy of each incoming message',
	}),
	textField(readNumbers, {
		displayName: 'Forward to Phone Numbers',
		name: 'forwardSms',
		placeholder: 'e.g. 61491570006, 61491570156',
		description:
			'Comma-separated phone numbers that get a copy of each incoming message. Each copy is charged as an SMS.',
	}),
	forwardUrl,
	optionalListId('Contact list to add people to when they message you'),
	listTextField(
		textField(optionalText, {
			displayName: 'Auto-Reply to Members',
			name: 'membersMessage',
			placeholder: 'e.g. Thanks, you are already on our list',
			description:
				'Reply that is sent to people already on the list. Each reply is charged as an SMS.',
		}),
	),
	listTextField(
		textField(optionalText, {
			displayName: 'Welcome Message',
			name: 'welcomeMessage',
			placeholder: 'e.g. Thanks, we will get back to you',
			description: 'Reply that is sent to people who message you. Each reply is charged as an SMS.',
		}),
	),
] as const;

export function forwardingValues(options: Partial<InputOf<typeof forwarding>>) {
	return {
		forward_email: options.forwardEmail,
		forward_sms: options.forwardSms,
		forward_url: options.forwardUrl,
		list_id: options.listId,
		members_message: options.membersMessage,
		welcome_message: options.welcomeMessage,
	};
}
