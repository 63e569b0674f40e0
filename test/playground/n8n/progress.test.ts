import { describe, expect, it } from 'vitest';
import { createProgressDisplay } from '../../../playground/n8n/progress.ts';
import { describeMissingTools } from '../../../playground/n8n/sqliteAddon.ts';

const record = (isTTY: boolean) => {
	const written: string[] = [];
	const display = createProgressDisplay({ isTTY, write: (text) => written.push(text) });
	return { written, display };
};

const phase = 'Installing n8n-2.41.1';

describe('the progress display', () => {
	it('renews one line on a terminal', () => {
		const { written, display } = record(true);
		for (const elapsedSeconds of [0, 1, 2]) display.show({ phase, elapsedSeconds, megabytes: 7 });
		display.end();
		expect(written).toHaveLength(4);
		expect(written.slice(0, 3).every((text) => text.startsWith('\r'))).toBe(true);
		expect(written[2]).toContain('2 s  7 MB');
		expect(written[3]).toBe('\n');
	});

	it('prints a line every quarter of a minute elsewhere', () => {
		const { written, display } = record(false);
		for (let elapsedSeconds = 0; elapsedSeconds <= 31; elapsedSeconds += 1) {
			display.show({ phase, elapsedSeconds, megabytes: 0 });
		}
		display.end();
		expect(written.map((text) => /(\d+) s/.exec(text)?.[1])).toEqual(['0', '15', '30']);
	});

	it('prints a new phase at once', () => {
		const { written, display } = record(false);
		display.show({ phase, elapsedSeconds: 1, megabytes: 0 });
		display.show({ phase: 'Building', elapsedSeconds: 2, megabytes: 0 });
		expect(written).toHaveLength(2);
	});
});

describe('missing build tools', () => {
	it('are named together with the remedy', () => {
		const message = describeMissingTools((tool) => tool === 'make');
		expect(message).toContain('lacks python3, g++');
		expect(message).toContain('apt-get install');
	});

	it('are no topic when all are there', () => {
		expect(describeMissingTools(() => true)).toBeUndefined();
	});
});
