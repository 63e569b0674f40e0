import { describe, expect, it } from 'vitest';
import { resources, byName, triggerEventOptions } from '../seams.ts';
import { useEditor } from './useEditor.ts';

const editor = useEditor();

/** In the order of the drop-downs. */
const operations = [...resources]
	.sort(byName)
	.flatMap((resource) => [...resource.operations].sort(byName));

describe('the list of nodes', () => {
	it('finds Kudosity by its name and by what people look for', async () => {
		const words = [
			...['kudosity', 'transmitsms', 'burst sms', 'sms', 'send sms', 'bulk sms', 'two-way sms'],
			...['text message', 'mms', 'rcs', 'whatsapp', 'newsletter', 'promotion', 'campaign'],
			...['reminder', 'appointment', 'otp', 'verification code', 'opt out', 'opt-out'],
			...['unsubscribe', 'delivery report', 'inbound'],
		];
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

		// The editor puts a long list into the page piece by piece.
		const shown = async () => {
			await editor.creator.entries.last().scrollIntoViewIfNeeded();
			return await editor.creator.entries.allInnerTexts();
		};
		const wanted = [...triggerEventOptions, ...operations].map(({ action }) => action);
		expect(wanted).toEqual(expect.arrayContaining(['On SMS received', 'Send bulk SMS']));
		await expect.poll(shown, { timeout: 30_000 }).toEqual(wanted);
	});
});
