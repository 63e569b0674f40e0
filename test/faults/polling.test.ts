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
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const faults = ['status500', 'status429', 'reset', 'malformedJson', 'emptyBody'] as const;

/** Why n8n may run a message twice, or not at all: docs/limitations.md has these cases. */
const cases = {
	published: 'twice: set back, published again',
	restarted: 'twice: set back, restarted',
	replaced: 'twice: n8n 1, published again',
	killed: 'lost: killed',
	tooOld: 'lost: unpublished for a day',
} as const;
type Case = (typeof cases)[keyof typeof cases];

const n8ns = [
	['n8n 2', false],
	['n8n 1', true],
] as const;

it.each(n8ns)(
	'%s: 0 lost and 0 twice, but for what has a name',
	{ timeout },
	async (name, isN8n1) => {
		const random = createRandom(seed);
		const node = createPoller({
			credentials: service.credentials,
			parameters: { simplify: false },
			isN8n1,
		});
		const book = new Map<string, { step: string; createdMs: number }>();
		/** Each case explains one repetition. */
		const excused = new Map<string, Case[]>();
		const earlier: IDataObject[] = [];
		/** What is stored, after another node has stored static data that was older. */
		let setBack: string | undefined;
		let aheadMs = 0;

		const now = () => Date.now() + aheadMs;
		const elapse = async (ms: number) => {
			aheadMs += ms;
			passTime(ms);
			await service.control.settings({ clockAheadMs: aheadMs });
		};
		const idsOf = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => String(json.id));
		const deliveredIds = () => idsOf(node.executions.flat());
		const excuse = (ids: Iterable<string>, why: Case) => {
			for (const id of ids) excused.set(id, [...(excused.get(id) ?? []), why]);
		};

		/** Some are listed late, and so in any order. */
		const receive = async (step: string, count: number) => {
			const arrivals = Array.from({ length: count }, (_, index) => {
				const agoMs = random.chance(0.2) ? random.integer(1, 14 * minuteMs) : 0;
				return { index, agoMs: Math.max(0, Math.min(agoMs, aheadMs - minuteMs)) };
			});
			await Promise.all(
				arrivals.map(async ({ index, agoMs }) => {
					const createdMs = now() - agoMs;
					const at = new Date(createdMs).toISOString();
					const from = '61491573770';
					const inbound = { from, to: '61491570006', text: `${step} ${index}`, at };
					book.set((await service.control.inbound(inbound)).id, { step, createdMs });
				}),
			);
		};

		const setBackTo = (stored: IDataObject) => {
			node.setDatabase(stored);
			setBack = JSON.stringify(stored);
		};
		const missing = (ids: string[]) => {
			const stored = JSON.stringify(node.database());
			return stored === setBack ? ids.filter((id) => !stored.includes(id)) : [];
		};
		const publish = async (mode: 'activate' | 'update') => {
			excuse(missing(idsOf(node.lastOutput())), cases.published);
			if (mode === 'activate') {
				const known = new Set([...deliveredIds(), ...excused.keys()]);
				const isTooOld = ([id, { createdMs }]: [string, { createdMs: number }]) =>
					createdMs < now() - dayMs && !known.has(id);
				excuse(
					[...book].filter(isTooOld).map(([id]) => id),
					cases.tooOld,
				);
			}
			await node.activate(mode);
		};
		const restart = async () => {
			excuse(missing(deliveredIds()), cases.restarted);
			await node.restart();
		};
		const kill = async (hasStored: boolean) => {
			excuse(missing(deliveredIds()), cases.restarted);
			excuse(idsOf(await node.kill(hasStored)), cases.killed);
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
			'published again': async () => await publish(random.pick(['update', 'activate'])),
			'published again during a poll': async () => {
				await service.fault('slow', {}, { delayMs: 30 });
				await Promise.all([node.tick(), publish('update')]);
			},
			'published again before an output': async () => {
				if (!isN8n1) return await publish('update');
				excuse(missing(idsOf(node.lastOutput())), cases.published);
				const before = node.executions.length;
				await node.activateBeforeOutput();
				excuse(idsOf(node.executions.slice(before).flat()), cases.replaced);
			},
			unpublished: async () => {
				node.deactivate();
				await elapse(random.integer(1, 72) * hourMs);
				await publish('activate');
			},
			renamed: async () => {
				node.change({ settings: { name: random.pick(['A', 'B', 'C']) } });
				await publish('update');
			},
			restarted: restart,
			'an outage': async () => {
				await elapse(random.integer(1, 72) * hourMs);
				await restart();
			},
			'killed, nothing stored': async () => await kill(false),
			'killed, stored': async () => await kill(true),
			'set back': async () => {
				setBackTo(random.pick(earlier));
				await node.tick();
			},
			'set back, then published again': async () => {
				setBackTo(random.pick(earlier));
				await publish('update');
			},
			'set back, then restarted': async () => {
				setBackTo(earlier.at(-1)!);
				await restart();
			},
		};

		await node.activate();
		await elapse(20 * minuteMs);
		const keep = () => void earlier.push(structuredClone(node.database()));
		keep();
		const names = Object.keys(steps);
		for (let round = 0; book.size < campaign.polled || round < names.length; round += 1) {
			const step = round < names.length ? names[round]! : random.pick(names);
			await receive(step, random.integer(0, random.chance(0.02) ? 700 : 25));
			await steps[step]!();
			await elapse(random.integer(1, 3) * minuteMs);
			if (random.chance(0.3)) keep();
		}
		for (let count = 0; count < 5; count += 1) {
			await elapse(minuteMs);
			await node.tick();
		}

		const counts = new Map<string, number>();
		for (const id of deliveredIds()) counts.set(id, (counts.get(id) ?? 0) + 1);
		const casesOf = (id: string, whys: Case[]) =>
			(excused.get(id) ?? []).filter((why) => whys.includes(why)).length;
		const { killed, tooOld, ...others } = cases;
		const repeating = Object.values(others);
		const isLost = (id: string) => !counts.has(id);
		const repeats = (id: string) => (counts.get(id) ?? 0) - 1;
		const rows = [...names, 'all'].map((step) => {
			const ids = [...book]
				.filter(([, of]) => step === 'all' || of.step === step)
				.map(([id]) => id);
			const count = (isCounted: (id: string) => boolean) => ids.filter(isCounted).length;
			const known = repeating.map((why) => {
				return [why, count((id) => repeats(id) > 0 && casesOf(id, [why]) > 0)] as const;
			});
			return {
				step,
				received: ids.length,
				lost: count((id) => isLost(id) && casesOf(id, [killed, tooOld]) === 0),
				twice: count((id) => repeats(id) > casesOf(id, repeating)),
				...Object.fromEntries(known),
				[killed]: count((id) => isLost(id) && casesOf(id, [killed]) > 0),
				[tooOld]: count((id) => isLost(id) && casesOf(id, [tooOld]) > 0),
			};
		});
		console.log(formatTable(`Messages polled under faults, ${name}, seed ${seed}`, rows));
		expect(rows.at(-1), `KUDOSITY_SEED=${seed}`).toMatchObject({ lost: 0, twice: 0 });
		expect([...counts.keys()].filter((id) => !book.has(id))).toEqual([]);
	},
);
