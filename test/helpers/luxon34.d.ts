/** The luxon of n8n 1.123, beside the one of n8n 2. */
declare module 'luxon34' {
	export * from 'luxon';
}
