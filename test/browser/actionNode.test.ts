import { describe, expect, it } from 'vitest';
import { useEditor } from './useEditor.ts';

const editor = useEditor();

const addSend = async () => {
	await editor.creator.search('kudosity');
	await editor.creator.choose('Kudosity');
	await editor.creator.unfold(/^Actions/);
	await editor.creator.choose('Send SMS');
	await editor.node.field('recipient').waitFor();
};

const fillIn = async (recipient: string) => {
	await editor.node.fill('message', 'Hi Sam, your order is ready. Opt out: [opt-out-link]');
	await editor.node.fill('sender', '61491570006');
	await editor.node.fill('recipient', recipient);
};

describe('the Kudosity node', () => {
	it('shows its resources and operations', async () => {
		await addSend();

		expect(await editor.node.choices('resource')).toEqual(
			expect.arrayContaining([
				'Bulk SMS',
				'List',
				'Virtual Number',
				'RCS Message',
				'SMS',
				'Webhook',
			]),
		);
		expect(await editor.node.choices('operation')).toEqual(
			expect.arrayContaining(['Get', 'Get Many', 'Send']),
		);
		await editor.node.choose('resource', 'Bulk SMS');
		await editor.node.field('recipients').waitFor();
		expect(await editor.node.field('recipient').isVisible()).toBe(false);
		expect(await editor.node.panel.innerText()).toContain(
			'Credential for Kudosity Key and Secret API',
		);
	});

	it('sends an SMS, and shows what came back', async () => {
		await addSend();
		await fillIn('+61 491 573 087');
		await editor.node.execute();

		const [message] = await editor.control.waitForMessages({});
		expect(message).toMatchObject({ sender: '61491570006', recipient: '61491573087' });
		await editor.node.output.getByText('GSM-7').waitFor();
		expect(await editor.node.output.innerText()).toContain(message?.id);
		await editor.node.output.getByTestId('radio-button-json').click();
		await editor.node.output.getByText('"encoding"').waitFor();
	});

	it('sends from a sender of the list', async () => {
		await addSend();
		await fillIn('+61 491 573 087');
		await editor.node.chooseFromList('sender', 'GreenCafe');
		await editor.node.execute();

		const [message] = await editor.control.waitForMessages({});
		expect(message).toMatchObject({ sender: 'GreenCafe' });
	});

	it('says at the node what is wrong, and sends nothing', async () => {
		await addSend();
		await fillIn('Sam');
		await editor.node.execute();

		const message = editor.node.output.getByTestId('node-error-message');
		await message.getByText("'Recipient' is not a phone number").waitFor();
		expect(await editor.node.output.innerText()).toContain(
			'Write the number with + and the country code',
		);
		expect(await editor.control.messages()).toEqual([]);
	});
});
