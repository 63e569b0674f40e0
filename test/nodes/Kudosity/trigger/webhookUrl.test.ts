import { describe, expect, it } from 'vitest';
import {
	identityOf,
	isReachable,
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

describe('isReachable', () => {
	it.each([
		'https://n8n.example.com/webhook/x',
		'https://n8n.example.com:8443/webhook/x',
		'https://203.0.113.9/webhook/x',
		'https://172.32.0.1/x',
		'https://100.128.0.1/x',
		'https://[2001:db8::1]/x',
		'https://localhost.example.com/x',
	])('the service reaches %s', (url) => {
		expect(isReachable(url)).toBe(true);
	});

	it.each([
		'http://n8n.example.com/webhook/x',
		'https://localhost/x',
		'https://localhost:5678/x',
		'https://localhost./x',
		'https://app.localhost/x',
		'https://127.0.0.1/x',
		'https://0.0.0.0/x',
		'https://10.1.2.3/x',
		'https://172.16.0.1/x',
		'https://192.168.1.20/x',
		'https://169.254.1.1/x',
		'https://100.64.0.1/x',
		'https://[::1]/x',
		'https://[fd00::1]/x',
		'https://[fe80::1]/x',
		'https://n8n/x',
		'https://nas.local/x',
		'https://n8n.cluster.internal/x',
		'no url',
		'',
	])('the service does not reach %s', (url) => {
		expect(isReachable(url)).toBe(false);
	});
});
