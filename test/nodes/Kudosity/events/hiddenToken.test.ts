import { expect, it } from 'vitest';
import {
	lacksToken,
	withHiddenToken,
	withoutToken,
	createToken,
	registeredUrl,
} from '../../../seams.ts';

const address = 'https://n8n.example.com/webhook/0d6042b5/webhook';
const token = createToken('some key', {
	workflowId: 'workflow-1',
	nodeId: 'node-1',
	path: '0d6042b5/webhook',
});
const own = registeredUrl(address, token, 'rest');

it("hides the token of a trigger's webhook, and nothing else", () => {
	expect(withoutToken(own)).toBe(`${address}?token=***`);
	expect(withoutToken(registeredUrl(address, token, 'status'))).toBe(
		`${address}?token=***&part=status`,
	);
	expect(withoutToken('https://example.com/?token=short&a=1')).toBe(
		'https://example.com/?token=short&a=1',
	);
	expect(withHiddenToken({ id: '1', url: own, name: 'Desk' })).toEqual({
		id: '1',
		url: `${address}?token=***`,
		name: 'Desk',
	});
});

it('hides the signature of an open question: whoever has it can answer', () => {
	const question = 'https://n8n.example.com/webhook-waiting/7/node?ask=a.b.c.d.e';
	const shown = withoutToken(`${question}&signature=${'0f'.repeat(32)}`);
	expect(shown).toBe(`${question}&signature=***`);
	expect(lacksToken(shown)).toBe(true);
	expect(withoutToken(`${question}&signature=mine`)).toBe(`${question}&signature=mine`);
});

it('recognises an address whose token is hidden', () => {
	expect(lacksToken(withoutToken(own))).toBe(true);
	expect(lacksToken(`${withoutToken(own)}&a=1`)).toBe(true);
	expect(lacksToken(own)).toBe(false);
	expect(lacksToken(address)).toBe(false);
});
