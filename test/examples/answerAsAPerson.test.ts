import { beforeAll, describe, expect, it } from 'vitest';
import { RCS_AGENT } from '../../playground/emulator/catalogue.ts';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { useExample } from './useExample.ts';

const file = 'answer-as-a-person.json';
const beside = 'keep-every-message.json';
const contact = '61491573770';
const number = '61491570006';
const data = { user: 'staff', password: 'made-up-for-this-test' };
const signedIn = { authorization: `Basic ${btoa(`${data.user}:${data.password}`)}` };

describe('answer-as-a-person.json, as it comes', () => {
	const example = useExample({ file, publish: false });

	it('shows its form to nobody', async () => {
		// n8n 1 publishes it, and refuses whoever asks for the form.
		await example.publish().catch(() => undefined);
		const form = await fetch(`${example.url}/form/${example.webhookId('Answer as a person')}`);

		expect(form.status).toBeGreaterThanOrEqual(400);
	});
});

describe('answer-as-a-person.json', () => {
	let credentials: WorkflowNode['credentials'];
	const change = (node: WorkflowNode): WorkflowNode =>
		node.name === 'Answer as a person' ? { ...node, credentials } : node;
	const example = useExample({ file, change, beside: [beside] });
	beforeAll(async () => {
		const credential = { name: 'Staff', type: 'httpBasicAuth', data };
		const { id, name } = await example.rest.createCredential(credential);
		credentials = { httpBasicAuth: { id, name } };
	});

	let written = 0;
	const write = async (inbound: object = {}) => {
		await example.control.inbound({ from: contact, to: number, text: 'Hello', ...inbound });
		await example.executions(++written, beside);
	};
	/** Resolves to the status that the form answers with. */
	const answer = async (text: string, to = contact, headers: Record<string, string> = signedIn) => {
		const form = new FormData();
		for (const [index, value] of [to, text].entries()) form.append(`field-${index}`, value);
		const address = `${example.url}/form/${example.webhookId('Answer as a person')}`;
		return (await fetch(address, { method: 'POST', body: form, headers })).status;
	};

	it.each([
		['SMS', 'SMS', number],
		['MMS', 'SMS', number],
		['RCS', 'RCS', RCS_AGENT],
		['WHATSAPP', 'WHATSAPP', number],
	] as const)('answers %s by %s, from what was written to', async (channel, by, to) => {
		written = 0;
		await write({ channel, to });

		expect(await answer('Yes, from 10 to 4', '+61 491 573 770')).toBe(200);
		expect(await example.accepted()).toEqual([[by, to, contact]]);
	});

	it('answers on the channel used last', async () => {
		written = 0;
		await write();
		expect(await answer('Yes')).toBe(200);
		await write({ channel: 'WHATSAPP', text: 'And on Monday?' });
		expect(await answer('Yes')).toBe(200);

		expect((await example.accepted()).map(([channel]) => channel)).toEqual(['SMS', 'WHATSAPP']);
	});

	it('says in the form that nothing was sent to somebody who has not written', async () => {
		written = 0;
		expect(await answer('Hello')).toBe(500);
		await write();
		expect(await answer('Hello', '61491571266')).toBe(500);
		expect(await answer('Hello', contact, {})).toBe(401);

		expect(await example.accepted()).toEqual([]);
	});

	it('shows that a message may not have arrived', async () => {
		written = 0;
		await write({ channel: 'WHATSAPP' });
		// An SMS would be looked up for minutes.
		const match = { path: '/v2/whatsapp/messages', method: 'POST', count: 1 };
		await example.control.addFault({ fault: 'status500', match });

		expect(await answer('Yes')).toBe(500);
		expect(await answer('Yes')).toBe(200);
	});
});
