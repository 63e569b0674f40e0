import { describe, expect, it } from 'vitest';
import { until } from '../../playground/n8n/until.ts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { campaignTable } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const optOuts = 'Kudosity opt-outs';

/** Follows up on the day of the message. */
const atOnce = (node: WorkflowNode): WorkflowNode => {
	if (node.name !== 'Settings') return node;
	const parameters = JSON.stringify(node.parameters).replace('"value":2', '"value":0');
	return { ...node, parameters: JSON.parse(parameters) as WorkflowNode['parameters'] };
};

const example = useExample({
	file: 'campaign-report.json',
	change: atOnce,
});

const names = ['quiet', 'clicked', 'replied', 'optedOut', 'failed', 'open'] as const;
type Name = (typeof names)[number];
const phoneOf = (name: Name) => String(61491573000 + names.indexOf(name));

const byName = async () => {
	const rows = await example.rows(campaignTable);
	const found = names.map((name) => rows.find(({ phone }) => phone === `+${phoneOf(name)}`));
	return Object.fromEntries(names.map((name, index) => [name, found[index]]));
};

/** Messages of a campaign as the campaign workflow leaves them, and what their contacts did. */
const campaign = async () => {
	await example.withTables({});
	const taken_at = new Date().toISOString();
	const ids = {} as Record<Name, string>;
	const rows = [];
	for (const name of names) {
		const ref = `autumn-offer-${name}`;
		ids[name] = await example.sendSms(phoneOf(name), { message_ref: ref, track_links: true });
		const phone = `+${phoneOf(name)}`;
		const row = { phone, first_name: name, ref, message_id: ids[name], taken_at };
		rows.push({ ...row, state: 'sent' });
	}
	await example.insert(campaignTable, [...rows, { phone: '61491579999' }]);
	await example.insert(optOuts, [{ phone: phoneOf('optedOut') }]);
	for (const name of names) {
		if (name === 'failed') await example.control.setStatus(ids[name], 'FAILED', 'No such number');
		else if (name !== 'open') await example.control.setStatus(ids[name], 'DELIVERED');
	}
	await example.control.click(ids.clicked);
	await example.control.reply(ids.replied, 'Yes please');
	await example.control.reply(ids.replied, 'How much?');
	await until({ what: 'both events to be noted', timeoutMs: 60_000 }, async () => {
		const { clicked, failed } = await byName();
		return (clicked?.clicked_at && failed?.reason) || undefined;
	});
};

describe('campaign-report.json', () => {
	it('makes its tables at the first run, and asks for nothing', async () => {
		const { status } = await example.run();
		expect(status).toBe('success');
		expect(await example.control.requests({ path: '/v2/sms' })).toEqual([]);
	});

	it('says of a row that was sent again what became of the newer message', async () => {
		await example.withTables({});
		const ref = 'autumn-offer-1';
		const first = await example.sendSms(phoneOf('failed'), { message_ref: ref });
		await example.control.setStatus(first, 'FAILED', 'No such number');
		await example.executions(1);
		const second = await example.sendSms(phoneOf('failed'), { message_ref: ref });
		await example.control.setStatus(second, 'DELIVERED');
		const sent = { ref, state: 'sent', taken_at: new Date(Date.now() - 60_000).toISOString() };
		await example.insert(campaignTable, [
			{ ...sent, phone: phoneOf('failed'), message_id: second },
			{ ...sent, phone: phoneOf('open') },
			{ ...sent, phone: phoneOf('quiet'), message_id: first },
		]);
		await example.run();

		const statuses = (await example.rows(campaignTable)).slice(0, 3).map(({ status }) => status);
		expect(statuses).toEqual(['DELIVERED', 'DELIVERED', 'FAILED']);
	});

	it('leaves all rows as they are where somebody has entered by hand that one was sent', async () => {
		await example.withTables({});
		const message_id = await example.sendSms(phoneOf('quiet'));
		await example.control.setStatus(message_id, 'DELIVERED');
		const byHand = { phone: phoneOf('quiet'), state: 'sent', message_id };
		await example.insert(campaignTable, [byHand, { phone: phoneOf('open'), first_name: 'Kim' }]);
		await example.run();

		expect(await example.rows(campaignTable)).toMatchObject([
			{ ...byHand, status: 'DELIVERED' },
			{ phone: phoneOf('open'), first_name: 'Kim', text: null },
		]);
	});

	it('takes a reply by MMS for a reply, with or without words', async () => {
		await example.withTables({});
		const taken_at = new Date(Date.now() - 60_000).toISOString();
		const rows = [];
		for (const name of ['replied', 'clicked', 'quiet'] as const) {
			const ref = `autumn-offer-${name}`;
			const message_id = await example.sendSms(phoneOf(name), { message_ref: ref });
			await example.control.setStatus(message_id, 'DELIVERED');
			rows.push({
				phone: `+${phoneOf(name)}`,
				first_name: name,
				ref,
				message_id,
				taken_at,
				state: 'sent',
			});
		}
		await example.insert(campaignTable, rows);
		const file = {
			name: 'door.gif',
			content: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
		};
		for (const [name, text] of [
			['replied', 'This one, please'],
			['clicked', ''],
		] as const) {
			const parties = { from: phoneOf(name), to: '61491570006' };
			await example.control.inbound({ ...parties, channel: 'MMS', text, media: [file] });
		}
		await example.executions(2);
		await example.run();

		const kept = await example.rows(campaignTable);
		expect(kept.map(({ reply }) => reply)).toEqual(['This one, please', '(no text)', null, null]);
		expect(kept.at(-1)).toMatchObject({ follow_up_of: 'autumn-offer-quiet' });
	});

	it('says of each contact what became of the message, and follows up once where nothing came', async () => {
		await campaign();
		const asked = (await example.control.requests({ method: 'GET', path: '/v2/sms' })).length;
		const { status } = await example.run();

		expect(status).toBe('success');
		const requests = await example.control.requests({ method: 'GET', path: '/v2/sms' });
		expect(requests.length - asked).toBe(2);
		expect(await byName()).toMatchObject({
			quiet: { status: 'DELIVERED', reply: null, clicked_at: null, opted_out: false },
			clicked: { status: 'DELIVERED', clicked_at: expect.any(String) },
			replied: { status: 'DELIVERED', reply: 'Yes please' },
			optedOut: { status: 'DELIVERED', opted_out: true },
			failed: { status: 'FAILED', reason: 'No such number' },
			open: { status: expect.not.stringMatching('DELIVERED') },
		});

		await example.run();
		const added = (await example.rows(campaignTable)).filter(({ follow_up_of }) => follow_up_of);
		expect(added).toMatchObject([
			{
				phone: `+${phoneOf('quiet')}`,
				first_name: 'quiet',
				text: expect.stringContaining('ends on Sunday'),
				follow_up_of: 'autumn-offer-quiet',
				state: null,
			},
		]);
	});
});
