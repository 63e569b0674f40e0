/**
 * How long the token check takes for guesses that have more and more in common with the right token. What a
 * guess has right must not show in the time: `npx tsx test/security/measureTokenTiming.ts`.
 */
import { createToken, digestOf, isExpectedToken } from '../seams.ts';

const checksPerSample = 200;
const samples = 1_000;

const owner = { workflowId: 'workflow-1', nodeId: 'node-1', path: '0d6042b5/webhook' };
const token = createToken('some key', owner);
const expected = [digestOf(token)];
const other = (character: string | undefined) => (character === 'A' ? 'B' : 'A');

/** Right in its first characters, wrong from there on. */
const guess = (rightCharacters: number): string =>
	token.slice(0, rightCharacters) + Array.from(token.slice(rightCharacters), other).join('');

const guesses = [0, 1, 10, 20, 30, 42, 43].map((right) => ({ right, text: guess(right) }));

const measureNs = (text: string): number => {
	const begun = process.hrtime.bigint();
	for (let check = 0; check < checksPerSample; check++) isExpectedToken(text, expected);
	return Number(process.hrtime.bigint() - begun) / checksPerSample;
};

const quantile = (sorted: number[], share: number): number =>
	sorted[Math.floor(share * (sorted.length - 1))] ?? NaN;

const times = new Map(guesses.map(({ right }) => [right, [] as number[]]));
for (let sample = 0; sample < samples; sample++) {
	// In turns, so that what else the machine does meets all of them alike.
	for (const { right, text } of guesses) times.get(right)?.push(measureNs(text));
}

console.log(`Token check, ${samples} samples of ${checksPerSample} checks, ns per check`);
console.log('right characters   median   quartiles');
for (const [right, measured] of times) {
	const sorted = measured.slice(samples / 10).sort((a, b) => a - b);
	const [low, median, high] = [0.25, 0.5, 0.75].map((share) => quantile(sorted, share).toFixed(0));
	console.log(`${String(right).padStart(16)} ${String(median).padStart(8)}   ${low} to ${high}`);
}
