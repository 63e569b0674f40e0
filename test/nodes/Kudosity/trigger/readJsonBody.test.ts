import { describe, expect, it } from 'vitest';
import { readJsonBody } from '../../../../nodes/Kudosity/trigger/readJsonBody.ts';

const event = { event_type: 'OPT_OUT' };
const rawBody = Buffer.from(JSON.stringify(event));
const request = (contentType: string | undefined, body: unknown, raw = rawBody) => ({
	headers: contentType === undefined ? {} : { 'content-type': contentType },
	body,
	rawBody: raw,
});

describe('readJsonBody', () => {
	it('takes what n8n has parsed', () => {
		const parsed = { ...event };
		expect(readJsonBody(request('application/json; charset=utf-8', parsed))).toBe(parsed);
	});

	it.each([
		['no type', undefined],
		['another type', 'text/plain'],
		['a binary type', 'application/octet-stream'],
	])('reads JSON that is declared as %s', (_, contentType) => {
		expect(readJsonBody(request(contentType, 'unparsed'))).toEqual(event);
	});

	it('reads JSON with a byte order mark', () => {
		const raw = Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), rawBody]);
		expect(readJsonBody(request('text/plain', '', raw))).toEqual(event);
	});

	it('does not take a form for JSON', () => {
		const raw = Buffer.from('event_type=OPT_OUT');
		const form = request('application/x-www-form-urlencoded', { event_type: 'OPT_OUT' }, raw);
		expect(readJsonBody(form)).toBeUndefined();
	});

	it('finds nothing in an empty request', () => {
		expect(readJsonBody({ headers: {} })).toBeUndefined();
	});
});
