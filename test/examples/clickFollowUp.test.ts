import { beforeEach, describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { importRan } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const optOuts = 'Kudosity opt-outs';
const contact = '61491578888';
const example = useExample({ file: 'click-follow-up.json' });

describe('click-follow-up.json', () => {
	beforeEach(async () => await example.withTables({ [optOuts]: [importRan] }));

	it('follows up once, however often the link is opened', async () => {
		const { status, nodes } = await example.run("When clicking 'Execute workflow'");
		expect(status).toBe('success');
		const offer = String(nodes['Send SMS']?.items[0]?.json.id);
		await example.control.click(offer);
		await example.control.click(offer);
		await example.control.click(offer);
		await example.executions(4);

		const messages = await example.control.messages();
		expect(messages.map(({ recipient, message_ref }) => [recipient, message_ref])).toEqual([
			[contact, 'spring-offer'],
			[contact, 'spring-offer-follow-up'],
		]);
		expect(messages.map(({ sender }) => sender)).toEqual(['61491570006', '61491570006']);
	});

	it('sends the offer once to each recipient', async () => {
		await example.run("When clicking 'Execute workflow'");
		await example.run("When clicking 'Execute workflow'");

		expect(await example.control.messages()).toHaveLength(1);
	});

	it('sends no offer to whoever is in the table of opt-outs', async () => {
		await example.insert(optOuts, [{ phone: `${contact}\r` }]);
		const { status } = await example.run("When clicking 'Execute workflow'");

		expect(status).toBe('success');
		expect(await example.control.messages()).toEqual([]);
	});

	it('sends no follow-up to whoever has got into the table of opt-outs', async () => {
		const { nodes } = await example.run("When clicking 'Execute workflow'");
		await example.insert(optOuts, [{ phone: `\u202a+${contact}\u202c` }]);
		await example.control.click(String(nodes['Send SMS']?.items[0]?.json.id));
		const [, click] = await example.executions(2);

		expect(click?.status).toBe('success');
		expect(await example.control.messages()).toHaveLength(1);
	});

	it('sends no follow-up, and is red, while an opt-out cannot be read', async () => {
		const { nodes } = await example.run("When clicking 'Execute workflow'");
		await example.insert(optOuts, [{ phone: '' }]);
		await example.control.click(String(nodes['Send SMS']?.items[0]?.json.id));
		const [, click] = await example.executions(2);

		expect(click?.error?.message).toContain('row 3 ""');
		expect(await example.control.messages()).toHaveLength(1);
	});

	it('is red where an offer was not sent', async () => {
		await example.control.settings({ balance: 0 });
		const { status, error } = await example.run("When clicking 'Execute workflow'");

		expect(status).toBe('error');
		expect(error?.message).toContain('balance');
	});

	it('leaves clicks on other messages alone', async () => {
		const other = await example.sendSms(contact, { message_ref: 'newsletter', track_links: true });
		await example.control.click(other);
		const offer = await example.run("When clicking 'Execute workflow'");
		await example.control.click(String(offer.nodes['Send SMS']?.items[0]?.json.id));
		await example.executions(2);

		const references = (await example.control.messages()).map(({ message_ref }) => message_ref);
		expect(references).toEqual(['newsletter', 'spring-offer', 'spring-offer-follow-up']);
	});
});

describe('click-follow-up.json, with recipients of your own', () => {
	const recipients = [contact, '+61 491 578 888', '0491 578 888', '61491578888.0', ''];
	const change = (node: WorkflowNode): WorkflowNode => {
		if (node.name !== 'Offer') return node;
		const text = JSON.stringify(node.parameters).replace(
			JSON.stringify(JSON.stringify([contact])),
			JSON.stringify(JSON.stringify(recipients)),
		);
		return { ...node, parameters: JSON.parse(text) as WorkflowNode['parameters'] };
	};
	const own = useExample({
		file: 'click-follow-up.json',
		change,
		publish: false,
	});

	it('sends the offer once to a number, however it is written, and sets aside what is none', async () => {
		await own.withTables({ [optOuts]: [importRan] });
		const { status, nodes } = await own.run("When clicking 'Execute workflow'");

		expect(status).toBe('success');
		const sent = (await own.control.messages()).map(({ recipient }) => recipient);
		expect(sent).toEqual([contact]);
		const setAside = nodes['Correct these numbers']?.items.map(({ json }) => json.recipient);
		expect(setAside).toEqual(recipients.slice(1));
	});
});
