import { currentN8n } from '../../playground/n8n/versions.ts';

/** Whether the tests run in the current n8n (the default). n8n 1 creates no tables and has no human review. */
export const isCurrent = [undefined, '', currentN8n].includes(process.env.KUDOSITY_N8N_VERSION);
