import type { IExecuteFunctions } from 'n8n-workflow';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClaims, createEntryStore } from '../../../seams.ts';
import { fakeClock, type FakeClock } from '../../../helpers/fakeClock.ts';

/** Numbers from 0 to 1, the same ones for the same seed. */
const seededRandom = (seed: number) => () => {
	seed = (seed * 1_664_525 + 1_013_904_223) >>> 0;
	return seed / 2 ** 32;
};

/** One row for all processes; each reads it, and writes back later what it has made of it. */
const createRow = (clock: FakeClock, random: () => number) => {
	let row: string[] = [];
	const change = async <Value>(edit: (entries: string[]) => [string[], Value]) => {
		await clock.sleep(random() * 5);
		const [changed, result] = edit(row);
		await clock.sleep(1 + random() * 20);
		row = changed;
		return result;
	};
	return {
		entries: () => row,
		store: () => ({
			record: async (entries: string[]) =>
				await change((before) => {
					const added = entries.filter((entry) => !before.includes(entry));
					return [[...before, ...added], new Set(added)];
				}),
			remove: async (entries: string[]) =>
				await change((before) => [
					before.filter((entry) => !entries.includes(entry)),
					undefined as void,
				]),
		}),
	};
};

/** n8n's store: it forgets the oldest entries beyond 10,000. */
const createBoundedStore = () => {
	let entries: string[] = [];
	let writes = 0;
	return {
		entries: () => entries,
		writes: () => writes,
		record: async (wanted: string[]) => {
			writes++;
			const known = new Set(entries);
			const added = wanted.filter((entry) => !known.has(entry));
			entries = [...entries, ...added].slice(-10_000);
			return new Set(added);
		},
		remove: async (unwanted: string[]) => {
			writes++;
			const gone = new Set(unwanted);
			entries = entries.filter((entry) => !gone.has(entry));
		},
	};
};

/** So many processes, each claiming its keys at random moments of two seconds. */
const race = async (seed: number, keysOfProcesses: string[][]) => {
	const clock = fakeClock();
	const random = seededRandom(seed);
	const row = createRow(clock, random);
	let tokens = 0;
	const claimed = keysOfProcesses.map(async (keys) => {
		const createToken = () => `token-${++tokens}`;
		const claims = createClaims({ store: row.store(), clock, createToken });
		const results = await Promise.all(
			keys.map(async (key) => {
				await clock.sleep(random() * 2000);
				return (await claims.claim(key)) ? [key] : [];
			}),
		);
		await claims.finish();
		return results.flat();
	});
	return { given: (await Promise.all(claimed)).flat(), entries: row.entries() };
};

const keys = (prefix: string) => Array.from({ length: 15 }, (_, index) => `${prefix}${index}`);
const seeds = Array.from({ length: 100 }, (_, index) => index + 1);

describe('keys claimed by two processes at once', () => {
	it('are all given and all remembered when they differ', async () => {
		for (const seed of seeds) {
			const { given, entries } = await race(seed, [keys('a'), keys('b')]);
			const all = [...keys('a'), ...keys('b')];

			expect(given.sort(), `seed ${seed}`).toEqual(all.sort());
			expect(entries, `seed ${seed}`).toEqual(expect.arrayContaining(all));
		}
	});

	it('are given to one of them when they are the same', async () => {
		for (const seed of seeds) {
			const { given, entries } = await race(seed, [keys('a'), keys('a')]);

			expect(given.sort(), `seed ${seed}`).toEqual(keys('a').sort());
			expect(entries, `seed ${seed}`).toEqual(expect.arrayContaining(keys('a')));
		}
	});
});

describe('keys that one process gives back while another one claims', () => {
	it('are free, and those of the other stay taken', async () => {
		for (const seed of seeds) {
			const [clock, random] = [fakeClock(), seededRandom(seed)];
			const row = createRow(clock, random);
			const process = async (wanted: string[], isRefused: boolean) => {
				const claims = createClaims({ store: row.store(), clock });
				const send = async (key: string) => {
					await clock.sleep(random() * 2000);
					await claims.claim(key);
					if (isRefused) await claims.release(key);
				};
				await claims.during(async () => await Promise.all(wanted.map(send)));
			};
			await Promise.all([process(keys('a'), true), process(keys('b'), false)]);

			const left = row.entries().filter((entry) => /^[ab]/.test(entry));
			expect(left.sort(), `seed ${seed}`).toEqual(keys('b').sort());
		}
	});
});

describe('a claim', () => {
	const one = (store = createRow(fakeClock(), () => 0).store()) => {
		let tokens = 0;
		const createToken = () => `token-${++tokens}`;
		return createClaims({ store, clock: fakeClock(), createToken });
	};

	it('is refused once the key is taken, and given again once it is released', async () => {
		const claims = one();

		expect(await claims.claim('key')).toBe(true);
		expect(await claims.claim('key')).toBe(false);
		await claims.release('key');
		expect(await claims.claim('key')).toBe(true);
	});

	it('leaves nothing but its key behind', async () => {
		const row = createRow(fakeClock(), () => 0);
		const claims = one(row.store());
		await claims.claim('key');
		await claims.claim('key');
		await claims.finish();

		expect(row.entries()).toEqual(['key']);
	});

	it('ends with a single write and no wait when no other process has written', async () => {
		const store = createBoundedStore();
		const clock = fakeClock();
		const claims = createClaims({ store, clock });
		await claims.claim('key');
		const [writes, startMs] = [store.writes(), clock.now()];
		await claims.finish();

		// One write puts back what others undid, here nothing, and one removes the token.
		expect(store.writes() - writes).toBe(2);
		expect(clock.now() - startMs).toBeLessThan(100);
	});

	it('is put back at the end as often as another process undoes it', async () => {
		const store = createBoundedStore();
		let undoes = 0;
		const record = async (wanted: string[]) => {
			const isUndone = undoes-- > 0;
			if (isUndone) await store.remove(['key']);
			const added = await store.record(wanted);
			// The other process read the row before this write, and writes it after.
			if (isUndone) await store.remove(['key']);
			return added;
		};
		const claims = createClaims({ store: { ...store, record }, clock: fakeClock() });
		await claims.claim('key');
		undoes = 2;
		await claims.finish();

		expect(store.entries()).toEqual(['key']);
	});

	it('is tried again when the store fails once, as when two processes create its row', async () => {
		const store = createRow(fakeClock(), () => 0).store();
		let calls = 0;
		const record = async (entries: string[]) => {
			if (calls++ === 0) throw new Error('duplicate row');
			return await store.record(entries);
		};

		expect(await one({ ...store, record }).claim('key')).toBe(true);
	});

	it('fails when the store fails for good', async () => {
		const store = createRow(fakeClock(), () => 0).store();
		const record = async () => await Promise.reject(new Error('no such workflow'));

		await expect(one({ ...store, record }).claim('key')).rejects.toThrow('no such workflow');
	});
});

describe('keys that are claimed all at once', () => {
	const claimAtOnce = async (store: ReturnType<typeof createBoundedStore>, keys: string[]) => {
		const claims = createClaims({ store, clock: fakeClock() });
		const given = await Promise.all(keys.map(async (key) => await claims.claim(key)));
		await claims.finish();
		return given.filter(Boolean).length;
	};
	const keysOf = (name: string, count: number) =>
		Array.from({ length: count }, (_, index) => `${name}-${index}`);

	it('are all free again soon after a run was stopped, before n8n can be restarted', async () => {
		const store = createBoundedStore();
		const claims = createClaims({ store, clock: fakeClock() });
		const keys = keysOf('key', 2000);
		await Promise.all(keys.map(async (key) => await claims.claim(key)));
		const before = store.writes();
		await Promise.all(keys.map(async (key) => await claims.release(key)));

		expect(store.writes() - before).toBeLessThan(5);
		await claims.finish();
		expect(store.entries()).toEqual([]);
	});

	it('push no older ones out of a store that has room for all of them', async () => {
		const store = createBoundedStore();
		const daily = keysOf('daily', 6000);

		expect(await claimAtOnce(store, daily)).toBe(6000);
		expect(await claimAtOnce(store, daily)).toBe(0);
		expect(await claimAtOnce(store, daily)).toBe(0);
		expect(await claimAtOnce(store, keysOf('more', 3900))).toBe(3900);
		expect(new Set(store.entries())).toEqual(new Set([...daily, ...keysOf('more', 3900)]));
	});

	it('are never given twice, although the store fails now and then, before or after it has written', async () => {
		for (const seed of seeds) {
			const [clock, random] = [fakeClock(), seededRandom(seed)];
			const row = createRow(clock, random);
			const used = keysOf('used', 5);
			await row.store().record(used);
			const process = async (wanted: string[]) => {
				const store = row.store();
				const record = async (entries: string[]) => {
					if (random() < 0.2) throw new Error('no connection');
					const added = await store.record(entries);
					if (random() < 0.2) throw new Error('connection lost');
					return added;
				};
				const claims = createClaims({ store: { ...store, record }, clock });
				const given = wanted.map(async (key) => {
					await clock.sleep(random() * 100);
					const [result] = await Promise.allSettled([claims.claim(key)]);
					return result.status === 'fulfilled' && result.value ? [key] : [];
				});
				return (await Promise.all(given)).flat();
			};
			const wanted = [...used, ...keysOf('key', 20)];
			const given = (await Promise.all([process(wanted), process([...wanted].reverse())])).flat();

			expect(new Set(given).size, `seed ${seed}`).toBe(given.length);
			expect(given, `seed ${seed}`).not.toEqual(
				expect.arrayContaining([expect.stringContaining('used')]),
			);
		}
	});

	it('are all given, also where they are more than the store has room for', async () => {
		expect(await claimAtOnce(createBoundedStore(), keysOf('key', 20_000))).toBe(20_000);
	});

	it('are never said to be taken because two runs have more than the store has room for', async () => {
		const store = createBoundedStore();
		const clock = fakeClock();
		const run = async (name: string) => {
			const claims = createClaims({ store, clock });
			return await Promise.allSettled(
				keysOf(name, 8000).map(async (key) => await claims.claim(key)),
			);
		};
		const results = (await Promise.all([run('one'), run('other')])).flat();

		expect(results).not.toContainEqual({ status: 'fulfilled', value: false });
	});

	/** It has written, but nobody learns of it. */
	const failingOnce = () => {
		const store = createBoundedStore();
		let calls = 0;
		const record = async (entries: string[]) => {
			const added = await store.record(entries);
			if (++calls === 1) throw new Error('connection lost');
			return added;
		};
		return { store, claims: createClaims({ store: { ...store, record }, clock: fakeClock() }) };
	};

	it('are not given a second time where the store fails after it has written', async () => {
		const { store, claims } = failingOnce();
		await store.record(['used']);

		await expect(claims.claim('used')).rejects.toThrow('connection lost');
	});

	it('are given to one of two processes each', async () => {
		for (const seed of seeds) {
			const clock = fakeClock();
			const row = createRow(clock, seededRandom(seed));
			const process = async (wanted: string[]) => {
				const claims = createClaims({ store: row.store(), clock });
				const given = wanted.map(async (key) => ((await claims.claim(key)) ? [key] : []));
				const ours = (await Promise.all(given)).flat();
				await claims.finish();
				return ours;
			};
			const all = keysOf('key', 30);
			const given = await Promise.all([process(all), process([...all].reverse())]);

			expect(given.flat().sort(), `seed ${seed}`).toEqual([...all].sort());
			expect(row.entries(), `seed ${seed}`).toEqual(expect.arrayContaining(all));
		}
	});
});

describe('a process that is killed', () => {
	/** As a node does: ten at a time, and no end of the run. */
	const claimAll = async (store: ReturnType<typeof createBoundedStore>, count: number) => {
		let tokens = 0;
		const createToken = () => `token-${++tokens}`;
		const claims = createClaims({ store, clock: fakeClock(), createToken });
		const keys = Array.from({ length: count }, (_, index) => `key-${index}`);
		const waiting = keys.values();
		const work = async () => {
			for (const key of waiting) expect(await claims.claim(key)).toBe(true);
		};
		await Promise.all(Array.from({ length: 10 }, work));
		return keys;
	};

	it('leaves all of its 7,000 keys behind in a store of 10,000', async () => {
		const store = createBoundedStore();
		const keys = await claimAll(store, 7000);

		expect(keys.filter((key) => !store.entries().includes(key))).toEqual([]);
		expect(store.entries().length).toBeLessThan(7300);
	});

	it('wrote no more than a tenth more for that', async () => {
		const store = createBoundedStore();
		await claimAll(store, 1000);

		// Ten keys go together, and each is written and then checked.
		expect(store.writes()).toBeLessThan((1000 / 10) * 2 * 1.1 + 5);
	});

	it('has put back by then what others undid', async () => {
		const store = createBoundedStore();
		const record = store.record;
		let isUndone = false;
		// A write of another process undoes what was taken a moment ago.
		store.record = async (wanted) => {
			if (store.writes() > 6 && !isUndone) {
				isUndone = true;
				await store.remove(['key-0', 'key-1', 'key-2']);
			}
			return await record(wanted);
		};
		const keys = await claimAll(store, 250);

		expect(keys.filter((key) => !store.entries().includes(key))).toEqual([]);
	});
});

describe("the store of one workflow's executions at once", () => {
	afterEach(() => void vi.useRealTimers());

	it('counts how long a write takes, and not how long it waits for the others', async () => {
		vi.useFakeTimers({ toFake: ['performance'] });
		const storeWhoseWritesTake = (ms: number) => {
			const checkProcessedAndRecord = async () => {
				vi.advanceTimersByTime(ms);
				return { new: [], processed: [] };
			};
			const context = { helpers: { checkProcessedAndRecord }, getWorkflow: () => ({ id: 'w' }) };
			return createEntryStore(context as unknown as IExecuteFunctions, 'workflow');
		};
		const [one, other] = [storeWhoseWritesTake(1_000), storeWhoseWritesTake(20)];
		await Promise.all([one.record(['a']), other.record(['b'])]);

		expect([one.writeMs?.(), other.writeMs?.()]).toEqual([1_000, 20]);
	});
});
