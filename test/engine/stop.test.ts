import { expect, it } from 'vitest';
import { continues, phones, retries, useDeduplicationStore } from './emulator.ts';
import { pauseBegins } from './pauses.ts';
import { useWaitingN8n } from './waitingN8n.ts';

const n8n = useWaitingN8n();
const { service } = n8n;
const store = useDeduplicationStore();

const options = { requestsPerSecond: 20, deduplicationKey: '={{ $json.phone }}' };
const items = phones(20).map((phone) => ({ phone }));

const inThePause = async () => await pauseBegins(50_000);
const threeMessages = async () => await service.control.waitForMessages({}, { count: 3 });

it('sends nothing twice when it is stopped in the middle and run again', async () => {
	await service.fault('slow', { count: 'forever' }, { delayMs: 300 });
	const settings = { ...retries, ...continues };
	const stopped = await service.sms(items, options, { settings, stopWhen: threeMessages });
	expect(stopped.run.status).toBe('canceled');
	const requested = (await service.control.requests({ path: '/v2/sms' })).length;
	expect(requested).toBeLessThan(items.length);
	// Those under way are accepted all the same.
	await service.control.waitForMessages({}, { count: requested });

	await service.control.clearFaults();
	const { json } = await service.sms(items, options);
	expect(json).toHaveLength(items.length);
	expect(json.filter(({ code }) => code === 'already_messaged').length).toBeGreaterThanOrEqual(
		requested,
	);
	const recipients = await service.recipients();
	expect(new Set(recipients).size).toBe(recipients.length);
	expect(recipients).toContain(items.at(-1)?.phone);
});

it('takes no Deduplication Keys for what it no longer sends', async () => {
	const many = phones(300).map((phone) => ({ phone }));
	const stopping = { settings: continues, stopWhen: threeMessages };
	const { run } = await service.sms(many, options, stopping);
	expect(run.status).toBe('canceled');

	const taken = many.filter(({ phone }) => store.everTaken.has(`kudosity:send:${phone}`));
	const sent = (await service.control.messages()).length;
	expect(taken.length).toBeGreaterThanOrEqual(sent);
	// No more than were under way at once.
	expect(taken.length - sent).toBeLessThanOrEqual(50);
});

it('asks no question when it is stopped while the webhook for the reply cannot be made', async () => {
	const made = { path: '/v2/webhook', method: 'POST' };
	await service.fault('status429', made, { retryAfter: 60 });
	const { run } = await n8n.run({}, { stopWhen: inThePause });

	expect(run.status).toBe('canceled');
	expect(await service.control.requests(made)).toHaveLength(1);
	expect(await service.control.messages()).toEqual([]);
});

it('leaves no webhook when a question is stopped while its message waits', async () => {
	await service.fault('status429', { path: '/v2/sms', method: 'POST' }, { retryAfter: 60 });
	const { run } = await n8n.run({}, { stopWhen: inThePause });

	expect(run.status).toBe('canceled');
	expect(await service.control.webhooks()).toEqual([]);
	expect(await service.control.messages()).toEqual([]);
});

it('asks no second question when it is stopped in the pause after the first', async () => {
	const first = await n8n.ask({ waitAmount: 1, waitUnit: 'minutes' });
	await service.control.inbound({ from: '61491573770', to: '61491570156', text: 'Yes' });
	await first.resumed;
	const { status } = await first.again({ stopWhen: inThePause });

	expect(status).toBe('canceled');
	expect(await service.control.requests({ path: '/v2/webhook', method: 'POST' })).toHaveLength(1);
	expect(await service.control.messages()).toHaveLength(1);
});
