import { expect, it } from 'vitest';
import { resolveWebhookIds } from '../../../seams.ts';

const token = 'good'.padEnd(43, 'x');
const url = `https://n8n.example.com/webhook/6f0c6a52/webhook?token=${token}`;
const rest = { id: 'rest', url };
const statuses = { id: 'statuses', url: `${url}&part=status` };
const elsewhere = { id: 'elsewhere', url: url.replace('n8n.', 'other.') };
const foreign = { id: 'foreign', url: 'https://n8n.example.com/other' };

const idsAfter = (webhookId: string, storedIds: string[], existing: object[]) =>
	resolveWebhookIds({ webhookId, storedIds, token, url, existing: existing as never });

it.each([
	['is taken for a stored one that is gone', 'rest', ['gone'], ['rest']],
	['is taken beside another part', 'statuses', ['rest'], ['rest', 'statuses']],
	['is taken for the part that is gone', 'statuses', ['rest', 'gone'], ['rest', 'statuses']],
	['is taken where two are gone', 'rest', ['gone', 'gone2'], ['rest', 'gone2']],
	['is extra beside one of the same part', 'rest2', ['rest', 'statuses'], ['rest', 'statuses']],
	['is extra also when another part is gone', 'rest2', ['rest', 'gone'], ['rest', 'gone']],
	['is not known to the account', 'unknown', ['rest'], ['rest']],
	['is not known either, as the stored one', 'unknown', ['gone'], ['unknown']],
	["is somebody else's", 'foreign', ['rest'], ['rest']],
	["is somebody else's, where the stored one is gone", 'foreign', ['gone'], undefined],
	['is that of another n8n', 'elsewhere', ['rest'], ['rest']],
	['is that of another n8n, where the stored one is gone', 'elsewhere', ['gone'], undefined],
])('a webhook that delivers with our token %s', (_, webhookId, storedIds, expected) => {
	const existing = [rest, { ...rest, id: 'rest2' }, statuses, elsewhere, foreign];
	expect(idsAfter(webhookId, storedIds, existing)).toEqual(expected);
});
