/** The account a fresh emulator starts with. */
export const PLAYGROUND_API_KEY = 'playground-key';
export const PLAYGROUND_API_SECRET = 'playground-secret';

/**
 * The id stays when a key is rotated, so webhooks and messages keep belonging to the account.
 * An empty secret means that the holder has not chosen one yet: v1 then refuses every call.
 */
export interface Account {
	id: string;
	apiKey: string;
	apiSecret: string;
}

export const playgroundAccount: Account = {
	id: 'playground',
	apiKey: PLAYGROUND_API_KEY,
	apiSecret: PLAYGROUND_API_SECRET,
};
