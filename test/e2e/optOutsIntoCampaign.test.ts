/** What "Keep opt-outs" keeps is the Blocked Recipients of a campaign: no opt-out may stop it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readExample } from '../examples/readExample.ts';
import { makeFiveNodes } from './fiveNodes.ts';
import { startPlayground, type Playground } from './harness.ts';

const settings = { requestsPerSecond: 0, autoStatus: false, retryDelaysMs: [] };
const ours = '61491570006';

let playground: Playground;
let fiveNodes: Awaited<ReturnType<typeof makeFiveNodes>>;
beforeAll(async () => {
	playground = await startPlayground({ settings });
	fiveNodes = await makeFiveNodes(playground);
});
afterAll(async () => {
	await fiveNodes.removeTables();
	await playground.stop();
});

it('a STOP from a sender name, a short code or a WhatsApp user ID stops no campaign', async () => {
	const { rest, control, save } = playground;
	const mark = randomUUID().slice(0, 8);
	const table = `Kudosity opt-outs ${mark}`;
	const { id } = await save(await readExample(playground, 'opt-out-sync.json', undefined, mark));
	await rest.activate(id);

	const write = async (from: string, message: object = {}) =>
		await control.inbound({ from, to: ours, text: 'STOP', ...message });
	await write('MyShop');
	await write('62275');
	await write('AU.13491208655302741918', { channel: 'WHATSAPP' });
	await write('61491570157');
	// Kudosity reports each STOP twice.
	const executions = await rest.waitForExecutions(id, 8);
	const ends = executions.map(({ lastNode }) => lastNode).sort();
	expect(ends).toEqual([
		...Array.from({ length: 4 }, () => 'Error: no number'),
		...Array.from({ length: 4 }, () => 'Save opt-out'),
	]);
	const phones = (await rest.dataTableRows(table)).map(({ phone }) => phone).sort();
	expect(phones).toEqual(['61491570157', '62275']);

	await fiveNodes.fill([{ phone: '61491570157' }, { phone: '+61 491 570 158' }], []);
	const value = await rest.createDataTable(table, []);
	const optOuts = { dataTableId: { __rl: true, mode: 'id', value } };
	for (const defaultCountry of ['AU', '']) {
		const options = { campaignName: `in ${defaultCountry}`, defaultCountry };
		const campaign = await fiveNodes.save({ options, optOuts });
		const { status, error } = await fiveNodes.run(campaign);
		expect([status, error?.message]).toEqual(['success', undefined]);
		expect(await fiveNodes.outcomes()).toEqual({ sent: 1, skipped: 1 });
	}
	const messages = await control.accepted();
	expect(messages.map(({ recipient }) => recipient)).toEqual(['61491570158', '61491570158']);
});
