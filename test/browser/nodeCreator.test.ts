import { describe, expect, it } from 'vitest';
import { resources } from '../../nodes/Kudosity/resources/index.ts';
import { byName } from '../../nodes/Kudosity/runtime/byName.ts';
import { eventOptions } from '../../nodes/Kudosity/trigger/events.ts';
import { useEditor } from './useEditor.ts';

const editor = useEditor();

/** In the order of the drop-downs. */
const operations = [...resources]
	.sort(byName)
	.flatMap((resource) => [...resource.operations].sort(byName));

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

		const shown = await editor.creator.entries.allInnerTexts();
		expect(shown).toContain('On SMS received');
		expect(shown).toContain('Send bulk SMS');
		expect(shown).toEqual([...eventOptions, ...operations].map(({ action }) => action));
		await editor.picture('nodes');
	});
});
