/** The schemas of answers and events under zod 4: n8n brings 3.25 or newer. */
import { describe, expect, it, vi } from 'vitest';

// Other files of this process have the same modules with zod 3.25, and keep them.
vi.resetModules();
vi.doMock('zod/v4', async () => await import('zod4'));
const { sendBulkSms } = await import('../../../nodes/Kudosity/api/endpoints/bulkSms.ts');
const { getWebhooks } = await import('../../../nodes/Kudosity/api/endpoints/webhook.ts');
const { eventSchema } = await import('../../../nodes/Kudosity/events/events.ts');
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

	it('reads an event', () => {
		const status = { id: 'a', type: 'SMS', sender: 'Acme', recipient: 61491570006, status: 'SENT' };
		const event = { event_type: 'SMS_STATUS', timestamp: '2026-01-31T09:00:00Z', status };
		expect(eventSchema().parse(event)).toMatchObject({ status: { recipient: '61491570006' } });
	});
});
