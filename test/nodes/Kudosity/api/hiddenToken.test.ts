import { expect, it } from 'vitest';
import {
	lacksToken,
	withHiddenToken,
	withoutToken,
} from '../../../../nodes/Kudosity/api/hiddenToken.ts';
import { createToken } from '../../../../nodes/Kudosity/trigger/token.ts';
import { withToken } from '../../../../nodes/Kudosity/trigger/webhookUrl.ts';

const address = 'https://n8n.example.com/webhook/0d6042b5/webhook';
const own = withToken(address, createToken('some key', '0d6042b5/webhook'));

it("hides the token of a trigger's webhook, and nothing else", () => {
	expect(withoutToken(own)).toBe(`${address}?token=***`);
	expect(withoutToken('https://example.com/?token=short&a=1')).toBe(
		'https://example.com/?token=short&a=1',
	);
	expect(withHiddenToken({ id: '1', url: own, name: 'Desk' })).toEqual({
		id: '1',
		url: `${address}?token=***`,
		name: 'Desk',
	});
});

it('recognises an address whose token is hidden', () => {
	expect(lacksToken(withoutToken(own))).toBe(true);
	expect(lacksToken(`${withoutToken(own)}&a=1`)).toBe(true);
	expect(lacksToken(own)).toBe(false);
	expect(lacksToken(address)).toBe(false);
});
