import { describe, expect, it } from 'vitest';
import { exampleFields, operationsByName } from '../helpers/exampleFields.ts';
import {
	continues,
	credentialsFor,
	phones,
	toPhone,
	useDeduplicationStore,
	useEmulator,
} from './emulator.ts';

const service = useEmulator();
const store = useDeduplicationStore();

const sends = Object.entries(operationsByName)
	.filter(([, { sends }]) => sends)
	.map(([name]) => name);

const [ana, ben] = ['61491570006', '61491570156'];

const run = async (items: object[], options: object, more: object = {}) =>
	await service.sms(items, { dryRun: 'always', ...options }, more);

describe.each(sends)('a dry run of %s', (name) => {
	const fields = (dryRun: string) => ({
		...exampleFields(operationsByName[name]!),
		options: { dryRun },
	});

	it('makes no request, and says what would be sent', async () => {
		const { json, error, hints } = await service.run(name, fields('always'));
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ dryRun: true }]);
		expect(JSON.stringify(json)).toContain('61491570006');
		expect(json[0]).not.toHaveProperty('id');
		expect(hints).toEqual([expect.stringMatching(/^Dry run \(nothing sent\): 1 ready to send/)]);
		expect(await service.control.requests()).toEqual([]);
	});

	it('is made in the editor only, when it is set to that', async () => {
		expect((await service.run(name, fields('manual'))).json).toMatchObject([{ dryRun: true }]);
		expect(await service.control.requests()).toEqual([]);
		await service.run(name, fields('manual'), { mode: 'evaluation' });
		expect(await service.control.requests()).toEqual([]);
		await service.run(name, fields('manual'), { mode: 'trigger' });
		expect(await service.control.requests()).not.toEqual([]);
	});
});

describe('a dry run', () => {
	it('of some items says how many, and the others are sent', async () => {
		const items = [
			{ phone: '61491570006', dry: 'always' },
			{ phone: '61491570156', dry: 'never' },
		];
		const { hints, json } = await run(items, { dryRun: '={{ $json.dry }}' });

		expect(hints).toEqual(['1 accepted. Dry run of 1 of 2 items: 1 ready to send']);
		expect(json).toMatchObject([{ dryRun: true }, { recipient: '61491570156' }]);
		expect(await service.control.messages()).toHaveLength(1);
	});

	it('shows the message as the service would get it, with its parts', async () => {
		const options = { messageRef: 'order-7' };
		const { json } = await run([{ phone: '+61 491 570 006', text: 'a'.repeat(161) }], options);
		expect(json).toEqual([
			{
				dryRun: true,
				message: 'a'.repeat(161),
				sender: 'Acme',
				recipient: ana,
				message_ref: 'order-7',
				parts: 2,
				encoding: 'GSM-7',
			},
		]);
	});

	it('combines items as they would go out', async () => {
		const to = [...phones(1000), phones(1)[0]];
		const { json, hints } = await service.bulk(
			to.map((number) => ({ to: number })),
			{ dryRun: 'always' },
		);
		expect(json).toHaveLength(1001);
		expect(json[0]).toEqual({
			dryRun: true,
			message: 'Hello',
			sender: 'Acme',
			to: [to[0]],
			recipients: 1,
			not_sent: [],
			request: { number: 1, requests: 2, recipients: 500, parts: 500 },
			parts: 1,
			encoding: 'GSM-7',
		});
		expect(json[999]).toMatchObject({ request: { number: 2, requests: 2 } });
		expect(json[1000]).toMatchObject({ recipients: 1, request: { number: 1, requests: 2 } });
		expect(hints).toEqual([
			'Dry run (nothing sent): 1001 ready to send (1000 messages in 2 requests)',
		]);
		expect(await service.control.requests()).toEqual([]);
	});

	const items = [{ phone: ana }, { phone: 'Sam' }, { phone: ben, text: '' }, { phone: ben }];

	it('shows all that is refused, where the node would stop', async () => {
		const { json, error, hints } = await run(items, { allowedRecipients: ana });
		expect(error).toBeUndefined();
		expect(json).toMatchObject([
			{ recipient: ana },
			{ outcome: 'notSent', code: 'invalid_number' },
			{ outcome: 'notSent', code: 'invalid_input' },
			{ reason: expect.stringContaining('Allowed Recipients'), code: 'sending_limit' },
		]);
		expect(hints).toEqual([
			"Dry run (nothing sent): 1 ready to send, 3 refused (1 not a valid number, 1 empty, 1 over a sending limit). A real run would stop at the refused items and send nothing. To send the others, set 'Output' to 'Result for Each Item'",
		]);
	});

	it('sends refused items the way of failed ones, where the node continues', async () => {
		const settings = { onError: 'continueErrorOutput' };
		const { outputs } = await run(items, {}, { settings });
		expect(outputs[0]).toHaveLength(2);
		expect(outputs[1]?.map(({ json }) => json.details)).toEqual([
			{ code: 'invalid_number', dryRun: true },
			{ code: 'invalid_input', dryRun: true },
		]);
	});

	it('shows what the limits would hold back, and does not use them up', async () => {
		const limits = { maxPerExecution: 2, maxPerRecipientPerDay: 1 };
		const three = [{ phone: ana }, { phone: ana }, { phone: ben }, { phone: phones(1)[0] }];
		const { json } = await run(three, limits);
		expect(json).toMatchObject([
			{ recipient: ana },
			{ reason: expect.stringContaining('Max per Recipient per Day') },
			{ recipient: ben },
			{ reason: expect.stringContaining('Max per Execution') },
		]);
		expect(store.entries.size).toBe(0);
		const real = await run([{ phone: ana }, { phone: ben }], { ...limits, dryRun: 'never' });
		expect(real.json).toMatchObject([{ id: expect.any(String) }, { id: expect.any(String) }]);
	});

	it('does not say that a real run sends nothing, where it sends up to the limit', async () => {
		const limits = { deduplicationKey: '={{ $json.phone }}', maxPerExecution: 1 };
		const two = [{ phone: ana }, { phone: ben }];
		const { hints } = await run(two, limits);
		expect(hints).toEqual([
			"Dry run (nothing sent): 1 ready to send, 1 refused (1 over a sending limit). A real run would stop at the refused items. To send the others, set 'Output' to 'Result for Each Item'",
		]);
		await run(two, { ...limits, dryRun: 'never' });
		expect(await service.recipients()).toEqual([ana]);
	});

	it('takes no Deduplication Key, and shows which items would be skipped for one', async () => {
		const deduplicationKey = '={{ $json.phone }}';
		const { json } = await run([{ phone: ana }, { phone: ana }], { deduplicationKey });
		expect(json).toMatchObject([
			{ recipient: ana },
			{ outcome: 'dryRun', code: 'already_messaged' },
		]);
		expect(store.entries.size).toBe(0);
		const real = await run([{ phone: ana }], { deduplicationKey, dryRun: 'never' });
		expect(real.json).toMatchObject([{ id: expect.any(String) }]);
	});

	it('counts an item as skipped, whatever an earlier node says in fields of the same names', async () => {
		const before = { phone: ana, refused: true, dryRun: false };
		const { json, hints } = await run([before, before], { deduplicationKey: '={{ $json.phone }}' });
		expect(json[1]).toMatchObject({ outcome: 'dryRun', code: 'already_messaged' });
		expect(hints).toEqual([
			'Dry run (nothing sent): 1 ready to send, 1 skipped (key already used)',
		]);
	});

	it('leaves the Deduplication Key of a refused item to the next, as a real run does', async () => {
		const items = [
			{ phone: ana, key: 'J' },
			{ phone: ana, key: 'K' },
			{ phone: ben, key: 'K' },
		];
		const options = { deduplicationKey: '={{ $json.key }}', maxPerRecipientPerDay: 1 };
		const { json } = await run(items, options, { settings: continues });
		const real = await run(items, { ...options, dryRun: 'never' }, { settings: continues });
		const told = [{ recipient: ana }, { details: { code: 'limit_reached' } }, { recipient: ben }];
		expect(real.json).toMatchObject(told);
		expect(json).toMatchObject(told);
		expect(json[2]).not.toHaveProperty('code');
	});

	it('lets the first of bulk items with the same key decide, as a real run does', async () => {
		const options = { deduplicationKey: 'K', sendAt: '={{ $json.at }}', dryRun: 'always' };
		const run = async (at: string) =>
			await service.bulk(
				[
					{ to: ana, at },
					{ to: ben, at },
				],
				options,
				{ settings: continues },
			);
		const sent = await run('2099-01-01T00:00:00Z');
		expect(sent.json).toMatchObject([{ to: [ana] }, { code: 'already_messaged' }]);
		expect(sent.hints).toEqual([
			'Dry run (nothing sent): 1 ready to send, 1 skipped (key already used)',
		]);
		const refused = { details: { code: 'invalid_input' } };
		expect((await run('2020-01-01T00:00:00Z')).json).toMatchObject([refused, refused]);
	});

	it('refuses an address that Kudosity cannot reach, as a real run does', async () => {
		const options = { replyCallback: 'http://localhost:5678/x', dryRun: 'always' };
		const credentials = credentialsFor('https://service.invalid');
		const { json } = await service.bulk([{ to: ana }], options, { credentials });
		expect(json).toMatchObject([
			{ outcome: 'notSent', reason: expect.stringContaining("can't reach this URL") },
		]);
	});

	it('shows the same when Retry On Fail runs it again', async () => {
		const settings = { onError: 'continueRegularOutput', retryOnFail: true, waitBetweenTries: 1 };
		const options = {
			deduplicationKey: '={{ $json.phone }}',
			maxPerRecipientPerDay: 1,
			maxPerExecution: 2,
		};
		const two = [{ phone: 'Sam' }, { phone: ana }, { phone: ana }, { phone: ben }];
		const { json } = await run(two, options, { settings });
		expect(json).toMatchObject([
			{ details: { code: 'invalid_number' } },
			{ recipient: ana },
			{ outcome: 'dryRun', code: 'already_messaged' },
			{ recipient: ben },
		]);
		expect(json[1]).not.toHaveProperty('code');
	});

	it('never takes an item along that is only tried', async () => {
		const items = [
			{ to: ana, mode: 'always' },
			{ to: ben, mode: 'never' },
		];
		const { json } = await service.bulk(items, { dryRun: '={{ $json.mode }}' });
		expect(await service.control.requests()).toMatchObject([{ body: { to: ben } }]);
		expect(json).toMatchObject([{ dryRun: true }, { message_id: expect.any(String) }]);
	});

	it('that refuses an item keeps none from being sent for real', async () => {
		const mixed = [
			{ phone: 'Sam', mode: 'always' },
			...phones(60).map((phone) => ({ phone, mode: 'never' })),
		];
		const { json, error } = await run(mixed, { dryRun: '={{ $json.mode }}' });
		expect(error).toBeUndefined();
		expect(json[0]).toMatchObject({ outcome: 'notSent' });
		expect(await service.control.messages()).toHaveLength(60);
	});

	it('tells an agent that nothing was sent', async () => {
		const call = await service.tool('sms/send', { ...toPhone, options: { dryRun: 'always' } });
		expect(JSON.stringify(await call({ phone: ana }))).toContain('Dry run: nothing was sent');
		expect(await service.control.requests()).toEqual([]);
	});
});
