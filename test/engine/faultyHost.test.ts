import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { continues, retries, useDeduplicationStore, useEmulator } from './emulator.ts';
import type { CredentialData } from './harness.ts';

const service = useEmulator();
const store = useDeduplicationStore();

const phones = ['61491570006', '61491570156', '61491570157'];
const items = phones.map((phone) => ({ phone }));
const options = { requestsPerSecond: 200, onOutcomeUnknown: 'fail' };
const keyed = { ...options, deduplicationKey: '={{ $json.phone }}' };
const run = async (more: object) => await service.sms(items, options, more);

const refuseFirst = async () => await service.fault('status403', { path: '/v2/sms', count: 1 });

it('says what n8n says when the credential cannot be read, as nothing was sent', async () => {
	const credentials: CredentialData = {
		get kudosityKeyApi(): never {
			throw new Error('Credentials could not be decrypted');
		},
	};
	const { error } = await run({ credentials });

	expect(error?.message).toBe('Credentials could not be decrypted');
});

it('keeps to the credential that it began with, whatever becomes of it meanwhile', async () => {
	const began = service.credentials.kudosityKeyApi!;
	let reads = 0;
	const credentials: CredentialData = {
		get kudosityKeyApi() {
			reads++;
			// Two reads at once tell whether all items have the same.
			return reads <= 2 ? began : { ...began, apiKey: 'another-key' };
		},
	};
	const { json, error } = await run({ credentials });

	expect(error).toBeUndefined();
	expect(json.map(({ recipient }) => recipient)).toEqual(phones);
});

it('ends with an unknown outcome where an answer begins and never ends', async () => {
	const endless = createServer((_, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		const dripping = setInterval(() => response.write(' '), 20);
		response.on('close', () => clearInterval(dripping));
	});
	await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
	const baseUrl = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`;
	const after = AbortSignal.timeout.bind(AbortSignal);
	const deadline = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => after(200));
	onTestFinished(async () => {
		deadline.mockRestore();
		endless.closeAllConnections();
		await new Promise((resolve) => endless.close(resolve));
	});
	const credentials = { kudosityKeyApi: { ...service.credentials.kudosityKeyApi, baseUrl } };
	const { json } = await service.sms(items, keyed, { credentials, settings: continues });

	expect(json.map(({ details }) => (details as { code: string }).code)).toEqual(
		Array(3).fill('outcome_unknown'),
	);
});

it('counts the items of unknown outcome behind the failure that it shows', async () => {
	// All three are under way when the first is refused.
	await service.control.settings({ latencyMs: 100 });
	await service.fault('status403', { bodyIncludes: phones[0], count: 1 });
	await service.fault('status500AfterAcceptance', { bodyIncludes: phones[2], count: 1 });
	const { error } = await run({});

	expect(error).toMatchObject({ itemIndex: 0, code: 'not_allowed' });
	expect(error?.description).toContain('1 of 3 items were completed');
	expect(error?.description).toContain('1 more not confirmed');
});

it('shows the refusal of the service although its key cannot be given back', async () => {
	await refuseFirst();
	store.breakRelease();
	const { json } = await service.sms(items.slice(0, 1), keyed, { settings: continues });

	expect(json).toMatchObject([{ details: { code: 'not_allowed' } }]);
});

it('sends in a retry what was refused, although its key could not be given back', async () => {
	await refuseFirst();
	store.breakRelease();
	const { json } = await service.sms(items.slice(0, 1), keyed, { settings: retries });

	expect(json).toMatchObject([{ recipient: phones[0] }]);
	expect(await service.control.messages()).toHaveLength(1);
});
