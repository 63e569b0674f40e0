import { describe, expect, it } from 'vitest';
import {
	identityOf,
	webhookPathOf,
	withToken,
} from '../../../../nodes/Kudosity/trigger/webhookUrl.ts';

const id = '6f0c6a52-0d52-4d8c-9f3c-1d0a7f0f2b11';

describe('webhookPathOf', () => {
	it.each([
		`https://n8n.example.com/webhook/${id}/webhook`,
		`https://n8n.example.com/webhook-test/${id}/webhook`,
		`https://example.com/automation/n8n/hooks/${id}/webhook`,
		`http://localhost:5678/webhook/${id}/webhook`,
	])('is the same wherever n8n lives: %s', (url) => {
		expect(webhookPathOf(url, id)).toBe(`${id}/webhook`);
	});

	it('names workflow and node where n8n made no webhook ID', () => {
		const url = 'https://n8n.example.com/webhook/wf-1/kudosity%20trigger/webhook';
		expect(webhookPathOf(url, undefined)).toBe('wf-1/kudosity%20trigger/webhook');
	});
});

describe('identityOf', () => {
	it('is the URL without its query', () => {
		const url = `https://n8n.example.com/webhook/${id}/webhook`;
		expect(identityOf(withToken(url, 'new'))).toBe(identityOf(withToken(url, 'old')));
		expect(identityOf(url)).toBe(url);
	});

	it('tells test from production, and hosts from each other', () => {
		const test = identityOf(`https://n8n.example.com/webhook-test/${id}/webhook`);
		expect(test).not.toBe(identityOf(`https://n8n.example.com/webhook/${id}/webhook`));
		expect(identityOf('https://a.example.com/x')).not.toBe(identityOf('https://b.example.com/x'));
	});

	it.each([undefined, '', 'no url', 'https://'])('is unknown for %j', (text) => {
		expect(identityOf(text)).toBeUndefined();
	});
});
