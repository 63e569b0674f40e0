import { describe, expect, it } from 'vitest';
import { runsAll } from '../helpers/runsAll.ts';
import { maxDeduplicationKeys } from '../seams.ts';
import { continues, phones, toPhone, useDeduplicationStore, useEmulator } from './emulator.ts';

const service = useEmulator();
const store = useDeduplicationStore();

const max = maxDeduplicationKeys;
const almostFull = max * 0.9;
const shown = (count: number) => count.toLocaleString('en-US');

/** Keys that earlier executions of the workflow used. */
const useUp = (count: number): void => {
	for (let index = 0; index < count; index++) store.entries.add(`kudosity:send:earlier-${index}`);
};

const [first, second, third] = phones(3) as [string, string, string];
const options = { deduplicationKey: '=x-{{ $json.phone }}', requestsPerSecond: 500 };
const send = async (recipients: string[], own: object = {}, run: object = {}) =>
	await service.sms(
		recipients.map((phone) => ({ phone })),
		{ ...options, ...own },
		{ settings: continues, ...run },
	);

const warningsOf = ({ hints }: { hints: string[] }): string[] =>
	hints.filter((hint) => hint.includes(shown(max)));

describe('a workflow that has used many of its keys', () => {
	it('is warned from nine tenths on, in every run, with what happens and what to do', async () => {
		useUp(almostFull - 2);

		expect(warningsOf(await send([first]))).toEqual([]);
		const [warning, ...others] = warningsOf(await send([second, third]));
		expect(others).toEqual([]);
		expect(warning).toContain(`${shown(almostFull + 1)} of ${shown(max)}`);
		expect(warning).toMatch(/oldest.* sent again.* copy of this workflow/s);
		// Both keys are used: nothing is sent, and the store has not changed.
		expect(warningsOf(await send([second, third]))).toEqual([warning]);
	});

	it('is warned by a run that only now uses them up', async () => {
		useUp(almostFull - 1);

		expect(warningsOf(await send([first]))).toHaveLength(1);
	});

	it('is warned for its campaigns, too', async () => {
		useUp(almostFull);

		const own = { deduplicationKey: undefined, campaignName: 'Spring sale' };
		expect(warningsOf(await send([first], own))).toHaveLength(1);
	});

	it('is not warned by a run without keys, nor is an agent', async () => {
		useUp(max);
		expect(warningsOf(await send([first], { deduplicationKey: undefined }))).toEqual([]);

		const settings = { ...continues, rewireOutputLogTo: 'ai_tool' };
		const fields = { ...toPhone, recipient: second, options: { deduplicationKey: 'x' } };
		expect((await service.run('sms/send', fields, { settings })).hints).toEqual([]);
		expect(await service.recipients()).toEqual([first, second]);
	});

	it('still skips the oldest of them while it has as many as n8n keeps', async () => {
		await send([first]);
		useUp(max - 2);
		await send([second]);
		await send([first]);

		expect(await service.recipients()).toEqual([first, second]);
	});
});

// Ten thousand expressions take seconds; test/nodes has the rule itself.
it.runIf(runsAll)(
	'a run with more keys than the workflow can have sends nothing, and says why',
	async () => {
		const items = Array.from({ length: max + 1 }, () => ({}));
		const fields = { ...toPhone, recipient: first, message: 'Hello' };
		const own = { ...options, deduplicationKey: '=x-{{ $itemIndex }}' };
		const { error } = await service.run('sms/send', { ...fields, options: own }, { items });

		expect(error?.message).toContain(`${shown(max + 1)} keys`);
		expect(error?.message).toContain(shown(max));
		expect(error?.description).toContain('a copy of this workflow');
		expect(await service.recipients()).toEqual([]);
		expect(store.entries.size).toBe(0);
	},
);
