/** The schemas of answers and events under zod 4: n8n brings 3.25 or newer. */
import { describe, expect, it, vi } from 'vitest';
import { sampleEvent, sampleNames } from '../../fixtures/events/index.ts';

// Other files of this process have the same modules with zod 3.25, and keep them.
vi.resetModules();
vi.doMock('zod/v4', async () => await import('zod4'));
const { getWebhooks, readEvent, sendBulkSms } = await import('../../seams.ts');
vi.doUnmock('zod/v4');
vi.resetModules();

describe('with zod 4', () => {
	it('is zod 4, not the one of zod 3.25', () => {
		expect(sendBulkSms.answer()._zod.version.minor).toBeGreaterThan(0);
	});

	it('reads an answer whose optional fields are missing', () => {
		expect(sendBulkSms.answer().parse({ message_id: 7 })).toEqual({ message_id: '7' });
	});

	it('reads a list without its key', () => {
		expect(getWebhooks.answer().parse({})).toEqual([]);
	});

	it.each(Object.entries(sampleNames))('reads an event of the type %s', (type, name) => {
		expect(readEvent(sampleEvent(name))).toMatchObject({
			event: { event_type: type },
			parseIssues: [],
		});
	});
});
