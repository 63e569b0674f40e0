import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../../playground/n8n/pack.ts';
import { useEditor } from './useEditor.ts';

const editor = useEditor();

describe('an example workflow', () => {
	it('is imported from its file, gets the credential by itself, and runs on its pinned event', async () => {
		await editor.importFile(join(projectFolder, 'examples', 'reply-routing.json'));
		await editor.canvas.node('Confirm').waitFor();
		expect(await editor.canvas.issues.count()).toBe(0);
		await editor.canvas.executeButton.click();

		const [answer] = await editor.control.waitForMessages({}, { timeoutMs: 20_000 });
		expect(answer).toMatchObject({ sender: '61491570006', recipient: '61491576398' });
		await editor.page.getByText('Workflow executed successfully').waitFor();
		await editor.page.getByTestId('zoom-to-fit').click();
		await editor.canvas.executeButton.getByText('Execute workflow').waitFor();
		await editor.picture('reply-routing');
	});
});
