import { describe, expect, it } from 'vitest';
import { useEmulator } from '../engine/emulator.ts';
import { registerTrigger } from '../engine/triggerNode.ts';
import { sampleEvent, sampleNames, type Json } from '../fixtures/events/index.ts';

const service = useEmulator();

const activated = async () => {
	const parameters = { events: Object.keys(sampleNames) };
	const registered = await registerTrigger(service, { parameters });
	return { ...registered, token: String(registered.query.token) };
};

const mms = (...media: unknown[]): Json => {
	const event = sampleEvent('mmsInbound');
	return { ...event, mo: { ...(event.mo as object), media } };
};

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a token that is guessed', () => {
	it('starts nothing, whatever it has in common with the right one', async () => {
		const { trigger, token } = await activated();
		const prefixes = Array.from(token, (_, length) => token.slice(0, length));
		const changed = Array.from(token, (character, index) => {
			const other = character === 'A' ? 'B' : 'A';
			return `${token.slice(0, index)}${other}${token.slice(index + 1)}`;
		});
		const strange = [[token], [token, token], { $ne: '' }, { token }, true, 0, null, undefined];
		const near = [`${token}=`, `${token} `, token.toUpperCase(), token.toLowerCase(), `${token}\0`];

		for (const guess of [...prefixes, ...changed, ...near, ...strange]) {
			const query = { token: guess };
			const { status, started } = await trigger.receive({ body: sampleEvent('smsInbound'), query });
			expect({ status, started }, JSON.stringify(guess)).toEqual({ status: 401, started: false });
		}
	});

	it('is not taken from the body or a header', async () => {
		const { trigger, token } = await activated();
		const body = { ...sampleEvent('smsInbound'), token };
		const headers = { token, authorization: `Bearer ${token}`, 'x-token': token };
		const { status, started } = await trigger.receive({ body, headers });

		expect({ status, started }).toEqual({ status: 401, started: false });
	});
});

describe('a delivery that is repeated', () => {
	it('starts the workflow again, as the service itself may repeat it', async () => {
		const { deliver } = await activated();
		const answers = [
			await deliver(sampleEvent('smsInbound')),
			await deliver(sampleEvent('smsInbound')),
		];

		expect(answers.map(({ started }) => started)).toEqual([true, true]);
		const ids = answers.map(({ outputs }) => outputs[0]?.[0]?.json.messageId);
		expect(ids[0]).toBe(ids[1]);
	});
});

describe('the files of an MMS', () => {
	it.each([
		'../../../etc/cron.d/job',
		'/etc/passwd',
		'..\\..\\windows\\system32\\evil.dll',
		'C:\\autoexec.bat',
		'picture.png/../../../evil.sh',
		'..',
		'.',
		'nul\u0000byte.png',
		'line\r\nbreak.png',
		'x'.repeat(5000),
	])('get a name without a path: %j', async (name) => {
		const { deliver } = await activated();
		const { started, outputs } = await deliver(mms({ name, content: base64('GIF89a') }));

		expect(started).toBe(true);
		const file = outputs[0]?.[0]?.binary?.media0;
		expect(file?.directory).toBeUndefined();
		expect(file?.fileName).toMatch(/^[^/\\\p{Cc}]{1,255}$/u);
		expect(['.', '..']).not.toContain(file?.fileName);
	});

	it.each([
		['a web page', '<html><script>alert(1)</script></html>'],
		['a drawing with a script', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
		['a program', 'MZ\u0090\u0000'],
	])('are no picture when they are %s that is called one', async (_, content) => {
		const { deliver } = await activated();
		const { outputs } = await deliver(mms({ name: 'photo.png', content: base64(content) }));

		expect(outputs[0]?.[0]?.binary?.media0?.mimeType).not.toMatch(/^image\/(png|jpe?g|gif|webp)/);
	});
});

describe('a body', () => {
	it.each([
		[
			'keys of prototypes',
			'{"event_type":"NEWS","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
		],
		[
			'keys of prototypes inside',
			'{"event_type":"SMS_INBOUND","mo":{"__proto__":{"polluted":1},"id":"1"}}',
		],
		['numbers beyond measure', '{"event_type":"LINK_HIT","link_hit":{"hits":1e400,"url":-1e999}}'],
		[
			'200,000 keys',
			`{"event_type":"NEWS",${Array.from({ length: 200_000 }, (_, key) => `"k${key}":1`).join()}}`,
		],
		['a list of a million lists', `{"event_type":"NEWS","a":[${'[],'.repeat(1_000_000)}[]]}`],
		['types where texts belong', '{"event_type":["SMS_INBOUND"],"webhook_id":{"a":1},"mo":7}'],
	])('with %s arrives, says what is wrong with it, and does no harm', async (_, text) => {
		const { trigger, token } = await activated();
		const body: unknown = JSON.parse(text);
		const { status, started, outputs } = await trigger.receive({ body, query: { token } });

		expect({ status, started }).toEqual({ status: 200, started: true });
		expect(outputs[0]?.[0]?.json).toMatchObject({
			event_type: (body as { event_type: unknown }).event_type,
			parseIssues: expect.arrayContaining([expect.any(String)]),
		});
		expect({}).not.toHaveProperty('polluted');
		expect(() => JSON.stringify(outputs)).not.toThrow();
		expect(JSON.stringify(outputs)).not.toContain('polluted');
	});
});
