import { expect, it } from 'vitest';
import { continues, retries, useDeduplicationStore } from './emulator.ts';
import { pauseBegins } from './pauses.ts';
import { useWaitingN8n } from './waitingN8n.ts';

const n8n = useWaitingN8n();
const { service } = n8n;
const store = useDeduplicationStore();

const phones = Array.from({ length: 20 }, (_, index) => `614915701${index + 10}`);
const parameters = {
	message: 'Hello',
	sender: 'Acme',
	recipient: '={{ $json.phone }}',
	options: { requestsPerSecond: 20, sendOnceKey: '={{ $json.phone }}' },
};
const items = phones.map((phone) => ({ phone }));

const inThePause = async () => await pauseBegins(50_000);
const threeMessages = async () => await service.control.waitForMessages({}, { count: 3 });

it('sends nothing twice when it is stopped in the middle and run again', async () => {
	await service.fault('slow', { count: 'forever' }, { delayMs: 300 });
	const settings = { ...retries, ...continues };
	const stopped = await service.run('sms/send', parameters, {
		items,
		settings,
		stopWhen: threeMessages,
	});
	expect(stopped.run.status).toBe('canceled');
	const requested = (await service.control.requests({ path: '/v2/sms' })).length;
	expect(requested).toBeLessThan(phones.length);
	// Those under way are accepted all the same.
	await service.control.waitForMessages({}, { count: requested });

	await service.control.clearFaults();
	const { json } = await service.run('sms/send', parameters, { items });
	expect(json).toHaveLength(phones.length);
	expect(json.filter(({ skipped }) => skipped).length).toBeGreaterThanOrEqual(requested);
	const recipients = (await service.control.messages()).map(({ recipient }) => recipient);
	expect(new Set(recipients).size).toBe(recipients.length);
	expect(recipients).toContain(phones.at(-1));
});

it('takes no Send Once Keys for what it no longer sends', async () => {
	const many = Array.from({ length: 300 }, (_, index) => ({ phone: `6149157${1000 + index}` }));
	const settings = continues;
	const stopWhen = threeMessages;
	const { run } = await service.run('sms/send', parameters, { items: many, settings, stopWhen });
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
