/**
 * The token of a trigger's own webhook, and n8n's signature in that of an open question: whoever has it can
 * deliver events.
 */
const ownToken = /([?&](?:token=(?=[\w-]{43}(?![\w-]))|signature=(?=[0-9a-f]{64}(?!\w))))[\w-]+/g;
const hiddenToken = /[?&](?:token|signature)=\*\*\*(?![^&#])/;

/** A webhook's address as it may be shown and stored. */
export const withoutToken = (url: string): string => url.replace(ownToken, '$1***');

/** Whether an address went through `withoutToken`: registered so, its trigger would refuse every event. */
export const lacksToken = (url: string): boolean => hiddenToken.test(url);

export const withHiddenToken = <Shown extends Record<string, unknown>>(webhook: Shown): Shown =>
	typeof webhook.url === 'string' ? { ...webhook, url: withoutToken(webhook.url) } : webhook;
