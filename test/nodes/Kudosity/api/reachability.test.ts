import { describe, expect, it } from 'vitest';
import { canReach, isPublicUrl } from '../../../seams.ts';

describe('isPublicUrl', () => {
	it.each([
		'https://n8n.example.com/webhook/x',
		'https://n8n.example.com:8443/webhook/x',
		'https://203.0.113.9/webhook/x',
		'https://172.32.0.1/x',
		'https://100.128.0.1/x',
		'https://[2001:db8::1]/x',
		'https://localhost.example.com/x',
	])('the internet reaches %s', (url) => {
		expect(isPublicUrl(url)).toBe(true);
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
	])('the internet does not reach %s', (url) => {
		expect(isPublicUrl(url)).toBe(false);
	});
});

describe('canReach', () => {
	it('lets only a service on this machine deliver to what is not public', () => {
		const local = 'http://localhost:5678/webhook/x';

		expect(canReach('http://127.0.0.1:4010', local)).toBe(true);
		expect(canReach('https://api.transmitmessage.com', local)).toBe(false);
		expect(canReach('https://api.transmitmessage.com', 'https://n8n.example.com/x')).toBe(true);
	});
});
