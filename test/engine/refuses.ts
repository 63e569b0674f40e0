import { expect, it } from 'vitest';
import type { useEmulator } from './emulator.ts';

/** What helps, by what is wrong. */
const remedies: Array<[problem: RegExp, remedy: string]> = [
	[/SMS Fallback Message' is empty$/, "or remove 'SMS Fallback Sender'"],
	[/'Filters > (Start|End) Date' is empty$/, "both 'Start Date' and 'End Date'"],
	[/ contains an expression that n8n did not evaluate$/, 'from Fixed to Expression'],
	[/ is empty$/, 'the expression returns'],
	[/ is in the past$/, 'Choose a later time'],
	[/ must be text, or a list of text values$/, 'Use one value, several'],
	[/ is not text$/, 'The expression returned a list, an object, a date or NaN'],
	[/ has no text at position \d+$/, 'for each variable of the template'],
	[/ not a JSON object$/, 'Use an object in curly braces'],
	[/ was rounded by a spreadsheet$/, 'Format the spreadsheet column as text'],
	[/ must have 2 to 100 characters$/, 'Use a shorter or longer text'],
	[/^There is nothing to change$/, 'Add at least one option with a value'],
	[/ has an entry that is not an email address/, 'Separate the addresses with commas'],
	[/ more than \d+ days after 'Start Date'$/, ' several parts'],
	[/ is longer than \d+ characters$/, 'Shorten it'],
	[/ not a public/, 'Use an https URL that can be reached from the internet'],
	[/ a whole number/, 'Enter a number, or check what the expression returns'],
	[/ must be true or false$/, 'Use true or false, or an expression that returns one of them'],
	[/ not an email address$/, 'Use one address, e.g. sam@example.com'],
	[/ is not a date$/, 'Enter a date such as 2026-01-31T09:00'],
	[/ is before 'Start Date'$/, 'Swap the two dates'],
	[/ not an ID$/, 'Use the ID from Kudosity'],
	[/ not the ID of a bulk SMS$/, 'Use the message_id that Bulk SMS → Send returned'],
	[/ not the ID of a list$/, 'a number like 4100001'],
	[/ phone number| valid number/, 'Write the number with + and the country code'],
	[/ an unknown value( at position \d+)?$/, 'Use one'],
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
