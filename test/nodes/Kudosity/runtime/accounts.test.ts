import { expect, it } from 'vitest';
import { limiterFor } from '../../../seams.ts';
import { fakeClock } from '../../../helpers/fakeClock.ts';

const hourMs = 3_600_000;

it('keeps the limit of an account as long as somebody sends, and forgets it an hour later', async () => {
	const clock = fakeClock({ startMs: Date.now() });
	const used = limiterFor('key of a busy account', clock.now());
	const line = used.openLine(clock);
	limiterFor('another key', clock.now() + hourMs - 1);
	expect(limiterFor('key of a busy account', clock.now())).toBe(used);

	await clock.sleep(3 * hourMs);
	const waiting = line.acquire(14);
	limiterFor('a third key', clock.now());
	expect(limiterFor('key of a busy account', clock.now())).toBe(used);
	await waiting;

	limiterFor('a fourth key', clock.now() + 2 * hourMs);
	expect(limiterFor('key of a busy account', clock.now())).not.toBe(used);
});
