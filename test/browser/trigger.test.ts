import { describe, expect, it } from 'vitest';
import { useEditor } from './useEditor.ts';

const editor = useEditor();

const addTrigger = async (entry = 'On SMS received') => {
	await editor.creator.search('kudosity');
	await editor.creator.choose('Kudosity');
	await editor.creator.choose(entry);
	await editor.node.field('events').waitFor();
};

describe('the Kudosity Trigger', () => {
	it('has the chosen event selected, and its fields', async () => {
		await addTrigger();

		const text = await editor.node.panel.innerText();
		for (const words of ['SMS Received', 'Simplify', 'Filters', 'Options']) {
			expect(text).toContain(words);
		}
		expect(await editor.node.choices('events')).toHaveLength(11);
	});

	it.each([
		['On opt-out (link, STOP or keyword)', 1],
		['On SMS received', 0],
	])('offers keywords only for opt-outs: %s', async (entry, count) => {
		await addTrigger(entry);
		await editor.node.panel.getByPlaceholder('Add option').click();
		await editor.page.getByText('Rate Limit').waitFor();
		expect(await editor.page.getByText('Opt-Out Keywords', { exact: true }).count()).toBe(count);
	});

	it('says how to make an event happen, waits for it, and shows it', async () => {
		await addTrigger();
		await editor.node.panel.getByText('Send a test event to your workflow').waitFor();
		await editor.node.panel.getByText('When will this node trigger my flow?').click();
		await editor.node.panel.getByText('send an SMS to one of your Kudosity numbers').waitFor();
		await editor.node.execute();
		await editor.control.waitForWebhooks({});
		const text = 'Is the table still free?';
		await editor.control.inbound({ from: '61491573087', to: '61491570006', text });

		await editor.node.output.getByText(text).waitFor();
		expect(await editor.node.output.innerText()).toContain('SMS_INBOUND');
		await editor.node.output.getByTestId('radio-button-json').click();
		await editor.node.output.getByText('"contact"').waitFor();
	});
});
