import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createToken, digestOf, isExpectedToken } from '../../../seams.ts';

const owner = {
	workflowId: 'workflow-1',
	nodeId: 'node-1',
	path: '6f0c6a52-0d52-4d8c-9f3c-1d0a7f0f2b11/webhook',
};
const token = createToken('engine-key', owner);

describe('createToken', () => {
	it('is HMAC-SHA256 of workflow, node and path, safe to stand in a query', () => {
		const message = `workflow-1\nnode-1\n${owner.path}`;
		const expected = createHmac('sha256', 'engine-key').update(message).digest('base64url');
		expect(token).toBe(expected);
		expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
	});

	it.each([
		['workflow', { workflowId: 'workflow-2' }],
		['node', { nodeId: 'node-2' }],
		['path', { path: '7f0c6a52-0d52-4d8c-9f3c-1d0a7f0f2b11/webhook' }],
	])('differs with the %s', (_, change) => {
		expect(createToken('engine-key', { ...owner, ...change })).not.toBe(token);
	});

	it('differs with the key', () => {
		expect(createToken('another-key', owner)).not.toBe(token);
	});
});

describe('isExpectedToken', () => {
	it('takes any of the expected tokens', () => {
		expect(isExpectedToken(token, [digestOf('another'), digestOf(token)])).toBe(true);
	});

	it.each([
		['nothing', undefined],
		['an empty text', ''],
		['another text', 'guess'],
		['a longer text', `${token}x`],
		['a shorter text', token.slice(1)],
		['other case', token.toUpperCase()],
		['the digest itself', digestOf(token)],
		['a list with the token', [token]],
		['an object', { token }],
		['a number', 7],
	])('refuses %s', (_, given) => {
		expect(isExpectedToken(given, [digestOf(token)])).toBe(false);
	});

	it('refuses whatever else there is', () => {
		fc.assert(
			fc.property(fc.anything(), (given) => {
				fc.pre(given !== token);
				expect(isExpectedToken(given, [digestOf(token)])).toBe(false);
			}),
			{ numRuns: 2_000 },
		);
	});

	it('refuses everything when nothing is expected', () => {
		expect(isExpectedToken(token, [])).toBe(false);
		expect(isExpectedToken('', [digestOf('')])).toBe(false);
	});
});
