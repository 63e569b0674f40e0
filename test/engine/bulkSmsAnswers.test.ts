import { expect, it, vi } from 'vitest';
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

it.each([
	[
		'outcome_unknown',
		'1 number not confirmed',
		async () => await service.fault('reset', { path, nth: 2 }),
	],
	[
		'not_allowed',
		'1 number skipped',
		async () => await service.fault('status403', { path, nth: 2 }),
	],
	['unreachable', '1 number skipped', disconnect],
])('says why numbers were not sent beside others that were: %s', async (code, words, prepare) => {
	const repair = await prepare();
	const { json, hints } = await send([{ to: phones(501) }], { options: { requestsPerSecond: 1 } });
	if (typeof repair === 'function') repair();

	expect(json).toMatchObject([{ recipients: 500, not_sent: [{ number: phones(501)[500], code }] }]);
	expect(hints).toEqual([`1 accepted in part (${words})`]);
});

it('says of an item that was never tried that the other request may have been carried out', async () => {
	await service.fault('status500AfterAcceptance', { path, nth: 2 });
	const others = phones(60).map((to) => ({ to: [to], text: `Hello ${to}` }));
	const options = { requestsPerSecond: 1 };
	const { error } = await send([{ to: phones(1000) }, ...others], { options });

	expect(error?.message).toMatch(
		/^Not sent because another request could not be completed: Kudosity did not confirm the request /,
	);
	expect(error?.description).toContain('check in Kudosity before you send it again');
	expect(await service.control.messages({})).toHaveLength(2);
});

const sendAt =
	'={{ $json.inSeconds === undefined ? undefined : $now.plus({ seconds: $json.inSeconds }) }}';

/** The times that a bulk message for each of these items goes out at, in seconds from now. */
const timesOf = async (items: Array<{ inSeconds: number }>) => {
	const beganMs = Date.now();
	const all = items.map((item, index) => ({ ...item, to: phones(items.length)[index] }));
	const { error } = await send(all, { options: { sendAt } });
	expect(error).toBeUndefined();
	const requests = await service.control.requests({ path });
	return requests.map(({ body }) => {
		const { send_at: at, to } = body as { send_at: string; to: string };
		return { seconds: (Date.parse(`${at}Z`) - beganMs) / 1000, numbers: to.split(',').length };
	});
};

it('sends at one time each where items ask for different ones by turns, however long they take to read', async () => {
	const now = Date.now;
	let passedMs = 0;
	const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + (passedMs += 20));
	const items = Array.from({ length: 40 }, (_, index) => ({ inSeconds: 3600 * (1 + (index % 2)) }));
	const times = await timesOf(items);
	clock.mockRestore();
	expect(times.map((each) => each.numbers)).toEqual([20, 20]);
	expect(times.map(({ seconds }) => Math.round(seconds / 3600)).sort()).toEqual([1, 2]);
	expect(passedMs).toBeGreaterThan(1000);
});

it('leaves times where they are that are staggered by less than a second', async () => {
	const items = Array.from({ length: 40 }, (_, index) => ({ inSeconds: 3600 + index * 0.36 }));
	const times = await timesOf(items);
	expect(times.length).toBeGreaterThanOrEqual(14);
	expect(Math.min(...times.map(({ seconds }) => seconds))).toBeGreaterThan(3598);
	expect(Math.max(...times.map(({ seconds }) => seconds))).toBeGreaterThan(3612);
});
