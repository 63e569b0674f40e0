import { expect, it } from 'vitest';
import { useWaitingN8n } from './waitingN8n.ts';

const n8n = useWaitingN8n();
it.each([
	['words', 'Confirm appointments by SMS '.repeat(3), 'Ask them '.repeat(9)],
	['letters of two bytes', 'Термины подтвердить '.repeat(3), 'Спросить '.repeat(9)],
	['letters of four bytes', '😀'.repeat(40), '🎉'.repeat(40)],
])(
	'shows both names, and until when, within the 100 bytes of the service: %s',
	async (_, workflowName, name) => {
		const asked = await n8n.ask({}, { workflowName, settings: { name } });
		expect(asked.error).toBeUndefined();
		const [webhook] = await n8n.service.control.webhooks();

		expect(webhook?.name).toMatch(
			/^n8n: .+\.\.\. - .+\.\.\. \(question until \d{4}-\d\d-\d\d \d\d:\d\d UTC\)$/u,
		);
		expect(webhook?.name).not.toContain('\ufffd');
		expect(Buffer.byteLength(webhook?.name ?? '')).toBeLessThanOrEqual(100);
	},
);
