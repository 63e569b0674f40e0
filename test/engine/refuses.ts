import { expect, it } from 'vitest';
import type { useEmulator } from './emulator.ts';

/** What helps, by what is wrong. */
const remedies: Array<[problem: RegExp, remedy: string]> = [
	[/ is empty$/, 'the expression delivers'],
	[/ is longer than \d+ characters$/, 'Shorten it'],
	[/ not a public/, 'Use an https address that is open to the internet'],
	[/ not a whole number/, 'Use one, or check what the expression delivers'],
	[/ neither true nor false$/, 'Use true or false, or an expression that delivers one of them'],
	[/ not an e-mail address$/, 'Use one address like sam@example.com'],
	[/ is not a date$/, 'Write it like 2026-01-31T09:00'],
	[/ is before Start Date$/, 'Swap the two dates'],
	[/ not an ID$/, 'Use the ID as Kudosity shows it'],
	[/ not the ID of a bulk SMS$/, 'Use the message_id that Bulk SMS → Send returned'],
	[/ not the ID of a list$/, 'a number like 4100001'],
	[/ phone number| valid number/, 'Write it with + and its country code'],
	[/ no such choice$| that does not exist$/, 'Use one'],
];

/** A message and what helps, which goes without saying where `remedies` has it. */
type Refused = [change: object, message: string | RegExp, remedy?: string];

/** Each of these changes to fields that work is refused before any request, in these words. */
export const itRefuses = (
	service: Pick<ReturnType<typeof useEmulator>, 'run' | 'control'>,
	operation: string,
	working: object,
	changes: Refused[],
): void => {
	it.each(changes)('refuses %j before any request', async (change, words, remedy) => {
		const { error: { message = '', description } = {} } = await service.run(operation, {
			...working,
			...change,
		});

		expect(message).toEqual(words instanceof RegExp ? expect.stringMatching(words) : words);
		const [, usual] = remedies.find(([problem]) => problem.test(message)) ?? [];
		expect(description).toContain(remedy ?? usual);
		expect(await service.control.requests()).toEqual([]);
	});
};
