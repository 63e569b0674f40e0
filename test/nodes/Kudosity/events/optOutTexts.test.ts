import { describe, expect, it } from 'vitest';
import { changed, sampleEvent } from '../../../fixtures/events/index.ts';
import { projectFiles } from '../../../helpers/projectFiles.ts';
import { readEvent, readOptOut } from '../../../seams.ts';

/**
 * Replies in two files: those that ask for no more messages, and others. Four people wrote them, three without knowing how
 * opt-outs are recognized, and one looking for texts that are misread. Where even they disagreed, the text is left out.
 */
const files = projectFiles('test/fixtures/replies', '.txt');
const textsIn = (name: string) => files[`test/fixtures/replies/${name}.txt`]!.trim().split('\n');

const isOptOut = (text: string): boolean => {
	const event = changed(sampleEvent('smsInbound'), 'mo.message', text);
	return readOptOut(readEvent(event)!) !== undefined;
};

/** The bounds are what is reached today. No change may make it less, and one that makes it more may raise them. */
describe('of texts that people could write', () => {
	it.each([
		['opt-outs', 'optOuts', true, 0.93],
		['ordinary replies', 'ordinary', false, 0.93],
	])('%s are taken for what they are', (_, file, expected, bound) => {
		const texts = textsIn(file);
		const wrong = texts.filter((text) => isOptOut(text) !== expected);
		const right = texts.length - wrong.length;
		expect(right / texts.length, `misread: ${wrong.join(' | ')}`).toBeGreaterThanOrEqual(bound);
	});
});
