import { expect, it } from 'vitest';
import { continues, phones, toSeveral, useEmulator } from './emulator.ts';
import { axios } from './engineModules.ts';

const service = useEmulator();
const path = '/send-sms.json';
const [ana, ben] = ['61491570006', '61491570156'] as const;
const answerWith = async (body: object, status = 200) =>
	await service.answer(body, { path }, status);

const send = async (items: object[], changes: object = {}, run: object = {}) =>
	await service.run('bulkSms/send', { ...toSeveral, ...changes }, { items, ...run });

it('names the contacts of a list who got nothing, for the first item that sends to it', async () => {
	await answerWith({ message_id: 1, recipients: 3, fails: [61000000], optouts: [Number(ben)] });
	const { json } = await send([{}, {}], { sendTo: 'list', listId: '4100002' });

	expect(json).toMatchObject([
		{
			recipients: 3,
			not_sent: [
				{ number: '61000000', code: 'invalid_number' },
				{ number: ben, code: 'opted_out' },
			],
		},
		{ recipients: 0, not_sent: [], duplicate: true },
	]);
});

it('claims no more recipients than the service took, which may leave some out without a word', async () => {
	await answerWith({ message_id: 1, recipients: 2 });
	const { json } = await send([{ to: phones(3) }]);
	expect(json).toMatchObject([{ recipients: 2, not_sent: [] }]);
});

it('claims all of its recipients where the service does not say how many it took', async () => {
	await answerWith({ message_id: 1, recipients: null, sms: null });
	const { json } = await send([{ to: phones(3) }]);
	expect(json).toMatchObject([{ recipients: 3, not_sent: [] }]);
});

it('takes a number that the service lists twice for one', async () => {
	await answerWith({ message_id: 1, recipients: 1, fails: [ana], optouts: [ana] });
	const { json } = await send([{ to: [ana, ben] }]);
	expect(json).toMatchObject([{ recipients: 1 }]);
});

it('names the numbers of the item only where its request was refused for them', async () => {
	const description = { fails: [ana, '61491570159'], optouts: [ben] };
	await answerWith({ error: { code: 'RECIPIENTS_ERROR', description } }, 400);
	const items = [{ to: ana }, { to: [ben, '61491570157'] }];
	const { json } = await service.bulk(items, {}, { settings: continues });
	expect(json[0]?.error).toContain('Not valid: …0006');
	expect(json[0]?.error).not.toMatch(/0159|0156/);
});

/** The second of two requests cannot leave. */
const disconnect = () => {
	const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
	const adapter = async () => await Promise.reject(refused);
	let requests = 0;
	const id = axios.interceptors.request.use((config: object) =>
		++requests === 2 ? Object.assign(config, { adapter }) : config,
	);
	return () => axios.interceptors.request.eject(id);
};

const unsent =
	'1 accepted, 1 of their numbers got no message because a request failed (listed in the output)';

it.each([
	[
		'outcome_unknown',
		["1 not confirmed (may have been sent, so don't resend)"],
		async () => await service.fault('reset', { path, nth: 2 }),
	],
	['not_allowed', [unsent], async () => await service.fault('status403', { path, nth: 2 })],
	['unreachable', [unsent], disconnect],
])('says why numbers were not sent beside others that were: %s', async (code, told, prepare) => {
	const repair = await prepare();
	const { json, hints } = await send([{ to: phones(501) }], { options: { requestsPerSecond: 1 } });
	if (typeof repair === 'function') repair();

	expect(json).toMatchObject([{ recipients: 500, not_sent: [{ number: phones(501)[500], code }] }]);
	expect(hints).toEqual(told);
});

it('says of an item that was never tried that the other request may have been carried out', async () => {
	await service.fault('status500AfterAcceptance', { path, nth: 2 });
	const [all, options] = [phones(1060), { requestsPerSecond: 1 }];
	const items = [{ to: all.slice(0, 1000) }, ...all.slice(1000).map((to) => ({ to: [to] }))];
	const { error } = await send(items, { options });

	expect(error?.message).toMatch(
		/^Not sent because another request could not be completed: Kudosity did not confirm the request /,
	);
	expect(error?.description).toContain('check in Kudosity before you send that one again');
	expect(await service.control.messages({})).toHaveLength(2);
});
