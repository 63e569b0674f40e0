import { describe, expect, it } from 'vitest';
import { createProgressDisplay } from '../../../playground/n8n/progress.ts';

const phase = 'Installing n8n-2.41.1';

/** What is written while the phases take so many seconds each. */
const written = (isTTY: boolean, phases: Record<string, number>) => {
	const texts: string[] = [];
	const display = createProgressDisplay({ isTTY, write: (text) => texts.push(text) });
	for (const [phase, seconds] of Object.entries(phases)) {
		for (let elapsedSeconds = 0; elapsedSeconds <= seconds; elapsedSeconds += 1) {
			display.show({ phase, elapsedSeconds, megabytes: 7 });
		}
	}
	display.end();
	return texts;
};

describe('the progress display', () => {
	it('renews one line on a terminal', () => {
		const texts = written(true, { [phase]: 2 });
		expect(texts).toHaveLength(4);
		expect(texts.slice(0, 3).every((text) => text.startsWith('\r'))).toBe(true);
		expect(texts[2]).toContain('2 s  7 MB');
		expect(texts[3]).toBe('\n');
	});

	it('prints a line every quarter of a minute elsewhere, and a new phase at once', () => {
		const texts = written(false, { [phase]: 31, Building: 1 });
		expect(texts.map((text) => /(\d+) s/.exec(text)?.[1])).toEqual(['0', '15', '30', '0']);
	});
});
