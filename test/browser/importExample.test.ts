import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../../playground/n8n/pack.ts';
import { exampleFiles } from '../helpers/exampleFiles.ts';
import { useEditor } from './useEditor.ts';

const editor = useEditor();

describe('an example workflow', () => {
	it('is imported from its file, gets the credential by itself, and runs on its pinned event', async () => {
		await editor.importFile(join(projectFolder, 'examples', 'reply-routing.json'));
		await editor.canvas.node('Answer YES').waitFor();
		expect(await editor.canvas.issues.count()).toBe(0);
		await editor.canvas.executeButton.click();

		const [answer] = await editor.control.waitForMessages({}, { timeoutMs: 20_000 });
		expect(answer).toMatchObject({ sender: '61491570006', recipient: '61491576398' });
		await editor.page.getByText('Workflow executed successfully').waitFor();
		await editor.page.getByTestId('zoom-to-fit').click();
		await editor.canvas.executeButton.getByText('Execute workflow').waitFor();
	});

	it('that is imported twice is published once, and the editor says what the readme says', async () => {
		const { playground, page } = editor;
		const { nodes } = exampleFiles['opt-out-sync.json']!;
		const credentials = { kudosityKeyApi: playground.credentials.key };
		const [trigger] = nodes.filter(({ type }) => type.endsWith('.kudosityTrigger'));
		const draft = { connections: {}, settings: {}, nodes: [{ ...trigger!, credentials }] };
		const first = await playground.save({ ...draft, name: 'Keep opt-outs in a Data Table' });
		const second = await playground.save({ ...draft, name: 'Imported again' });
		await playground.rest.activate(first.id);
		await page.goto(`${playground.n8n.url}/workflow/${second.id}`);
		await page.getByTestId('workflow-open-publish-modal-button').click();
		await page.getByTestId('workflow-publish-button').click();

		const shown = await page.getByTestId('conflicting-webhook-callout').innerText();
		const readme = await readFile(join(projectFolder, 'examples', 'README.md'), 'utf8');
		expect(readme).toContain(shown.trim());
	});
});
