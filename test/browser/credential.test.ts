import { afterEach, describe, expect, it } from 'vitest';
import { PLAYGROUND_API_KEY, PLAYGROUND_API_SECRET } from '../../playground/emulator/model.ts';
import { useEditor } from './useEditor.ts';

const editor = useEditor();

/** Elsewhere the editor chooses the only credential that there is. */
afterEach(async () => {
	const { rest, credentials, emulator } = editor.playground;
	const ofTheFile = [credentials.key.id, credentials.basic.id];
	for (const { id } of await rest.listCredentials()) {
		const { data } = await rest.readCredential(id);
		const isOurs = data.baseUrl === emulator.url;
		if (isOurs && !ofTheFile.includes(id)) await rest.deleteCredential(id);
	}
});

const refusal = 'did not accept this key';

const openCredential = async (operation: string) => {
	await editor.creator.search('kudosity');
	await editor.creator.choose('Kudosity');
	await editor.creator.unfold(/^Actions/);
	await editor.creator.choose(operation);
	await editor.node.panel.getByTestId('node-credentials-select').click();
	await editor.page.getByText(/Create new credential|Set up credential/i).click();
	const dialog = editor.page.getByTestId('editCredential-modal');
	await dialog.waitFor();
	return dialog;
};

describe.each([
	['Send SMS', { apiKey: PLAYGROUND_API_KEY }],
	['Send bulk SMS', { apiKey: PLAYGROUND_API_KEY, apiSecret: PLAYGROUND_API_SECRET }],
])('the credential of %s', (operation, secrets) => {
	it('turns red for a wrong key, and green for the right one', async () => {
		const dialog = await openCredential(operation);
		const fill = async (values: Record<string, string>) => {
			for (const [name, value] of Object.entries(values)) {
				await dialog.getByTestId(`parameter-input-${name}`).locator('input').fill(value);
			}
			await dialog.getByTestId('credential-save-button').click();
		};

		await fill({ ...secrets, apiKey: 'wrong', baseUrl: editor.playground.emulator.url });
		await dialog.getByText('Couldn’t connect with these settings').waitFor();
		await dialog.getByText('More details').click();
		await dialog.getByText(refusal).waitFor();

		// n8n closes the dialog of a credential that works.
		await fill({ apiKey: PLAYGROUND_API_KEY });
		await dialog.waitFor({ state: 'hidden' });
		await editor.node.panel.getByTestId('credential-edit-button').click();
		await dialog.getByTestId('credentials-config-container-test-success').waitFor();
		expect(await dialog.getByText(refusal).isVisible()).toBe(false);
	});
});
