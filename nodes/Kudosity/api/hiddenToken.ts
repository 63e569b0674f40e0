import type { Webhook } from './schemas/webhook.schema';

/** The token of a trigger's own webhook: whoever has it can deliver events. */
const ownToken = /([?&]token=)[\w-]{43}(?![\w-])/g;
const hiddenToken = /[?&]token=\*\*\*(?![^&#])/;

/** A webhook's address as it may be shown and stored. */
export const withoutToken = (url: string): string => url.replace(ownToken, '$1***');

/** Whether an address went through `withoutToken`: registered so, its trigger would refuse every event. */
export const lacksToken = (url: string): boolean => hiddenToken.test(url);

export const withHiddenToken = <Shown extends Webhook>(webhook: Shown): Shown =>
	webhook.url === undefined ? webhook : { ...webhook, url: withoutToken(webhook.url) };
