import { describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { now, withOptions } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const optOuts = 'Kudosity opt-outs';
const [sam, kim, stopped] = ['61491573770', '61491571266', '61491570158'] as const;

const live = (node: WorkflowNode): WorkflowNode =>
	node.parameters.resource === 'sms' ? withOptions(node, { dryRun: 'never' }) : node;

/** The last whole minute of today. */
const endOfToday = () => {
	const format = new Intl.DateTimeFormat('en-US', { timeZone: 'Australia/Sydney' });
	const minutes = Array.from(
		{ length: 26 * 60 },
		(_, each) => new Date(Date.now() + each * 60_000),
	);
	return minutes.findLast((each) => format.format(each) === format.format(new Date()))!;
};

describe('calendar-reminders.json', () => {
	const start = { dateTime: new Date(Date.now() + 86_400_000).toISOString() };
	const event = (id: string, description: string | undefined, more: object = { start }) => ({
		id,
		summary: `Haircut ${id}`,
		description,
		...more,
	});
	const events = [
		event('a', 'Phone (Kim):&nbsp;\u202a0491\u00a0571\u00a0266\u202c'),
		event('b', 'Room 12<br><b>Phone:</b> +61 491 573 770<br>Bring 2 forms'),
		event('c', 'No number here. Order 0491 570 159'),
		event('d', 'Phone: 0491 570 159', { start: { date: '2099-01-01' } }),
		event('e', undefined),
		// Until after midnight.
		event('f', 'Phone: 0491 570 159', { start: { dateTime: endOfToday().toISOString() } }),
		event('g', 'Phone: none'),
		event('h', `Phone: ${stopped}`),
	];
	const using = (window: object) => ({
		file: 'calendar-reminders.json',
		publish: false,
		pin: { "Tomorrow's appointments": events },
		change: (node: WorkflowNode): WorkflowNode => {
			return node.name === 'Send SMS'
				? withOptions(live(node), { sendingHours: { window } })
				: node;
		},
	});
	const example = useExample(using(now()));
	const atNight = useExample(using({ ...now(), from: '03:00', to: '03:01' }));
	const open = { [optOuts]: [{ phone: stopped }] };

	it('reminds each person about tomorrow, once', async () => {
		await example.withTables(open);
		const first = await example.run();
		await example.run();

		expect(first.status).toBe('success');
		const texts = (await example.control.messages()).map(({ recipient, text }) => [
			recipient,
			text,
		]);
		expect(texts.sort()).toEqual(
			[kim, sam].map((to) => [to, expect.stringMatching(/ tomorrow at \d+:\d\d [AP]M\. /)]),
		);
		const results = first.nodes['Send SMS']?.items.map(({ json }) => json) as Array<{
			id: string;
			result: { outcome: string };
		}>;
		expect(results.map(({ id, result }) => [id, result.outcome])).toEqual([
			['a', 'sent'],
			['b', 'sent'],
			['g', 'notSent'],
			['h', 'skipped'],
		]);
	});

	it('sends nothing at night, which is no failure', async () => {
		await atNight.withTables(open);
		expect((await atNight.run()).status).toBe('success');
		expect(await atNight.control.messages()).toEqual([]);
	});
});
