import { describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { firstOf } from '../helpers/runsAll.ts';
import { withOptions } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const optOuts = 'Kudosity opt-outs';
const people = ['61491573770', '61491571266', '61491570159'];

type Example = {
	file: string;
	send: string;
	/** What its source gives, if that is more than the one event that the file has. */
	pin?: Record<string, object[]>;
};

const inOneDay = new Date(Date.now() + 86_400_000).toISOString();

const examples: Example[] = [
	{ file: 'form-leads.json', send: 'Send SMS' },
	{ file: 'missed-call.json', send: 'Send SMS' },
	{ file: 'shopify-order-shipped.json', send: 'Send SMS' },
	{ file: 'review-request.json', send: 'Send SMS' },
	{ file: 'wait-for-daytime.json', send: 'Send SMS' },
	{ file: 'double-opt-in.json', send: 'Ask to confirm' },
	{ file: 'appointment.json', send: 'Ask' },
	{ file: 'survey.json', send: 'How was it?' },
	{
		file: 'hubspot-form-leads.json',
		send: 'Send SMS',
		pin: {
			'Latest leads': people.map((mobilephone) => ({
				properties: {
					mobilephone,
					sms_consent: 'true',
					recent_conversion_date: new Date().toISOString(),
				},
			})),
		},
	},
	{
		file: 'calendar-reminders.json',
		send: 'Send SMS',
		pin: {
			"Tomorrow's appointments": people.map((phone) => ({
				id: phone,
				description: `Phone: +${phone}`,
				start: { dateTime: inOneDay },
			})),
		},
	},
];

/** Sends in the editor, too, at any hour and without a wait, and also while nobody has opted out. */
const sending =
	(send: string) =>
	(node: WorkflowNode): WorkflowNode => {
		if (node.name === 'Three days later')
			return { ...node, parameters: { ...node.parameters, dateTime: '={{ $now.toISO() }}' } };
		if (node.name === 'Add to the list')
			return { ...node, parameters: { ...node.parameters, listId: '4100001' } };
		if (node.name !== send) return node;
		// n8n leaves out what is undefined.
		const limits = { ...(node.parameters.limits as object), sendingHours: undefined };
		const parameters = { ...node.parameters, limits };
		return withOptions({ ...node, parameters }, { dryRun: 'never', allowEmptyList: true });
	};

describe.each(examples)('$file', ({ file, send, pin }) => {
	const example = useExample({ file, publish: false, pin, change: sending(send) });
	const events = pin ? 3 : 1;

	it.each(firstOf(2, [0, 300, 1]))(
		'sends one message for each event where %d people have opted out',
		{ timeout: 120_000 },
		async (count) => {
			const phone = (index: number) => String(61491500000 + index);
			const rows = Array.from({ length: count }, (_, index) => ({ phone: phone(index) }));
			await example.withTables({ [optOuts]: rows });
			const id = await example.start();
			const { nodes } = await example.rest.waitForExecution(id, {
				statuses: ['success', 'waiting'],
				timeoutMs: 60_000,
			});

			expect(await example.control.messages()).toHaveLength(events);
			expect(nodes[send]?.items ?? Array(events)).toHaveLength(events);
		},
	);

	it('sends nothing to people who opted out', async () => {
		await example.withTables({
			[optOuts]: people.map((phone) => ({ phone: `+${phone.slice(0, 2)} ${phone.slice(2)}` })),
		});
		const { status } = await example.run();

		expect(status).toBe('success');
		const texted = (await example.control.messages()).map(({ recipient }) => recipient);
		expect(people.filter((person) => texted.includes(person))).toEqual([]);
	});
});
