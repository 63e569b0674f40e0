import { beforeAll, describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { firstOf } from '../helpers/runsAll.ts';
import { useExample } from './useExample.ts';

const table = 'Kudosity opt-outs';
const secret = { name: 'X-Token', value: 'made-up-for-this-test' };
/** In lists of the emulator. */
const listed = '61491573087';
const unlisted = '61491570156';

/** The example as the shop meets it. */
const useShop = (defaultCountry = '') => {
	let credentials: WorkflowNode['credentials'];
	let path = '';
	const change = (node: WorkflowNode): WorkflowNode => {
		if (node.name === 'Read the number') {
			return { ...node, parameters: { ...node.parameters, defaultCountry } };
		}
		if (node.name !== 'Opt-out elsewhere') return node;
		path = String(node.parameters.path);
		return { ...node, credentials };
	};
	const example = useExample({ file: 'opt-out-from-elsewhere.json', change });
	beforeAll(async () => {
		const { id, name } = await example.rest.createCredential({
			name: 'Token of the shop',
			type: 'httpHeaderAuth',
			data: secret,
		});
		credentials = { httpHeaderAuth: { id, name } };
	});
	const post = async (body: object, token = secret.value) => {
		const response = await fetch(`${example.url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', [secret.name]: token },
			body: JSON.stringify(body),
		});
		return { status: response.status, body: await response.text() };
	};
	return { example, post };
};

describe('opt-out-from-elsewhere.json', () => {
	const { example, post } = useShop();

	it('opts a contact out of all lists in Kudosity, and keeps it', async () => {
		const { status, body } = await post({ phone: '+61 491 573 087', source: 'shop' });

		expect([status, JSON.parse(body)]).toMatchObject([200, { phone: listed, source: 'shop' }]);
		expect(await example.rows(table)).toMatchObject([{ phone: listed, source: 'shop' }]);
		const requests = await example.control.requests({ path: '/optout-list-member.json' });
		expect(requests.map((request) => request.body)).toEqual([{ list_id: '0', msisdn: listed }]);
	});

	it('keeps the opt-out of somebody who is in no list, once', async () => {
		await post({ phone: unlisted });
		const { status } = await post({ phone: unlisted });

		expect(status).toBe(200);
		expect(await example.rows(table)).toMatchObject([{ phone: unlisted, source: 'elsewhere' }]);
	});

	it.each(
		firstOf(2, [
			['+44 (0)7700 900123', '447700900123'],
			[61491570156, unlisted],
		]),
	)('keeps the number that is meant by %s', async (phone, meant) => {
		expect((await post({ phone })).status).toBe(200);
		expect(await example.rows(table)).toMatchObject([{ phone: meant }]);
	});

	it.each(firstOf(3, [[undefined], ['0491 570 156'], [''], [`${unlisted}, none`]]))(
		'takes no opt-out for done whose number it cannot read: %j',
		async (phone) => {
			expect((await post({ phone })).status).toBe(500);
			const [execution] = await example.executions(1);
			expect(execution?.error?.message).toMatch(/^Not opted out: /);
			expect(await example.rows(table)).toEqual([]);
			expect(await example.control.requests({ path: '/optout-list-member.json' })).toEqual([]);
		},
	);

	it('keeps the number also where Kudosity refuses', async () => {
		await example.control.addFault({ fault: 'status403', match: { count: 'forever' } });
		const { status } = await post({ phone: listed });

		expect(status).toBe(200);
		expect(await example.rows(table)).toMatchObject([{ phone: listed }]);
	});

	it('lets nobody opt others out without the header', async () => {
		expect((await post({ phone: listed }, 'wrong')).status).toBe(403);
		expect(await example.rows(table)).toEqual([]);
	});

	it('runs in the editor on its pinned sample', async () => {
		const { status } = await example.run();

		expect(status).toBe('success');
		expect(await example.rows(table)).toMatchObject([{ phone: unlisted, source: 'shop' }]);
	});
});

describe('opt-out-from-elsewhere.json, with a Default Country', () => {
	const { example, post } = useShop('AU');

	it.each(firstOf(1, ['0491 570 156', '491570156']))(
		'notes %s with its country code',
		async (phone) => {
			const { status, body } = await post({ phone });

			expect([status, JSON.parse(body)]).toMatchObject([200, { phone: unlisted }]);
			expect(await example.rows(table)).toMatchObject([{ phone: unlisted }]);
		},
	);
});
