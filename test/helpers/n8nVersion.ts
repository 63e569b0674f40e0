import { currentN8n, n8nPins, type N8nVersion } from '../../playground/n8n/versions.ts';

const isPinned = (version: string): version is N8nVersion => Object.hasOwn(n8nPins, version);

const requestedVersion = (): N8nVersion => {
	const wanted = process.env.KUDOSITY_N8N_VERSION || currentN8n;
	if (isPinned(wanted)) return wanted;
	const known = Object.keys(n8nPins).join(' or ');
	throw new Error(`KUDOSITY_N8N_VERSION is "${wanted}": use ${known}`);
};

/** The n8n that the tests run in: `KUDOSITY_N8N_VERSION`, or else the current one. */
export const n8nVersion = requestedVersion();

/** Whether that is the current one. n8n 1 creates no tables and has no human review. */
export const isCurrent = n8nVersion === currentN8n;
