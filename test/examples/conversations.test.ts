import { beforeAll, describe, expect, it } from 'vitest';
import { RCS_AGENT } from '../../playground/emulator/catalogue.ts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { firstOf } from '../helpers/runsAll.ts';
import { useExample } from './useExample.ts';

const conversations = 'Kudosity conversations';
const history = 'Kudosity history';
const pictures = 'Kudosity pictures';
const file = 'conversations.json';

const contact = '61491573770';
const number = '61491570006';
// The smallest GIF there is.
const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** The example with the credential of the form, which n8n asks for before it publishes. */
const useWithForm = (changeNode = (node: WorkflowNode) => node) => {
	let credentials: WorkflowNode['credentials'];
	const data = { user: 'staff', password: 'made-up-for-this-test' };
	const change = (node: WorkflowNode): WorkflowNode =>
		changeNode(node.name === 'Answer as a person' ? { ...node, credentials } : node);
	const example = useExample({ file, change });
	beforeAll(async () => {
		const credential = { name: 'Staff', type: 'httpBasicAuth', data };
		const { id, name } = await example.rest.createCredential(credential);
		credentials = { httpBasicAuth: { id, name } };
	});
	const basicAuth: Record<string, string> = {
		authorization: `Basic ${btoa(`${data.user}:${data.password}`)}`,
	};
	return { example, basicAuth };
};

describe('conversations.json, as it comes', () => {
	const example = useExample({ file, publish: false });

	it('shows its form to nobody', async () => {
		// n8n 1 publishes it, and refuses whoever asks for the form.
		await example.publish().catch(() => undefined);
		const form = await fetch(`${example.url}/form/${example.webhookId('Answer as a person')}`);

		expect(form.status).toBeGreaterThanOrEqual(400);
	});
});

describe('conversations.json', () => {
	const { example, basicAuth } = useWithForm();

	type Inbound = Partial<Parameters<typeof example.control.inbound>[0]>;

	const write = async (inbound: Inbound = {}) =>
		await example.control.inbound({ from: contact, to: number, text: 'Hello', ...inbound });
	const sent = async () =>
		(await example.control.accepted()).map(({ channel, sender, recipient }) => [
			channel,
			sender,
			recipient,
		]);
	const written = async () =>
		(await example.rows(history)).map(({ direction, channel, written_by }) => [
			direction,
			channel,
			written_by,
		]);

	it.each([
		['SMS', number],
		['MMS', number],
		['RCS', RCS_AGENT],
		['WHATSAPP', number],
	] as const)('answers %s in kind, from what was written to', async (channel, to) => {
		const media = channel === 'MMS' ? [{ name: 'door.gif', content: gif }] : undefined;
		await write({ channel, to, media });
		const [execution] = await example.executions(1);

		expect([execution?.status, execution?.error]).toEqual(['success', undefined]);
		expect(await sent()).toEqual([[channel, to, contact]]);
		expect(await written()).toEqual([
			['IN', channel, 'contact'],
			['OUT', channel, 'automatic'],
		]);
	});

	it('keeps pictures so that a browser shows them, and answers with one', async () => {
		await write({ channel: 'MMS', media: [{ name: 'door.gif', content: gif }] });
		await example.executions(1);

		expect(await example.rows(pictures)).toMatchObject([
			{ contact, mime_type: 'image/gif', data_address: `data:image/gif;base64,${gif}` },
		]);
		expect(await example.rows(history)).toMatchObject([
			{ direction: 'IN', pictures: 1 },
			{ direction: 'OUT', pictures: 1, content: 'https://example.com/thank-you.jpg' },
		]);
	});

	it('keeps and answers each message once when events are delivered twice', async () => {
		await example.control.settings({ duplicateEvents: true });
		await write();
		const executions = await example.executions(2);

		expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
		expect(await sent()).toHaveLength(1);
		expect(await example.rows(history)).toHaveLength(2);
		expect(await example.rows(conversations)).toHaveLength(1);
	});

	it('hands over to a person who asks for one, and answers no more by itself', async () => {
		await write({ text: 'Can I talk to a person?' });
		await example.executions(1);
		await write({ text: 'Anybody there?' });
		const executions = await example.executions(2);

		expect(executions.map(({ nodes }) => nodes['For people']?.runs)).toEqual([1, 1]);
		expect(await example.rows(conversations)).toMatchObject([{ contact, answered_by: 'person' }]);
		expect((await example.control.messages()).map(({ text }) => text)).toEqual([
			expect.stringContaining('One of us will write to you'),
		]);
	});

	it('answers no more by itself where somebody has written “Person ” into the table', async () => {
		await write();
		await example.executions(1);
		await example.updateRows(conversations, { answered_by: 'Person ' });
		await write({ text: 'Hello again' });
		const [, second] = await example.executions(2);

		expect(second?.nodes['For people']?.runs).toBe(1);
		expect(await sent()).toHaveLength(1);
	});

	it('lets a person answer in the channel of the contact, and hand back', async () => {
		await write({ channel: 'WHATSAPP' });
		await example.executions(1);
		const { status, error } = await example.run('Answer as a person');
		expect([status, error]).toEqual(['success', undefined]);
		await write({ text: 'Thanks' });
		await example.executions(3);
		await example.updateRows(conversations, { answered_by: 'automatic' });
		await write({ text: 'Hello again' });
		await example.executions(4);

		expect((await sent()).map(([channel]) => channel)).toEqual(['WHATSAPP', 'WHATSAPP', 'SMS']);
		expect((await written()).map(([, , by]) => by)).toEqual([
			...['contact', 'automatic', 'person', 'contact', 'contact', 'automatic'],
		]);
	});

	it('answers on the channel of the latest message, also when an earlier one is delivered late', async () => {
		await write({ channel: 'WHATSAPP' });
		await example.executions(1);
		const mo = { id: 'mo-delivered-late', sender: contact, recipient: number };
		await example.control.emit({
			event_type: 'SMS_INBOUND',
			overrides: { timestamp: '2026-03-02T09:00:00.000Z', mo },
		});
		await example.executions(2);
		const { status } = await example.run('Answer as a person');

		expect(status).toBe('success');
		expect((await sent()).map(([channel]) => channel)).toEqual(['WHATSAPP', 'SMS', 'WHATSAPP']);
	});

	it('sends the same words again to a later message, also when an earlier one is delivered again', async () => {
		const mo = { id: 'mo-delivered-twice', sender: contact, recipient: number };
		const earlier = {
			event_type: 'SMS_INBOUND' as const,
			overrides: { timestamp: '2026-03-02T09:00:00.000Z', mo },
		};
		await example.control.emit(earlier);
		await example.executions(1);
		await example.run('Answer as a person');
		await write();
		await example.executions(3);
		await example.control.emit(earlier);
		await example.executions(4);
		await example.run('Answer as a person');

		expect((await written()).filter(([, , by]) => by === 'person')).toHaveLength(2);
		expect(await sent()).toHaveLength(3);
	});

	it('tells a person who answers somebody that has not written', async () => {
		const { status, error } = await example.run('Answer as a person');

		expect(status).toBe('error');
		expect(error?.message).toContain('no such contact has written');
		expect(await sent()).toEqual([]);
	});

	it('shows in the form whether the answer of a person was sent', async () => {
		const answer = async (headers = basicAuth) => {
			const form = new FormData();
			[contact, 'The old offer is null and void', '', 'person'].forEach((value, index) =>
				form.append(`field-${index}`, value),
			);
			const address = `${example.url}/form/${example.webhookId('Answer as a person')}`;
			return (await fetch(address, { method: 'POST', body: form, headers })).status;
		};
		expect(await answer()).toBe(500);
		await write();
		await example.executions(2);
		expect(await answer({})).toBe(401);
		expect((await written()).map(([direction]) => direction)).toEqual(['IN', 'OUT']);
		expect(await answer()).toBe(200);
		expect((await written()).at(-1)).toEqual(['OUT', 'SMS', 'person']);
		const before = await sent();
		expect(await answer()).toBe(200);
		expect(await sent()).toEqual(before);
	});

	it('does not take the answer of a person for sent when nobody knows whether it was', async () => {
		await write({ channel: 'WHATSAPP' });
		await example.executions(1);
		// An SMS would be looked up for minutes.
		const match = { path: '/v2/whatsapp/messages', method: 'POST', count: 1 };
		await example.control.addFault({ fault: 'status500', match });
		const first = await example.run('Answer as a person');
		const again = await example.run('Answer as a person');

		expect([first.status, again.status]).toEqual(['error', 'error']);
		expect(again.error?.message).toContain('nobody knows whether they arrived');
		expect(await sent()).toHaveLength(1);
		expect((await written()).map(([, , by]) => by)).toEqual(['contact', 'automatic']);
	});

	it('lets no machine at the other end keep it answering', async () => {
		for (let count = 1; count <= 6; count++) {
			await write({ text: `Out of office ${count}` });
			await example.executions(count);
		}
		const { status, error } = (await example.executions(6)).at(-1)!;

		expect(status).toBe('error');
		expect(error?.message).toContain("'Max per Recipient per Day' is 5");
		expect(await sent()).toHaveLength(5);
		expect((await written()).filter(([direction]) => direction === 'IN')).toHaveLength(6);
		expect((await example.run('Answer as a person')).status).toBe('success');
		expect(await sent()).toHaveLength(6);
	});

	it('keeps the pictures although the answer cannot be sent', async () => {
		await example.control.settings({ balance: 0 });
		await write({ channel: 'MMS', media: [{ name: 'door.gif', content: gif }] });
		const [execution] = await example.executions(1);

		expect(execution?.status).toBe('error');
		expect(await example.rows(pictures)).toMatchObject([{ contact, mime_type: 'image/gif' }]);
	});

	it.each(firstOf(1, ['STOP', 'Unsubscribe', 'Cancel']))('gives no answer to %s', async (text) => {
		await write({ text });
		const [execution] = await example.executions(1);

		expect(execution?.nodes['No answer to STOP']?.runs).toBe(1);
		expect(await sent()).toEqual([]);
		expect(await written()).toEqual([['IN', 'SMS', 'contact']]);
	});

	it.each(firstOf(1, ['Cancel', 'Unsubscribe']))(
		'takes “%s” to the person who answers',
		async (text) => {
			await write({ text: 'A person, please' });
			await example.executions(1);
			await write({ text });
			const [, second] = await example.executions(2);

			expect(second?.nodes['For people']?.runs).toBe(1);
			expect(await sent()).toHaveLength(1);
			expect(await example.rows(history)).toMatchObject([{}, {}, { direction: 'IN', text }]);
		},
	);

	it('runs in the editor on its pinned event', async () => {
		const { status } = await example.run('Message received');

		expect(status).toBe('success');
		expect(await sent()).toEqual([['SMS', number, contact]]);
	});
});

describe.each(['Pictures', 'Pictures table'])('conversations.json, when “%s” fails', (name) => {
	const change = (node: WorkflowNode): WorkflowNode =>
		node.name === name
			? {
					...node,
					type: 'n8n-nodes-base.code',
					typeVersion: 2,
					parameters: { jsCode: "throw new Error('No room')" },
				}
			: node;
	const { example } = useWithForm(change);

	it('answers all the same', async () => {
		const media = [{ name: 'door.gif', content: gif }];
		await example.control.inbound({ from: contact, to: number, channel: 'MMS', media });
		const [execution] = await example.executions(1);

		expect(execution?.status).toBe('success');
		expect(await example.control.accepted()).toHaveLength(1);
	});
});
