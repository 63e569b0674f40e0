import { operationsByName } from './exampleFields.ts';

/** Every operation that sends a message to people and does not wait for them. */
export const sendsWithoutQuestion = Object.entries(operationsByName)
	.filter(([, { sends, asks }]) => sends && !asks)
	.map(([name]) => name);
