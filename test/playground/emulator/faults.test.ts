import { describe, expect, it } from 'vitest';
import { sendV1, sendV2, useEmulator } from './emulatorUnderTest.ts';

interface RcsPage {
	meta: { pagination: { next_cursor: string | null } };
}

describe('faults', () => {
	const emulator = useEmulator();
	const control = () => emulator.control();
	const accepted = async () => (await control().messages()).length;

	it.each([
		['status403', 403, '"NO_ACCESS"', '"Forbidden"'],
		['status429', 429, '"OVER_LIMIT"', '"Too Many Requests"'],
		['status500', 500, '"FAILED"', '"Server Error"'],
		['html', 502, '<h1>502 Bad Gateway</h1>', '<h1>502 Bad Gateway</h1>'],
	] as const)('%s answers %i on both hosts and accepts nothing', async (fault, status, v1, v2) => {
		await control().addFault({ fault, match: { count: 2 } });
		const first = await sendV1(emulator);
		expect(first.status).toBe(status);
		expect(first.text).toContain(v1);
		const second = await sendV2(emulator);
		expect(second.status).toBe(status);
		expect(second.text).toContain(v2);
		expect(await accepted()).toBe(0);
	});

	it('html answers with another status', async () => {
		await control().addFault({ fault: 'html', status: 451 });
		const { status, text, headers } = await sendV2(emulator);
		expect([status, headers.get('content-type')]).toEqual([451, 'text/html']);
		expect(text).toContain('<h1>451 Unavailable For Legal Reasons</h1>');
		expect(await accepted()).toBe(0);
	});

	it('status429 says when to retry', async () => {
		await control().addFault({ fault: 'status429', retryAfter: 2 });
		expect((await sendV2(emulator)).headers.get('retry-after')).toBe('2');
	});

	it.each([
		['status500AfterAcceptance', 500, /"Server Error"/],
		['malformedJson', 200, /^\{"id":"[^}]*$/],
		['emptyBody', 200, /^$/],
		['html200AfterAcceptance', 200, /^<!doctype html>/],
	] as const)('%s accepts the message and spoils the answer', async (fault, status, text) => {
		await control().addFault({ fault });
		const answer = await sendV2(emulator);
		expect(answer.status).toBe(status);
		expect(answer.text).toMatch(text);
		expect(await accepted()).toBe(1);
	});

	it.each([
		['reset', 0],
		['resetAfterAcceptance', 1],
	] as const)('%s breaks the connection with %i accepted', async (fault, count) => {
		await control().addFault({ fault });
		await expect(sendV2(emulator)).rejects.toThrow('fetch failed');
		expect(await accepted()).toBe(count);
	});

	it.each([
		['timeout', 0],
		['timeoutAfterAcceptance', 1],
	] as const)('%s leaves the caller waiting with %i accepted', async (fault, count) => {
		await control().addFault({ fault });
		const patience = new AbortController();
		const json = { message: 'Hello', sender: '61491570006', recipient: '61491578888' };
		const call = emulator.call('/v2/sms', { json, signal: patience.signal });
		const [request] = await control().waitForRequests({ fault });
		if (count > 0) await control().waitForMessages();
		expect(request!.status).toBeNull();
		patience.abort();
		await expect(call).rejects.toThrow('abort');
		expect(await accepted()).toBe(count);
	});

	it('custom answers anything, before or after acceptance', async () => {
		const custom = { fault: 'custom', status: 503, headers: { 'x-odd': '1' } } as const;
		await control().addFault({ ...custom, body: 'busy' });
		const before = await sendV2(emulator);
		expect([before.status, before.text, before.headers.get('x-odd')]).toEqual([503, 'busy', '1']);
		expect(await accepted()).toBe(0);
		await control().addFault({ ...custom, body: { odd: true }, afterAcceptance: true });
		const after = await sendV2(emulator);
		expect([after.status, after.body]).toEqual([503, { odd: true }]);
		expect(await accepted()).toBe(1);
	});

	it('redirect sends the caller elsewhere and accepts nothing', async () => {
		await control().addFault({ fault: 'redirect', location: 'https://other.example/' });
		const { status, headers } = await sendV2(emulator);
		expect([status, headers.get('location')]).toEqual([302, 'https://other.example/']);
		expect(await accepted()).toBe(0);
	});

	it('slow answers late but well', async () => {
		await control().addFault({ fault: 'slow', delayMs: 20 });
		expect((await sendV2(emulator)).status).toBe(200);
		expect(await control().requests({ fault: 'slow', status: 200 })).toHaveLength(1);
	});

	it('held answers once the faults are cleared', async () => {
		await control().addFault({ fault: 'held' });
		const sending = sendV2(emulator);
		const [entry] = await control().waitForRequests({ fault: 'held' });
		expect(entry?.status).toBeNull();
		await control().clearFaults();
		expect((await sending).status).toBe(200);
	});

	it.each([
		['once unless told', {}, [500, 200, 200, 200]],
		['so many times', { count: 2 }, [500, 500, 200, 200]],
		['after letting some pass', { skip: 1, count: 2 }, [200, 500, 500, 200]],
		['at the nth request only', { nth: 3 }, [200, 200, 500, 200]],
		['for ever', { count: 'forever' }, [500, 500, 500, 500]],
	] as const)('hits %s', async (_label, match, expected) => {
		await control().addFault({ fault: 'status500', match });
		const statuses: number[] = [];
		while (statuses.length < expected.length) statuses.push((await sendV2(emulator)).status);
		expect(statuses).toEqual(expected);
	});

	it('hits only the requests that match method, path and body', async () => {
		const match = { method: 'POST', path: '/v2', bodyIncludes: 'second' };
		await control().addFault({ fault: 'status500', match });
		expect((await emulator.call('/v2/sms')).status).toBe(200);
		expect((await sendV2(emulator, { message: 'first' })).status).toBe(200);
		expect((await sendV1(emulator, { message: 'second' })).status).toBe(200);
		expect((await sendV2(emulator, { message: 'second' })).status).toBe(500);
	});

	it('tells a path from what lies below it when asked to be exact', async () => {
		await control().addFault({ fault: 'status500', match: { path: '/v2/sms', exact: true } });
		expect((await emulator.call('/v2/sms/unknown')).status).toBe(404);
		expect((await emulator.call('/v2/sms')).status).toBe(500);
	});

	it('names the fault in the request log and counts its use', async () => {
		await control().addFault({ fault: 'status500' }, { fault: 'html' });
		await sendV2(emulator);
		expect(await control().requests()).toMatchObject([{ fault: 'status500', status: 500 }]);
		expect(await control().faults()).toMatchObject([{ used: 1 }, { used: 0 }]);
		expect(await control().clearFaults()).toEqual([]);
	});

	it.each([
		['repeatPage', 'page=2', { page: { count: 2, number: 1 } }],
		['ignoreMax', 'max=100', { page: { count: 2, number: 1 } }],
		['growingCount', 'page=3&max=4', { page: { count: 4, number: 3 }, numbers_total: 14 }],
	] as const)('%s spoils the second page of a list', async (fault, query, expected) => {
		await control().addFault({ fault, match: { path: '/get-numbers.json' } });
		await emulator.call('/get-numbers.json');
		const { body } = await emulator.call(`/get-numbers.json?${query}`);
		expect(body).toMatchObject(expected);
	});

	it('repeatCursor leads to the same page again', async () => {
		await control().settings({ rcsMessages: 60 });
		await control().addFault({ fault: 'repeatCursor' });
		const cursorAfter = async (query: string) =>
			(await emulator.call<RcsPage>(`/v2/rcs/messages${query}`)).body.meta.pagination.next_cursor;
		const cursor = await cursorAfter('');
		expect(cursor).toEqual(expect.any(String));
		expect(await cursorAfter(`?cursor=${cursor}`)).toBe(cursor);
	});

	it('refuses a fault that it does not know', async () => {
		const rule = { fault: 'gremlin' } as unknown as { fault: 'html' };
		await expect(control().addFault(rule)).rejects.toThrow('400');
	});
});
