import { isLoopbackUrl } from '../../api/credential';
import { lacksToken } from '../../events/hiddenToken';
import { isPublicUrl } from '../../api/reachability';
import { refuse } from '../refusal';
import { trimmedText } from './text';

/** Whether a service, or that of the playground, can reach it; the transport knows which one it is. */
const mayBeReachable = (url: string): boolean =>
	isPublicUrl(url) || (/^https?:/i.test(url) && isLoopbackUrl(url));

/** https at a public host, or an address of this machine (the playground). */
export const publicUrl = (value: unknown): string => {
	const url = trimmedText(value);
	return mayBeReachable(url)
		? url
		: refuse(
				'is not a public https address',
				'Use an https address that is open to the internet, e.g. https://example.com/events',
			);
};

/** The same for a webhook: one that was read through this node lacks its token, and would deliver nothing. */
export const webhookUrl = (value: unknown): string => {
	const url = publicUrl(value);
	return lacksToken(url)
		? refuse(
				'lacks the token, which is not shown',
				'Leave the field empty to keep the address. The address of a Kudosity Trigger is best left to the trigger',
			)
		: url;
};

/** An address for browsers: whatever people can open. */
export const webAddress = (text: string): string => {
	const url = text.trim();
	return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
		? url
		: refuse('is not a web address', 'Use an address that begins with https://');
};
