import { beforeAll, describe, expect, it } from 'vitest';
import type { WorkflowNode } from '../../playground/n8n/rest/workflows.ts';
import { until } from '../../playground/n8n/until.ts';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { useExample } from './useExample.ts';

const header = { name: 'X-Token', value: 'made-up-for-this-test' };
const table = 'Kudosity logins';
const checking = 'one-time-code-check.json';
const customer = '61491570156';
const phone = '+61 491 570 156';

/** With the secrets that a user enters, and more to change. */
const useLogin = (more: Record<string, object> = {}) => {
	let credentials: WorkflowNode['credentials'];
	const change = (node: WorkflowNode): WorkflowNode => {
		const changed = { ...node, parameters: { ...node.parameters, ...more[node.name] } };
		if (node.type === 'n8n-nodes-base.webhook') return { ...changed, credentials };
		return node.name === 'HMAC of the code'
			? { ...changed, parameters: { ...changed.parameters, secret: 'another-made-up-secret' } }
			: changed;
	};
	const example = useExample({ file: 'one-time-code.json', beside: [checking], change });
	beforeAll(async () => {
		const { id, name } = await example.rest.createCredential({
			name: 'Token of the website',
			type: 'httpHeaderAuth',
			data: header,
		});
		credentials = { httpHeaderAuth: { id, name } };
	});
	const post = async (webhookId: string, body: object, token: string) => {
		const response = await fetch(`${example.url}/webhook/${webhookId}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', [header.name]: token },
			body: JSON.stringify(body),
		});
		return { status: response.status, body: await response.text() };
	};
	return {
		example,
		ask: async (body: object, token = header.value) =>
			await post(example.webhookId('Code requested'), body, token),
		enter: async (code: string, token = header.value) =>
			await post(example.webhookId('Code entered', checking), { phone, code }, token),
		/** In the newest message. */
		code: async () => (await example.control.messages()).at(-1)!.text.slice(0, 6),
	};
};

const yes = { status: 200, body: '{"ok":true}' };
const no = { status: 200, body: '{"ok":false}' };
const bare = ({ status, body }: { status: number; body: string }) => ({
	status,
	body: body.replaceAll(' ', ''),
});

describe('one-time-code.json, whose answer waits for its end', () => {
	const { example, ask, enter, code } = useLogin({
		'Code requested': { responseMode: 'lastNode' },
	});
	const sent = async () => await example.control.messages();
	const check = async (entered: string) => bare(await enter(entered));
	/** Another code than this one. */
	const notThe = (right: string) => (right === '000000' ? '000001' : '000000');

	it('texts a code that works once, and allows five attempts an hour over all codes', async () => {
		await ask({ phone, signUp: true });
		const first = await code();
		expect(await sent()).toMatchObject([
			{ sender: '61491570006', recipient: customer, text: expect.stringMatching(/^\d{6} is your/) },
		]);
		expect(JSON.stringify(await example.rows(table))).not.toContain(`"${first}"`);
		expect(await check(notThe(first))).toEqual(no);
		expect(await check(first)).toEqual(yes);
		expect(await check(first)).toEqual(no);

		await ask({ phone });
		const second = await code();
		expect(await check(notThe(second))).toEqual(no);
		expect(await check(notThe(second))).toEqual(no);
		expect(await check(second)).toEqual(no);
		expect(await example.rows(table)).toContainEqual(
			expect.objectContaining({ phone: customer, attempts: 5 }),
		);
	});

	it('counts guesses at the same moment one by one, and takes a code from one of several', async () => {
		await ask({ phone, signUp: true });
		const right = await code();
		const answers = await Promise.all([1, 2, 3].map(async () => await check(right)));
		expect(answers.map(({ body }) => body).sort()).toEqual([no.body, no.body, yes.body]);

		await Promise.all(Array.from({ length: 6 }, async () => await check(notThe(right))));
		const row = (await example.rows(table)).find((one) => one.phone === customer);
		expect(row).toMatchObject({ attempts: 5 });
	});

	it('takes no code after its ten minutes', async () => {
		await ask({ phone, signUp: true });
		await example.updateRows(table, { expires_at: new Date(Date.now() - 1000).toISOString() });
		expect(await check(await code())).toEqual(no);
	});

	it('sends none to an unknown number, a landline or abroad, and three an hour', async () => {
		await ask({ phone });
		await ask({ phone: '+61 2 5550 1234', signUp: true });
		await ask({ phone: '+64 20 4123 4567', signUp: true });
		await ask({ phone: 'none', signUp: true });
		await ask({ phone: '+61491570157 / +61491570158', signUp: true });
		expect(await sent()).toEqual([]);
		// Nor does what is no number count toward the limit of all.
		expect((await example.rows(table)).map((row) => [row.phone, row.sends])).toEqual([
			['everyone', 1],
			['642041234567', 1],
		]);

		for (const signUp of [true, false, true, false]) await ask({ phone, signUp });
		expect((await sent()).map(({ recipient }) => recipient)).toEqual(Array(3).fill(customer));
	});

	it('leaves the fifth code of a day valid when a sixth one is asked for', async () => {
		for (const signUp of [true, false, false]) await ask({ phone, signUp });
		const longAgo = JSON.stringify(Array(3).fill(Date.now() - 7_200_000));
		await example.updateRows(table, { sent_at: longAgo });
		for (let count = 4; count <= 6; count++) await ask({ phone });

		expect(await sent()).toHaveLength(5);
		expect(await check(await code())).toEqual(yes);
	});

	it.runIf(isCurrent)('fails, so that the owner learns of it, at the limit for all', async () => {
		const sent_at = JSON.stringify(Array(19).fill(Date.now()));
		await example.withTables({ [table]: [{ phone: 'everyone', sends: 19, sent_at }] });
		await ask({ phone, signUp: true });
		expect(await sent()).toHaveLength(1);

		expect((await ask({ phone })).status).toBe(500);
		expect(await sent()).toHaveLength(1);
	});
});

describe('one-time-code.json as it is', () => {
	const { example, ask, enter, code } = useLogin();

	it('gives the same answer for each number, and keeps no execution', async () => {
		const unknown = await ask({ phone });
		const known = await ask({ phone, signUp: true });
		expect(unknown).toEqual(known);
		expect(known.status).toBe(200);
		await example.control.waitForMessages({ recipient: customer });
		expect(bare(await enter(await code()))).toEqual(yes);

		for (const file of ['one-time-code.json', checking])
			await until({ what: `no execution of ${file}`, timeoutMs: 20_000 }, async () =>
				(await example.listed(file)).length === 0 ? true : undefined,
			);
	});

	it('lets nobody in without the header', async () => {
		expect((await ask({ phone, signUp: true }, 'wrong')).status).toBe(403);
		expect((await enter('000000', 'wrong')).status).toBe(403);
		expect(await example.rows(table)).toEqual([]);
	});
});
