import { beforeAll, beforeEach, expect, it } from 'vitest';
import { installDeduplicationStore } from './harness.ts';
import { useRealPauses } from './pauses.ts';
import { useWaitingN8n } from './waitingN8n.ts';

useRealPauses();
const n8n = useWaitingN8n();
const { service } = n8n;
const store = installDeduplicationStore();
beforeAll(async () => await store.install());
beforeEach(() => store.entries.clear());

const phones = Array.from({ length: 20 }, (_, index) => `614915701${index + 10}`);
const parameters = {
	message: 'Hello',
	sender: 'Acme',
	recipient: '={{ $json.phone }}',
	options: { requestsPerSecond: 20, sendOnceKey: '={{ $json.phone }}' },
};
const items = phones.map((phone) => ({ phone }));

const run = async (settings = {}, onStart?: (stop: () => void) => void) =>
	await service.run('sms/send', parameters, { items, settings, onStart });

it('sends nothing twice when it is stopped in the middle and run again', async () => {
	await service.control.addFault({ fault: 'slow', delayMs: 300, match: { count: 'forever' } });
	let stop = () => {};
	const running = run(
		{ retryOnFail: true, maxTries: 5, waitBetweenTries: 1, onError: 'continueRegularOutput' },
		(stopExecution) => {
			stop = stopExecution;
		},
	);
	await service.control.waitForMessages({}, { count: 3 });
	stop();
	expect((await running).run.status).toBe('canceled');
	const requested = (await service.control.requests({ path: '/v2/sms' })).length;
	expect(requested).toBeLessThan(phones.length);

	await service.control.clearFaults();
	const { json } = await run();
	expect(json).toHaveLength(phones.length);
	expect(json.filter(({ skipped }) => skipped).length).toBeGreaterThanOrEqual(requested);
	const recipients = (await service.control.messages()).map(({ recipient }) => recipient);
	expect(new Set(recipients).size).toBe(recipients.length);
	expect(recipients).toContain(phones.at(-1));
});

it('takes no Send Once Keys for what it no longer sends', async () => {
	const many = Array.from({ length: 300 }, (_, index) => ({ phone: `6149157${1000 + index}` }));
	let stop = () => {};
	const running = service.run('sms/send', parameters, {
		items: many,
		settings: { onError: 'continueRegularOutput' },
		onStart: (stopExecution) => (stop = stopExecution),
	});
	await service.control.waitForMessages({}, { count: 3 });
	stop();
	expect((await running).run.status).toBe('canceled');

	const taken = many.filter(({ phone }) => store.everTaken.has(`kudosity:send:${phone}`));
	expect(taken.length).toBeGreaterThanOrEqual(3);
	expect(taken.length).toBeLessThan(40);
});

it('asks no question when it is stopped while the webhook for the reply cannot be made', async () => {
	await service.control.addFault({
		fault: 'status429',
		match: { path: '/v2/webhook', method: 'POST', count: 'forever' },
	});
	const made = { path: '/v2/webhook', method: 'POST' };
	let stop = () => {};
	const asking = n8n.run({}, { onStart: (stopExecution) => (stop = stopExecution) });
	await service.control.waitForRequests(made, { count: 1 });
	stop();

	expect((await asking).run.status).toBe('canceled');
	expect(await service.control.requests(made)).toHaveLength(1);
	expect(await service.control.messages()).toEqual([]);
});

it('leaves no webhook when a question is stopped while its message waits', async () => {
	const sending = { path: '/v2/sms', method: 'POST' };
	await service.control.addFault({ fault: 'status429', match: { ...sending, count: 'forever' } });
	let stop = () => {};
	const asking = n8n.run({}, { onStart: (stopExecution) => (stop = stopExecution) });
	await service.control.waitForRequests(sending, { count: 1 });
	stop();

	expect((await asking).run.status).toBe('canceled');
	expect(await service.control.webhooks()).toEqual([]);
	expect(await service.control.messages()).toEqual([]);
});

it('asks no second question when it is stopped in the pause after the first', async () => {
	const first = await n8n.ask({ waitAmount: 1, waitUnit: 'minutes' });
	await service.control.inbound({ from: '61491573770', to: '61491570156', text: 'Yes' });
	await first.resumed;
	const made = { path: '/v2/webhook', method: 'POST' };
	// Nothing is to be seen of the pause from outside: without it, the question is out by then.
	const { status } = await first.again({ onStart: (stop) => void setTimeout(stop, 1_000) });

	expect(status).toBe('canceled');
	expect(await service.control.requests(made)).toHaveLength(1);
	expect(await service.control.messages()).toHaveLength(1);
});
