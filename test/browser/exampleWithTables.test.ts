import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Workflow } from '../../playground/n8n/rest/workflows.ts';
import { exampleFiles } from '../helpers/exampleFiles.ts';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { useEditor } from './useEditor.ts';

const editor = useEditor();

/** The example with tables of its own, as those of other tests are in the same n8n. */
const withOwnTables = (file: string, mark: string): Workflow => {
	const text = JSON.stringify(exampleFiles[file]);
	return JSON.parse(text.replace(/(Kudosity (?:contacts|opt-outs))/g, `$1 ${mark}`)) as Workflow;
};

const execute = async () => {
	const { page, canvas } = editor;
	await canvas.executeButton.getByText('Execute workflow').waitFor();
	await canvas.executeButton.click();
	const done = page.getByText('Workflow executed successfully');
	await done.waitFor();
	await done.waitFor({ state: 'hidden' });
};

// n8n 1.123 can't create data tables.
describe.runIf(isCurrent)('an example with tables, whose note somebody follows', () => {
	it('makes them, does a dry run, and sends once the dry run is removed', async () => {
		const mark = randomUUID().slice(0, 8);
		const { node, canvas, playground, control } = editor;
		const rows = async () => await playground.rest.dataTableRows(`Kudosity contacts ${mark}`);
		await editor.importWorkflow(withOwnTables('send-to-contacts.json', mark));
		await canvas.node('Send SMS').waitFor();
		expect(await canvas.issues.count()).toBe(0);

		await canvas.node('Send SMS').dblclick();
		await node.fill('campaignName', 'autumn-offer');
		await node.close();
		await execute();
		expect(await rows()).toEqual([]);
		await playground.rest.insertDataTableRows(`Kudosity opt-outs ${mark}`, [
			{ phone: '61491570157' },
		]);
		await playground.rest.insertDataTableRows(`Kudosity contacts ${mark}`, [
			{ phone: '0491 570 156', first_name: 'Sam' },
			{ phone: '0491 570 157', first_name: 'Kim' },
		]);

		await execute();
		expect(await control.messages()).toEqual([]);
		expect(await rows()).toMatchObject([
			{ outcome: 'dryRun', can_retry: true },
			{ outcome: 'skipped', can_retry: true },
		]);

		await canvas.node('Send SMS').dblclick();
		const input = editor.page.getByTestId('parameter-input-dryRun');
		const option = node.panel.getByTestId('parameter-item').filter({ has: input }).last();
		await option.hover();
		await option.getByTitle('Delete').last().click();
		await node.field('dryRun').waitFor({ state: 'hidden' });
		await node.close();
		await execute();
		expect(await control.messages()).toMatchObject([{ recipient: '61491570156' }]);
		expect(await rows()).toMatchObject([
			{ outcome: 'sent', reason: null, can_retry: false, message_id: expect.any(String) },
			{ outcome: 'skipped', reason: expect.stringContaining('Blocked'), can_retry: false },
		]);
	});

	it('imports who opted out into the table that campaigns read', async () => {
		const mark = randomUUID().slice(0, 8);
		const { canvas, playground } = editor;
		await playground.run(
			[{}],
			playground.kudosity({
				...{ resource: 'contact', operation: 'optOut' },
				...{ contact: '61491570159', from: 'all' },
			}),
		);
		await editor.importWorkflow(withOwnTables('import-opt-outs.json', mark));
		await canvas.node('Get opted out').waitFor();
		expect(await canvas.issues.count()).toBe(0);
		await execute();

		const rows = await playground.rest.dataTableRows(`Kudosity opt-outs ${mark}`);
		expect(rows.length).toBeGreaterThan(0);
		for (const { phone } of rows) expect(phone).toMatch(/^\d{8,15}$/);
	});
});
