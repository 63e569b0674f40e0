import { describe, expect, it } from 'vitest';
import { readJsonBody } from '../../../seams.ts';

const event = { event_type: 'OPT_OUT' };
const rawBody = Buffer.from(JSON.stringify(event));
const request = (contentType: string | undefined, body: unknown, raw = rawBody) => ({
	headers: contentType === undefined ? {} : { 'content-type': contentType },
	body,
	rawBody: raw,
});

describe('readJsonBody', () => {
	it('takes what n8n has parsed', async () => {
		const parsed = { ...event };
		expect(await readJsonBody(request('application/json; charset=utf-8', parsed))).toBe(parsed);
	});

	it.each([
		['no type', undefined],
		['another type', 'text/plain'],
		['a binary type', 'application/octet-stream'],
		['a kind of JSON that n8n does not know', 'application/vnd.event+json'],
		['JSON with a space that n8n does not expect', 'application/json ; charset=utf-8'],
	])('reads JSON that is declared as %s', async (_, contentType) => {
		expect(await readJsonBody(request(contentType, 'unparsed'))).toEqual(event);
	});

	it('reads JSON with a byte order mark', async () => {
		const raw = Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), rawBody]);
		expect(await readJsonBody(request('text/plain', '', raw))).toEqual(event);
	});

	it('does not take a form for JSON', async () => {
		const raw = Buffer.from('event_type=OPT_OUT');
		const form = request('application/x-www-form-urlencoded', { event_type: 'OPT_OUT' }, raw);
		expect(await readJsonBody(form)).toBeUndefined();
	});

	it('finds nothing in an empty request', async () => {
		expect(await readJsonBody({ headers: {} })).toBeUndefined();
	});

	it('reads what n8n has left unread', async () => {
		const unread: { headers: object; rawBody?: Buffer; readRawBody(): Promise<void> } = {
			headers: {},
			async readRawBody() {
				unread.rawBody = rawBody;
			},
		};
		expect(await readJsonBody(unread as never)).toEqual(event);
	});

	it('finds nothing in a body that cannot be read', async () => {
		const readRawBody = async () => await Promise.reject(new Error('too large'));
		expect(await readJsonBody({ headers: {}, readRawBody })).toBeUndefined();
	});
});
