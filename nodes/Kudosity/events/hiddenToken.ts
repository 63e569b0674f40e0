import { isTokenShaped } from './token';

/**
 * The token of a trigger's own webhook, and n8n's signature in that of an open question: whoever has it can
 * deliver events.
 */
const isSecret = (name: string, value: string): boolean =>
	name === 'token' ? isTokenShaped(value) : /^[0-9a-f]{64}(?!\w)/.test(value);
const nameAndValue = /(?<=[?&])(token|signature)=([\w-]+)/g;
const hiddenToken = /[?&](?:token|signature)=\*\*\*(?![^&#])/;

/** A webhook's address as it may be shown and stored. */
export const withoutToken = (url: string): string =>
	url.replace(nameAndValue, (whole, name: string, value: string) =>
		isSecret(name, value) ? `${name}=***` : whole,
	);

/** Whether an address went through `withoutToken`: registered so, its trigger would refuse every event. */
export const lacksToken = (url: string): boolean => hiddenToken.test(url);

export const withHiddenToken = <Shown extends Record<string, unknown>>(webhook: Shown): Shown =>
	typeof webhook.url === 'string' ? { ...webhook, url: withoutToken(webhook.url) } : webhook;
