import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { changed, sampleEvent } from '../fixtures/events/index.ts';
import { workingFields } from '../helpers/exampleFields.ts';
import { useDeduplicationStore } from './emulator.ts';
import type { RunOptions } from './harness.ts';
import { useWaitingN8n } from './waitingN8n.ts';

const n8n = useWaitingN8n();
const { service } = n8n;
useDeduplicationStore();

/** The person who is asked. */
const ana = '61491573770';
const ben = '61491570157';

type Earlier = NonNullable<RunOptions['earlier']>[number];

/** Ana was asked earlier in the execution, and this came out. */
const asked = (row: IDataObject, rest: Partial<Earlier> = {}): Earlier[] => [
	{ name: 'Ask', operation: 'sms/sendAndWait', items: [row], ...rest },
];

const outputWith = async (text: string): Promise<IDataObject> => {
	const question = await n8n.ask();
	await n8n.reply(text);
	const { json } = await question.resumed;
	return json;
};

const blocked = {
	outcome: 'skipped',
	code: 'blocked',
	reason: expect.stringMatching(
		/opted out in a message that this execution received.*Don't contact this person/,
	),
	canRetry: false,
};
/** Who got a message after the question. */
const recipients = async () => (await service.recipients()).slice(1);

describe('somebody who opts out in the reply to a question', () => {
	it.each(['sms/send', 'mms/send', 'rcs/send', 'whatsapp/send'])(
		'gets nothing more in this execution by %s',
		async (name) => {
			const earlier = asked(await outputWith('Please stop texting me'));
			const fields = {
				...(await workingFields(name, async () => [])),
				recipient: '={{ $json.phone }}',
			};
			const items = [{ phone: '+61 491 573 770' }, { phone: ben }];
			const { json, error } = await service.run(name, fields, { items, earlier });

			expect(error).toBeUndefined();
			expect(json[0]).toMatchObject(blocked);
			expect(json).toHaveLength(2);
			expect(await recipients()).toEqual([ben]);
		},
	);

	it.each([false, true])('is not asked again; by a tool of an agent: %s', async (isTool) => {
		const earlier = asked(await outputWith('Please stop texting me'), { isTool });
		const settings = isTool && {
			type: 'n8n-nodes-kudosity-messaging.kudosityTool',
			rewireOutputLogTo: 'ai_tool',
		};
		const { run } = await n8n.run(
			{},
			{ earlier, ...(settings && { settings: settings as never }) },
		);

		const data = run.data.resultData.runData.Kudosity?.[0]?.data;
		expect((data?.main ?? data?.ai_tool)?.[0]?.[0]?.json).toMatchObject({
			...blocked,
			replied: false,
		});
		expect(run.waitTill).toBeUndefined();
		// The webhook and the message of the question before.
		expect(await service.control.requests({ method: 'POST' })).toHaveLength(2);
	});

	it('gets nothing from an agent of version 2 after the node that asked', async () => {
		const earlier = asked(await outputWith('Please stop texting me'));
		const fields = { message: 'Hi', sender: 'Acme', recipient: ana };
		const call = await service.tool('sms/send', fields, { earlier });

		expect(JSON.parse(String(await call()))).toMatchObject([
			{ ...blocked, reason: expect.any(String) },
		]);
		expect(await recipients()).toEqual([]);
	});

	it('is left out of a bulk message, which the others get', async () => {
		const earlier = asked(await outputWith('Please stop texting me'));
		const { json } = await service.bulk([{ to: [ana, ben] }, { to: ana }], {}, { earlier });

		expect(json[0]).toMatchObject({ not_sent: [{ number: ana, code: 'blocked' }] });
		expect(json[1]).toMatchObject(blocked);
		expect(await recipients()).toEqual([ben]);
	});

	it('is one person, also as WhatsApp writes the number', async () => {
		const row = { replied: false, timedOut: false, optedOut: true, contact: '5491123456789' };
		const { json } = await service.sms([{ phone: '+541123456789' }], {}, { earlier: asked(row) });

		expect(json).toMatchObject([blocked]);
	});

	it('counts as skipped, and is neither a failure nor refused by Allowed Recipients', async () => {
		const earlier = asked(await outputWith('STOP'));
		const items = [{ phone: ana }, { phone: ben }];
		const { json, hints } = await service.sms(items, { allowedRecipients: ben }, { earlier });

		expect(json).toMatchObject([blocked, { recipient: ben }]);
		expect(hints.join()).toContain('1 skipped (opted out)');
	});
});

describe('somebody whose opt-out started the workflow', () => {
	const text = 'Please stop texting me';
	const toAna = { message: 'Sorry, will do', sender: 'Acme', recipient: ana };
	const inbound = changed(sampleEvent('smsInbound'), 'mo.sender', ana);
	const received = changed(inbound, 'mo.message', text);
	const optOut = changed(sampleEvent('optOutBySms'), 'opt_out.source_message.recipient', ana);
	const listed = { id: '1', direction: 'IN', sender: ana, recipient: ben, message: text };

	it.each([
		['a simplified message', 'kudosityTrigger', { contact: ana, optOut: 'words', text }],
		['a simplified opt-out', 'kudosityTrigger', { eventType: 'OPT_OUT', contact: ana }],
		['a message', 'kudosityTrigger', received],
		['an opt-out', 'kudosityTrigger', optOut],
		[
			'a simplified message that was polled',
			'kudosityPollingTrigger',
			{ contact: ana, optOut: 'words' },
		],
		['a message that was polled', 'kudosityPollingTrigger', listed],
		['a message in a sub-workflow', 'executeWorkflowTrigger', { contact: ana, optOut: 'words' }],
	] as const)('gets nothing from an agent, which got %s', async (_, type, row) => {
		const earlier = [{ name: 'On SMS', type, items: [row as IDataObject] }];
		const call = await service.tool('sms/send', toAna, { earlier });

		expect(JSON.parse(String(await call()))).toMatchObject([
			{ ...blocked, reason: expect.any(String) },
		]);
		expect(await service.recipients()).toEqual([]);
		const other = await service.tool('sms/send', { ...toAna, recipient: ben }, { earlier });
		await other();
		expect(await service.recipients()).toEqual([ben]);
	});

	it('gets nothing that an agent before the node has written', async () => {
		const row = { contact: ana, optOut: 'words' };
		const trigger = { name: 'On SMS', type: 'kudosityTrigger' as const, items: [row] };
		const agent = { name: 'Agent', type: 'agent' as const, items: [{ output: '10% off?' }] };
		const fields = { ...toAna, output: 'simplified' };
		const { json } = await service.run('sms/send', fields, { earlier: [trigger, agent] });

		expect(json).toMatchObject([{ outcome: 'skipped', code: 'blocked' }]);
		expect(await service.recipients()).toEqual([]);
	});

	it('gets the confirmation that a workflow without an agent sends on purpose', async () => {
		const row = { contact: ana, optOut: 'words' };
		const earlier = [{ name: 'On SMS', type: 'kudosityTrigger' as const, items: [row] }];
		await service.run('sms/send', toAna, { earlier });

		expect(await service.recipients()).toEqual([ana]);
	});

	it('gets an answer from an agent where the message was no opt-out', async () => {
		const row = changed(inbound, 'mo.message', 'When do you open?');
		const earlier = [{ name: 'On SMS', type: 'kudosityTrigger' as const, items: [row as never] }];
		await (
			await service.tool('sms/send', toAna, { earlier })
		)();

		expect(await service.recipients()).toEqual([ana]);
	});
});

it.each([
	['answers', 'sms/sendAndWait', async () => await outputWith('Yes')],
	['does not reply', 'sms/sendAndWait', async () => (await n8n.ask()).parked],
	[
		'is only in another table with such columns',
		'contact/getOptedOut',
		async () => ({ optedOut: true, contact: ana }),
	],
])('somebody who %s gets the next message', async (_, operation, rowOf) => {
	const earlier = asked(await rowOf(), { operation });
	await service.reset();
	await service.sms([{ phone: ana }], {}, { earlier });

	expect(await service.recipients()).toEqual([ana]);
});
