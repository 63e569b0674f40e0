import { expect, it } from 'vitest';
import { useWaitingN8n } from './waitingN8n.ts';

const n8n = useWaitingN8n();
const explained = {
	responseType: 'approval',
	options: { unexpectedReplyMessage: 'YES or NO, please' },
};

/** The name of a question's webhook, before and after its explanation. */
const namesOf = async (workflowName: string, name: string) => {
	const asked = await n8n.ask(explained, { workflowName, settings: { name } });
	expect(asked.error).toBeUndefined();
	const nameNow = async () => (await n8n.service.control.webhooks())[0]?.name ?? '';
	const before = await nameNow();
	await n8n.service.control.inbound({
		from: n8n.fields.recipient,
		to: n8n.fields.sender,
		text: 'Perhaps',
	});
	await expect.poll(nameNow).not.toBe(before);
	return [before, await nameNow()];
};

it.each([
	['words', 'Confirm appointments by SMS '.repeat(3), 'Ask them '.repeat(9)],
	['letters of two bytes', 'Термины подтвердить '.repeat(3), 'Спросить '.repeat(9)],
	['letters of four bytes', '😀'.repeat(40), '🎉'.repeat(40)],
])(
	'shows both names, and until when, within the 100 bytes of the service: %s',
	async (_, workflow, node) => {
		const [before, after] = (await namesOf(workflow, node)) as [string, string];

		expect(before).toMatch(
			/^n8n: .+\.\.\. - .+\.\.\. \(question until \d{4}-\d\d-\d\d \d\d:\d\d UTC\)$/u,
		);
		expect(before).not.toContain('\ufffd');
		expect(after).toMatch(/UTC, explained\)$/);
		expect(Buffer.byteLength(after)).toBeLessThanOrEqual(100);
	},
);
