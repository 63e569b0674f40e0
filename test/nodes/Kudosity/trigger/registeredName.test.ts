import { describe, expect, it } from 'vitest';
import { registeredName } from '../../../seams.ts';

const name = (workflow: string, node: string, isTest = false) =>
	registeredName({ workflow, node, isTest });

describe('registeredName', () => {
	it('shows workflow and node, and what listens for a test', () => {
		expect(name('Front desk', 'Kudosity Trigger')).toBe('n8n: Front desk - Kudosity Trigger');
		expect(name('Front desk', 'Trigger', true)).toBe('n8n: Front desk - Trigger (test)');
	});

	it('tells the webhook of the statuses from the other one', () => {
		const names = { workflow: 'Desk', node: 'Trigger', part: 'status' as const };
		expect(registeredName({ ...names, isTest: false })).toBe('n8n: Desk - Trigger (statuses)');
		const long = { ...names, workflow: 'w'.repeat(300), isTest: true };
		expect(registeredName(long)).toMatch(/\.\.\. - Trigger \(statuses\) \(test\)$/);
		expect(registeredName(long)).toHaveLength(100);
	});

	it.each([
		['a long workflow name', 'w'.repeat(300), 'Kudosity Trigger'],
		['a long node name', 'Front desk', 'n'.repeat(300)],
		['two long names', 'w'.repeat(300), 'n'.repeat(300)],
		['names beyond the alphabet', '予約'.repeat(60), '👍🏽'.repeat(60)],
		['no names', '', ''],
	])('stays between 2 and 100 bytes for %s', (_, workflow, node) => {
		for (const isTest of [false, true]) {
			const text = name(workflow, node, isTest);
			expect(Buffer.byteLength(text)).toBeLessThanOrEqual(100);
			expect(text.length).toBeGreaterThanOrEqual(2);
			expect(Buffer.from(text).toString()).toBe(text);
		}
	});

	it('keeps a part of both names when one is long', () => {
		expect(name('w'.repeat(300), 'Replies')).toMatch(/^n8n: w+\.\.\. - Replies$/);
		expect(name('Desk', 'n'.repeat(300))).toMatch(/^n8n: Desk - n+\.\.\.$/);
		expect(name('w'.repeat(300), 'n'.repeat(300), true)).toMatch(
			/^n8n: w{20,}\.\.\. - n{20,}\.\.\. \(test\)$/,
		);
	});
});
