/** The account book of the polling trigger: over whatever happens, each message starts a workflow once. */
import type { IDataObject } from 'n8n-workflow';
import { expect, it } from 'vitest';
import { useEmulator } from '../engine/emulator.ts';
import { passTime, skipPauses } from '../engine/pauses.ts';
import { createPoller } from '../engine/pollingNode.ts';
import { campaign, createRandom, formatTable } from './campaign.ts';

skipPauses();
const service = useEmulator();
const { seed, timeoutMs: timeout } = campaign;

const minuteMs = 60_000;
const faults = ['status500', 'status429', 'reset', 'malformedJson', 'emptyBody'] as const;

it('0 lost and 0 twice, but for what n8n itself can lose or repeat', { timeout }, async () => {
	const random = createRandom(seed);
	const node = createPoller({ credentials: service.credentials, parameters: { simplify: false } });
	const book = new Map<string, string>();
	const lostByKill = new Set<string>();
	const mayRepeat = new Set<string>();
	let aheadMs = 0;

	const elapse = async (ms: number) => {
		aheadMs += ms;
		passTime(ms);
		await service.control.settings({ clockAheadMs: aheadMs });
	};
	const idsOf = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => String(json.id));
	const deliveredIds = () => idsOf(node.executions.flat());

	/** Some are listed late, and so in any order. */
	const receive = async (step: string, count: number) => {
		const arrivals = Array.from({ length: count }, (_, index) => {
			const agoMs = random.chance(0.2) ? random.integer(1, 14 * minuteMs) : 0;
			return { index, agoMs: Math.min(agoMs, aheadMs - minuteMs) };
		});
		await Promise.all(
			arrivals.map(async ({ index, agoMs }) => {
				const at = new Date(Date.now() + aheadMs - Math.max(0, agoMs)).toISOString();
				const from = '61491573770';
				const inbound = { from, to: '61491570006', text: `${step} ${index}`, at };
				book.set((await service.control.inbound(inbound)).id, step);
			}),
		);
	};

	const steps: Record<string, () => Promise<void>> = {
		well: async () => await node.tick(),
		overlapping: async () => {
			await service.fault('slow', {}, { delayMs: 30 });
			await Promise.all([node.tick(), node.tick(), node.tick()]);
		},
		'service down': async () => {
			const rounds = random.integer(1, 4);
			await service.fault(random.pick(faults), { count: 'forever' });
			for (let round = 0; round < rounds; round += 1) await node.tick();
			await service.control.clearFaults();
		},
		'a pause asked for': async () => {
			await service.fault('status429', {}, { retryAfter: 60 });
			await node.tick();
			await node.tick();
		},
		'published again': async () => await node.activate(random.pick(['update', 'activate'])),
		'published again during a poll': async () => {
			await service.fault('slow', {}, { delayMs: 30 });
			await Promise.all([node.tick(), node.activate('update')]);
		},
		renamed: async () => {
			node.change({ settings: { name: random.pick(['A', 'B', 'C']) } });
			await node.activate('update');
			// n8n stores by the name: from before it, there is nothing to go back to.
			earlier.splice(0, earlier.length, structuredClone(node.database()));
		},
		restarted: async () => await node.restart(),
		'an outage': async () => {
			await elapse(random.integer(1, 48) * 60 * minuteMs);
			await node.restart();
		},
		'set back by another node': async () => {
			node.setDatabase(structuredClone(random.pick(earlier)));
			await node.activate('update');
		},
		'killed, nothing stored': async () => void (await node.kill(false)),
		'killed between both': async () => {
			for (const id of idsOf(await node.kill(true))) lostByKill.add(id);
		},
		'set back, then restarted': async () => {
			node.setDatabase(structuredClone(earlier.at(-1)!));
			for (const id of deliveredIds()) mayRepeat.add(id);
			await node.restart();
		},
	};

	await node.activate();
	await elapse(20 * minuteMs);
	const earlier = [structuredClone(node.database())];
	const names = Object.keys(steps);
	for (let round = 0; book.size < campaign.polled || round < names.length; round += 1) {
		const step = round < names.length ? names[round]! : random.pick(names);
		await receive(step, random.integer(0, random.chance(0.02) ? 700 : 25));
		await steps[step]!();
		await elapse(random.integer(1, 3) * minuteMs);
		if (random.chance(0.3)) earlier.push(structuredClone(node.database()));
	}
	for (let count = 0; count < 5; count += 1) {
		await elapse(minuteMs);
		await node.tick();
	}

	const counts = new Map<string, number>();
	for (const id of deliveredIds()) counts.set(id, (counts.get(id) ?? 0) + 1);
	const rows = [...names, 'all'].map((step) => {
		const ids = [...book].filter(([, of]) => step === 'all' || of === step).map(([id]) => id);
		const count = (isCounted: (id: string) => boolean) => ids.filter(isCounted).length;
		return {
			step,
			received: ids.length,
			lost: count((id) => !counts.has(id) && !lostByKill.has(id)),
			twice: count((id) => counts.get(id)! > 1 && !mayRepeat.has(id)),
			'lost by a kill': count((id) => !counts.has(id) && lostByKill.has(id)),
			'repeated after a late save': count((id) => counts.get(id)! > 1 && mayRepeat.has(id)),
		};
	});
	console.log(formatTable(`Messages polled under faults, seed ${seed}`, rows));
	expect(rows.at(-1), `KUDOSITY_SEED=${seed}`).toMatchObject({ lost: 0, twice: 0 });
	expect([...counts.keys()].filter((id) => !book.has(id))).toEqual([]);
});
