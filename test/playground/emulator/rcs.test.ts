import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulatorUnderTest.ts';

interface RcsPage {
	data: { messages: Array<{ id: string; status: string; created_at: string }> };
	meta: {
		pagination: { next_cursor: string | null; prev_cursor: string | null; has_next: boolean };
	};
}
interface RcsAnswer {
	data: { id: string; status: string; events?: Array<{ event_type: string }> };
}

const textMessage = {
	sender: 'PlaygroundAgent',
	recipient: '61491578888',
	content_type: 'text',
	content: { text: { message: 'Hello' } },
};

describe('GET /v2/rcs/messages', () => {
	const emulator = useEmulator({ rcsMessages: 60 });

	it('visits each message once, newest first, by following the cursor', async () => {
		const ids: string[] = [];
		let cursor: string | null = '';
		while (cursor !== null) {
			const query: string = cursor && `?cursor=${cursor}`;
			const { body } = await emulator.call<RcsPage>(`/v2/rcs/messages${query}`);
			ids.push(...body.data.messages.map(({ id }) => id));
			cursor = body.meta.pagination.next_cursor;
		}
		expect(ids).toHaveLength(60);
		expect(new Set(ids).size).toBe(60);
		expect(ids[0]).toMatch(/60$/);
	});

	it('goes back with direction prev', async () => {
		const path = '/v2/rcs/messages?limit=10';
		const first = await emulator.call<RcsPage>(path);
		const second = await emulator.call<RcsPage>(
			`${path}&cursor=${first.body.meta.pagination.next_cursor}`,
		);
		const back = await emulator.call<RcsPage>(
			`${path}&direction=prev&cursor=${second.body.meta.pagination.prev_cursor}`,
		);
		expect(back.body.data.messages).toEqual(first.body.data.messages);
		expect(back.body.meta.pagination.prev_cursor).toBeNull();
	});

	it('keeps to a custom period', async () => {
		const all = await emulator.call<RcsPage>('/v2/rcs/messages?limit=3');
		const [newest, , third] = all.body.data.messages;
		const query = new URLSearchParams({
			date_range: 'custom_date',
			start_date: new Date(Date.parse(third!.created_at) - 1000).toISOString(),
			end_date: new Date(Date.parse(newest!.created_at) - 1000).toISOString(),
		});
		const { body } = await emulator.call<RcsPage>(`/v2/rcs/messages?${query}`);
		expect(body.data.messages).toHaveLength(2);
	});

	it.each([
		['limit', 'limit=101'],
		['limit', 'limit=0'],
		['cursor', 'cursor=nonsense'],
		['date_range', 'date_range=yesterday'],
		['start_date', 'date_range=custom_date'],
		['end_date', 'date_range=custom_date&start_date=2026-01-01&end_date=2026-06-01'],
	])('names %s as the issue of %s', async (name, query) => {
		const { status, body } = await emulator.call(`/v2/rcs/messages?${query}`);
		expect(status).toBe(400);
		expect(body).toMatchObject({ error: { issues: [{ name }] } });
	});

	it('names the same cursor again and again with repeatCursor', async () => {
		await emulator.control().addFault({ fault: 'repeatCursor' });
		const first = await emulator.call<RcsPage>('/v2/rcs/messages');
		const { next_cursor: cursor } = first.body.meta.pagination;
		const second = await emulator.call<RcsPage>(`/v2/rcs/messages?cursor=${cursor}`);
		expect(second.body.meta.pagination.next_cursor).toBe(cursor);
	});
});

describe('RCS messages', () => {
	const emulator = useEmulator({ rcsMessages: 0 });

	it('advances a sent message from QUEUED to READ', async () => {
		await emulator.control().settings({ autoStatus: true, statusDelaysMs: [0, 0, 0] });
		const sent = await emulator.call<RcsAnswer>('/v2/rcs/messages', { json: textMessage });
		expect(sent.status).toBe(200);
		expect(sent.body.data).not.toHaveProperty('status');
		await emulator.control().waitForMessages({ status: 'READ' });
		const { body } = await emulator.call<RcsAnswer>(`/v2/rcs/messages/${sent.body.data.id}`);
		expect(body.data.status).toBe('READ');
		const events = body.data.events?.map((event) => event.event_type);
		expect(events).toEqual(['SENT', 'DELIVERED', 'READ']);
	});

	it.each(['REJECTED', 'UNDELIVERABLE', 'FAILED'])(
		'reports %s as FAILED when polled',
		async (status) => {
			const sent = await emulator.call<RcsAnswer>('/v2/rcs/messages', { json: textMessage });
			await emulator.control().setStatus(sent.body.data.id, status);
			const { body } = await emulator.call<RcsAnswer>(`/v2/rcs/messages/${sent.body.data.id}`);
			expect(body.data.status).toBe('FAILED');
		},
	);

	it('answers 404 with a problem for an unknown message', async () => {
		const { status, body } = await emulator.call('/v2/rcs/messages/unknown');
		expect(status).toBe(404);
		expect(body).toMatchObject({ error: { status: 404, title: 'Not Found' } });
	});

	it('refuses content that is no text', async () => {
		const json = { ...textMessage, content: { image: {} } };
		const { status, body } = await emulator.call('/v2/rcs/messages', { json });
		expect(status).toBe(400);
		expect(body).toMatchObject({ error: { issues: [{ name: 'content' }] } });
	});
});
