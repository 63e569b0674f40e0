import { expect, it } from 'vitest';
import { useExample } from './useExample.ts';

const mebibyte = 1024 * 1024;

/** By default, n8n 2 holds 200 MiB and n8n 1 holds 50 MiB: too much to fill in a test. */
const small = {
	N8N_DATA_TABLES_MAX_SIZE_BYTES: String(mebibyte),
	N8N_DATA_TABLES_SIZE_CHECK_CACHE_DURATION_MS: '0',
};
const example = useExample({ file: 'opt-out-sync.json', environment: small });

const table = 'Kudosity opt-outs';
const isFull =
	/^Validation error with data table request: Data table size limit exceeded: 1MB used, limit is 1MB$/;

it('loses an opt-out by keyword where data tables are full, and keeps it by Retry once there is room', async () => {
	const { control, rest } = example;
	const optOut = async (from: string) =>
		await control.inbound({ from, to: '61491570006', text: 'Unsubscribe' });
	const kept = async () => (await example.rows(table)).map(({ phone }) => phone);
	await optOut('61491574118');
	await example.executions(1);
	expect(await kept()).toEqual(['61491574118']);

	await rest.createDataTable('Pictures', [{ name: 'picture', type: 'string' }]);
	const rows = Array.from({ length: 50 }, () => ({ picture: 'x'.repeat(4_000) }));
	const fill = async () => {
		for (let times = 0; times < 20; times++) await rest.insertDataTableRows('Pictures', rows);
	};
	await expect(fill()).rejects.toThrow(/size limit exceeded/);

	await optOut('61491573087');
	const [, lost] = await example.executions(2);
	expect([lost?.status, lost?.lastNode]).toEqual(['error', 'Save opt-out']);
	expect(lost?.error?.message).toMatch(isFull);
	// In two lists, so Kudosity sends her nothing either way.
	expect(lost?.nodes['Opt out in Kudosity']?.items).toMatchObject([
		{ json: { msisdn: '61491573087' } },
	]);
	// Kudosity does not send it again, because n8n has taken it.
	expect(await control.deliveries({ eventType: 'SMS_INBOUND' })).toMatchObject([
		{ status: 200 },
		{ status: 200 },
	]);
	expect(await kept()).toEqual(['61491574118']);

	await example.restart({ N8N_DATA_TABLES_MAX_SIZE_BYTES: String(5 * mebibyte) });
	await rest.retry(lost!.id);
	expect(await kept()).toEqual(['61491574118', '61491573087']);

	await example.restart({});
	await optOut('61491574632');
	const [, , , lostAgain] = await example.executions(4);
	expect(lostAgain?.error?.message).toMatch(isFull);
	await rest.deleteDataTable('Pictures');
	await rest.retry(lostAgain!.id);
	expect(await kept()).toEqual(['61491574118', '61491573087', '61491574632']);
});
