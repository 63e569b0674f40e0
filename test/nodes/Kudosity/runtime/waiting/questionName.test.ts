import { expect, it } from 'vitest';
import { explainedName, isExplained, questionName } from '../../../../seams.ts';

const untilMs = Date.UTC(2026, 0, 31, 9);

it('says until when the webhook of a question is needed', () => {
	const name = questionName({ workflow: 'Shop', node: 'Ask' }, untilMs);
	expect(name).toBe('n8n: Shop - Ask (question until 2026-01-31 09:00 UTC)');
});

it('leaves room for the note that it was explained, within the 100 characters of the service', () => {
	const place = { workflow: 'Confirm appointments by SMS '.repeat(3), node: 'Ask them '.repeat(9) };
	const name = questionName(place, untilMs);
	const explained = explainedName(name);

	expect(explained).toMatch(/UTC, explained\)$/);
	expect(Buffer.byteLength(explained)).toBeLessThanOrEqual(100);
	expect([isExplained(name), isExplained(explained)]).toEqual([false, true]);
});
