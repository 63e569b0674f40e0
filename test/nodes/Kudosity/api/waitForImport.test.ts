import { describe, expect, it } from 'vitest';
import { createService, waitForImport } from '../../../seams.ts';
import { fakeClock } from '../../../helpers/fakeClock.ts';
import { answering, json, noAnswer, type Reply } from '../../../helpers/fakeTransport.ts';

const completed = { list_id: 7, status: 'completed', imported: 2 };
const inProgress = { list_id: 7, status: 'in progress' };
const refused = json({ error: { code: 'NOT_FOUND', description: 'No import' } }, 400);

const wait = (replies: Reply[], { before = {}, timeoutMs = 60_000, clock = fakeClock() } = {}) => {
	const { transport, requests } = answering(...replies);
	const services = { ...createService(transport), clock };
	const started = { listId: '7', before: before as never, timeoutMs };
	return { requests, clock, result: waitForImport(services, started) };
};

describe('waiting for an import', () => {
	it('goes on while the service does not know of it, or does not answer', async () => {
		const { result } = wait([refused, noAnswer(), json(inProgress), json(completed)]);

		expect(await result).toEqual({ ...completed, list_id: '7', timedOut: false });
	});

	it('does not take the end of an earlier import for its own', async () => {
		const before = { ...completed, list_id: '7' };
		const ours = { ...completed, imported: 3 };
		const { result } = wait([json(completed), json(inProgress), json(ours)], { before });

		expect(await result).toMatchObject({ imported: 3, timedOut: false });
	});

	it('believes an end that looks like the earlier one after some time', async () => {
		const before = { ...completed, list_id: '7' };
		const { result, requests } = wait(Array(9).fill(json(completed)) as Reply[], { before });

		expect(await result).toMatchObject({ status: 'completed', timedOut: false });
		expect(requests).toHaveLength(4);
	});

	it('knows its own end by another look before it, although both ends look alike', async () => {
		const before = { ...completed, list_id: '7' };
		const { result } = wait([noAnswer(), json(inProgress), json(completed)], {
			before,
			timeoutMs: 10_000,
		});

		expect(await result).toMatchObject({ status: 'completed', timedOut: false });

		const failed = { list_id: 7, status: 'failed' };
		const again = wait([json(inProgress), json(failed)], {
			before: { ...failed, list_id: '7' },
			timeoutMs: 5_000,
		});
		await expect(again.result).rejects.toThrow('Kudosity could not import the file');
	});

	it('does not take a look that could not be had for another one', async () => {
		const before = { ...completed, list_id: '7' };
		const { result } = wait([noAnswer(), json(completed)], { before, timeoutMs: 5_000 });

		expect(await result).toMatchObject({ timedOut: true });
	});

	it('says that the time was up, also where nothing was ever known', async () => {
		const { result } = wait([refused, refused, refused], { timeoutMs: 10_000 });

		expect(await result).toEqual({ list_id: '7', timedOut: true });
	});

	it('fails only when the service says that the import did', async () => {
		const { result } = wait([json({ list_id: 7, status: 'Failed' })]);

		await expect(result).rejects.toThrow('Kudosity could not import the file');
	});

	it('keeps what was accepted when the run is stopped', async () => {
		const { result, clock } = wait([json(inProgress)]);
		clock.cancel();

		expect(await result).toEqual({ list_id: '7', timedOut: true });
	});
});
