import { afterEach, expect, it, vi } from 'vitest';
import { createNodeClock } from '../../../seams.ts';

afterEach(() => void vi.useRealTimers());

it("is the time of day, and does not follow when the machine's clock is set back", () => {
	const clock = createNodeClock(undefined);
	const before = clock.now();
	expect(Math.abs(before - Date.now())).toBeLessThan(60_000);

	vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });

	expect(clock.now()).toBeGreaterThanOrEqual(before);
});

it('knows the date by the calendar, also after the machine slept', () => {
	const clock = createNodeClock(undefined);
	vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });

	expect(clock.calendarNow()).toBe(Date.now());
});
