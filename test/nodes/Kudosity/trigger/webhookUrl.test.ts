import { describe, expect, it } from 'vitest';
import { addressOf, partOf, registeredUrl, tokenOf, webhookPathOf } from '../../../seams.ts';

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

describe('addressOf', () => {
	const url = `https://n8n.example.com/webhook/${id}/webhook`;

	it('is the URL without its query', () => {
		expect(addressOf(registeredUrl(url, 'new', 'rest'))).toBe(url);
		expect(addressOf(registeredUrl(url, 'old', 'status'))).toBe(url);
	});

	it('tells test from production, and hosts from each other', () => {
		const test = addressOf(`https://n8n.example.com/webhook-test/${id}/webhook`);
		expect(test).not.toBe(addressOf(url));
		expect(addressOf('https://a.example.com/x')).not.toBe(addressOf('https://b.example.com/x'));
	});

	it.each([undefined, '', 'no url', 'https://'])('is unknown for %j', (text) => {
		expect(addressOf(text)).toBeUndefined();
	});
});

describe('registeredUrl', () => {
	it('carries the token, and names the part of a second webhook', () => {
		const url = `https://n8n.example.com/webhook/${id}/webhook`;
		expect(registeredUrl(url, 'good', 'rest')).toBe(`${url}?token=good`);
		for (const part of ['rest', 'status'] as const) {
			expect(tokenOf(registeredUrl(url, 'good', part))).toBe('good');
			expect(partOf(registeredUrl(url, 'good', part))).toBe(part);
		}
	});
});
