import { describe, expect, it } from 'vitest';
import { optOutsTable, withOptions } from './campaignNodes.ts';
import { useExample } from './useExample.ts';

const contact = '61491570159';
const many = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ phone: `${61491000000 + index}` }));

describe('click-follow-up.json', () => {
	const example = useExample({
		file: 'click-follow-up.json',
		change: (node) =>
			node.name === 'Send SMS' ? withOptions(node, { allowEmptyList: true }) : node,
	});
	const offer = async (messageRef = 'spring-offer') =>
		await example.sendSms(contact, { message_ref: messageRef, track_links: true });
	const followUps = async () =>
		(await example.control.messages()).filter(({ text }) => text.startsWith('Questions about'));

	it.each([0, 1, 300])('follows up once, where %d people have opted out', async (count) => {
		await example.withTables({ [optOutsTable]: many(count) });
		const id = await offer();
		for (let times = 0; times < 3; times++) await example.control.click(id);
		const executions = await example.executions(3);

		expect(executions.map(({ status }) => status)).toEqual(Array(3).fill('success'));
		expect(await followUps()).toMatchObject([{ recipient: contact }]);
	});

	it('sends nothing to whoever opted out, or selected another link', async () => {
		await example.withTables({ [optOutsTable]: [{ phone: `+${contact}` }] });
		await example.control.click(await offer('newsletter'));
		await example.control.click(await offer());
		const [{ nodes }] = (await example.executions(1)) as [
			Awaited<ReturnType<typeof example.executions>>[number],
		];

		expect(nodes['Send SMS']?.items[0]?.json).toMatchObject({ outcome: 'skipped' });
		expect(await followUps()).toEqual([]);
	});

	it('does a dry run in the editor', async () => {
		await example.withTables({ [optOutsTable]: many(1) });
		const { nodes } = await example.run();

		expect(nodes['Send SMS']?.items.map(({ json }) => json)).toMatchObject([{ outcome: 'dryRun' }]);
		expect(await example.control.messages()).toEqual([]);
	});
});
