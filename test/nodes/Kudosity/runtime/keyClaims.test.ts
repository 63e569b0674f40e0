import { describe, expect, it } from 'vitest';
import { createKeyClaims } from '../../../../nodes/Kudosity/runtime/keyClaims.ts';
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

/** So many processes, each claiming its keys at random moments of two seconds. */
const race = async (seed: number, keysOfProcesses: string[][]) => {
	const clock = fakeClock();
	const random = seededRandom(seed);
	const row = createRow(clock, random);
	let tokens = 0;
	const claimed = keysOfProcesses.map(async (keys) => {
		const createToken = () => `token-${++tokens}`;
		const claims = createKeyClaims({ store: row.store(), clock, createToken });
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

describe('a claim', () => {
	const one = (store = createRow(fakeClock(), () => 0).store()) => {
		let tokens = 0;
		const createToken = () => `token-${++tokens}`;
		return createKeyClaims({ store, clock: fakeClock(), createToken });
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
