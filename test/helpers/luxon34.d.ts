/** The luxon version of n8n 1.123, installed next to that of n8n 2. */
declare module 'luxon34' {
	export * from 'luxon';
}
