import { describe, expect, it } from 'vitest';
import { useEditor } from './useEditor.ts';

const editor = useEditor();

describe('the list of nodes', () => {
	it('finds Kudosity by its name and by what people look for', async () => {
		const words = ['kudosity', 'sms', 'text message', 'opt-out', 'delivery report', 'inbound'];
		for (const each of words) {
			await editor.creator.search(each);
			await editor.creator.entry('Kudosity').waitFor();
			expect(await editor.creator.entries.allInnerTexts(), each).toContain('Kudosity');
		}
	});

	it('offers every event and every operation by a readable name', async () => {
		await editor.creator.search('kudosity');
		await editor.creator.choose('Kudosity');
		await editor.creator.unfold(/^Actions/);

		expect(await editor.creator.entries.allInnerTexts()).toEqual([
			'On link clicked',
			'On MMS received',
			'On MMS status changed',
			'On RCS message received',
			'On RCS status changed',
			'On recipient opted out',
			'On SMS received',
			'On SMS status changed',
			'On WhatsApp message received',
			'On WhatsApp status changed',
			'Get many lists',
			'Get many numbers',
			'Get RCS message',
			'Get many RCS messages',
			'Wait for status of RCS message',
			'Send SMS',
			'Send bulk SMS',
			'Create webhook',
			'Delete webhook',
			'Get webhook',
			'Get many webhooks',
			'Update webhook',
		]);
		await editor.picture('nodes');
	});
});
