import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runsAll } from '../../../helpers/runsAll.ts';
import { eventTypes, readEvent, shouldStart, type Rules } from '../../../seams.ts';
import { changed, richContents, sampleEvent, sampleNames } from '../../../fixtures/events/index.ts';

const rules: Rules = { events: [...eventTypes], statuses: [], onlyFinalStatuses: false };

/** What becomes of a body whose sender has the token. */
const receive = (body: unknown, changes: Partial<Rules> = {}) => {
	const received = readEvent(body);
	if (!received) return { kind: 'rejected' as const };
	return shouldStart(received, { ...rules, ...changes })
		? { ...received, kind: 'accepted' as const }
		: { kind: 'ignored' as const };
};

describe('an event', () => {
	it.each(Object.values(sampleNames))('accepts %s as it was sent', (name) => {
		expect(receive(sampleEvent(name))).toMatchObject({
			kind: 'accepted',
			body: sampleEvent(name),
			parseIssues: [],
		});
	});

	it.each([
		['nothing', undefined],
		['null', null],
		['a text', 'SMS_INBOUND'],
		['an empty text', ''],
		['a number', 7],
		['a list', [{ event_type: 'SMS_INBOUND' }]],
		['an empty object', {}],
	])('takes %s for no event', (_, body) => {
		expect(receive(body)).toEqual({ kind: 'rejected' });
	});

	it.each(['another', 17, undefined, null, '', 1.5, true, {}])(
		'accepts an event whatever the ID of its webhook is: %j',
		(id) => {
			const event = { ...sampleEvent('smsInbound'), webhook_id: id };
			expect(receive(event)).toMatchObject({ kind: 'accepted' });
		},
	);

	it('ignores event types that are not subscribed', () => {
		const changes = { events: ['OPT_OUT'] };
		expect(receive(sampleEvent('smsInbound'), changes)).toMatchObject({ kind: 'ignored' });
		expect(receive(sampleEvent('optOutByLink'), changes)).toMatchObject({ kind: 'accepted' });
	});

	it.each([
		['an unknown type', { event_type: 'FAX_INBOUND', fax: { pages: 2 } }],
		['a type in lower case', { event_type: 'sms_inbound', mo: {} }],
		['no type', { mo: { id: '1' } }],
		['a type that is no text', { event_type: 17 }],
		['a known type with an unexpected format', { event_type: 'SMS_INBOUND', mo: 'STOP' }],
		['a known type alone', { event_type: 'OPT_OUT' }],
	])('accepts %s as it was sent, and says what is unexpected', (_, body) => {
		const reception = receive(body);
		expect(reception).toMatchObject({ kind: 'accepted', body, event: undefined });
		expect(reception).toHaveProperty('parseIssues.0', expect.any(String));
	});

	it.each([
		['SENT', 'ignored'],
		['accepted', 'ignored'],
		['SOFT_BOUNCE', 'accepted'],
		['DELIVERED', 'accepted'],
		['READ', 'accepted'],
		['FAILED', 'accepted'],
		['OTHER', 'accepted'],
		['PARKED', 'accepted'],
		['constructor', 'accepted'],
	])('with only final statuses, %s is %s', (status, kind) => {
		const event = sampleEvent('smsStatusDelivered');
		const body = { ...event, status: { ...(event.status as object), status } };
		expect(receive(body, { onlyFinalStatuses: true }).kind).toBe(kind);
		expect(receive(body).kind).toBe('accepted');
	});

	it.each([
		['mmsStatusDelivered', 'sent', 'accepted'],
		['mmsStatusDelivered', 'FAILED', 'accepted'],
		['mmsStatusDelivered', 'PENDING', 'ignored'],
		['rcsStatusRead', 'SENT', 'ignored'],
		['whatsappStatusUndeliverable', 'SENT', 'ignored'],
	])(
		'with only final statuses, SENT is the last one of an MMS alone: %s %s',
		(name, status, kind) => {
			const body = changed(sampleEvent(name), 'status.status', status);
			expect(receive(body, { onlyFinalStatuses: true }).kind).toBe(kind);
		},
	);

	it('with only final statuses, still accepts everything that is no status', () => {
		const changes = { onlyFinalStatuses: true };
		for (const name of ['smsInbound', 'optOutBySms', 'linkHit']) {
			expect(receive(sampleEvent(name), changes).kind).toBe('accepted');
		}
		expect(receive({ event_type: 'SMS_STATUS' }, changes).kind).toBe('accepted');
	});

	it.each([
		['SENT', 'ignored'],
		['DELIVERED', 'accepted'],
		['delivered', 'accepted'],
		['OTHER', 'ignored'],
		['PARKED', 'ignored'],
	])('with the filter Status beside other events, %s is %s', (status, kind) => {
		const body = changed(sampleEvent('smsStatusDelivered'), 'status.status', status);
		expect(receive(body, { statuses: ['DELIVERED', 'FAILED'] }).kind).toBe(kind);
	});

	it.each(['OTHER', 'other', 'PARKED', 'constructor'])(
		'with the filter Status, the value OTHER stands for every unknown status: %s',
		(status) => {
			const body = changed(sampleEvent('smsStatusDelivered'), 'status.status', status);
			expect(receive(body, { statuses: ['OTHER'] }).kind).toBe('accepted');
		},
	);

	it('with the filter Status, still accepts every other event, and a status nobody can read', () => {
		const changes = { statuses: ['FAILED'] };
		for (const name of ['smsInbound', 'mmsInbound', 'optOutBySms', 'optOutByLink', 'linkHit']) {
			expect(receive(sampleEvent(name), changes).kind).toBe('accepted');
		}
		expect(receive({ event_type: 'SMS_STATUS' }, changes).kind).toBe('accepted');
	});

	it('without another event, leaves the filter Status to Kudosity', () => {
		const changes = { events: ['SMS_STATUS', 'RCS_STATUS'], statuses: ['FAILED'] };
		expect(receive(sampleEvent('smsStatusDelivered'), changes).kind).toBe('accepted');
	});

	it('cuts the inner part of a deeply nested event, and keeps the event', () => {
		const depth = 100_000;
		const text = `{"event_type":"NEW","deep":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`;
		const reception = receive(JSON.parse(text));
		expect(reception).toMatchObject({ kind: 'accepted', body: { event_type: 'NEW' } });
		expect(() => JSON.stringify(reception)).not.toThrow();
		expect(reception).toHaveProperty('parseIssues.0', expect.stringContaining('nested deeper'));
	});

	it('gives the inner part of a nested event as text', () => {
		const text = `{"event_type":"NEW","deep":${'['.repeat(60)}"kept"${']'.repeat(60)}}`;
		expect(JSON.stringify(receive(JSON.parse(text)))).toContain('kept');
	});

	it('leaves keys out that reach into prototypes', () => {
		const text =
			'{"event_type":"NEW","__proto__":{"polluted":true},"inner":{"constructor":{"prototype":{"polluted":true}},"ok":1}}';
		const reception = receive(JSON.parse(text));
		expect(reception).toMatchObject({ kind: 'accepted', body: { inner: { ok: 1 } } });
		expect(JSON.stringify(reception)).not.toContain('polluted');
		expect({}).not.toHaveProperty('polluted');
	});

	it('says what n8n would store of a number that is too large', () => {
		const reception = receive(JSON.parse('{"event_type":"NEW","cost":1e400,"parts":[-1e999,2]}'));
		expect(reception).toMatchObject({ body: { cost: null, parts: [null, 2] } });
		expect(reception).toHaveProperty('parseIssues.0', expect.stringContaining('too large'));
	});
});

/** Bodies from the samples outward: whole events, with a part replaced, taken away or added. */
const samples = Object.values(sampleNames).map((name) => sampleEvent(name));
const anything = fc.anything({ withNullPrototype: true, withBigInt: false, maxDepth: 3 });

const pathsOf = (value: unknown, path: string[] = []): string[][] =>
	typeof value === 'object' && value !== null
		? Object.entries(value).flatMap(([key, inner]) => [
				[...path, key],
				...pathsOf(inner, [...path, key]),
			])
		: [];

type Change = { path: string[]; how: 'replace' | 'remove' | 'add'; value: unknown; key: string };

const applyChange = (event: unknown, { path, how, value, key }: Change): unknown => {
	const [head, ...rest] = path;
	if (head === undefined || typeof event !== 'object' || event === null) return event;
	const copy = (Array.isArray(event) ? [...event] : { ...event }) as Record<string, unknown>;
	if (rest.length > 0) copy[head] = applyChange(copy[head], { path: rest, how, value, key });
	else if (how === 'remove') delete copy[head];
	else if (how === 'add' && !Array.isArray(copy))
		Object.defineProperty(copy, key, { value, enumerable: true });
	else copy[head] = value;
	return copy;
};

const unusualKey = fc.oneof(
	fc.string(),
	fc.constantFrom(
		'__proto__',
		'constructor',
		'event_type',
		'webhook_id',
		'content',
		'media',
		'status',
	),
);
const unusualValue = fc.oneof(
	anything,
	fc.constantFrom(...Object.values(richContents())),
	fc.constantFrom('', 'A'.repeat(10_000), -0, 1e308, '2026-08-05T11:58:03.123456789Z', '\u0000'),
);

const changedSample = fc.constantFrom(...samples).chain((sample) =>
	fc
		.array(
			fc.record({
				path: fc.constantFrom(...pathsOf(sample)),
				how: fc.constantFrom('replace' as const, 'remove' as const, 'add' as const),
				value: unusualValue,
				key: unusualKey,
			}),
			{ maxLength: 4 },
		)
		.map((changes) => changes.reduce(applyChange, sample as unknown)),
);

const newType = fc
	.record({ event_type: fc.string({ minLength: 1 }), payload: anything })
	.map((event): unknown => event);

const unusualBody = fc.oneof(
	{ arbitrary: changedSample, weight: 6 },
	{ arbitrary: newType, weight: 1 },
	{ arbitrary: fc.jsonValue() as fc.Arbitrary<unknown>, weight: 1 },
	{ arbitrary: anything, weight: 1 },
);

const namesEvent = (body: unknown): boolean =>
	typeof body === 'object' &&
	body !== null &&
	!Array.isArray(body) &&
	typeof (body as { event_type?: unknown }).event_type === 'string' &&
	(body as { event_type: string }).event_type !== '';

const bodies = runsAll ? 20_000 : 5_000;

describe('events, with thousands of unusual bodies', () => {
	it('never throws, and loses none that names an event type', { timeout: 120_000 }, () => {
		const seen = { accepted: 0, ignored: 0, rejected: 0 };
		fc.assert(
			fc.property(unusualBody, (body) => {
				const reception = receive(body);
				seen[reception.kind]++;
				if (namesEvent(body)) expect(reception.kind).toBe('accepted');
				if (reception.kind !== 'accepted') return;
				expect(reception.event !== undefined || reception.parseIssues.length > 0).toBe(true);
			}),
			{ numRuns: bodies },
		);
		expect(seen.accepted).toBeGreaterThan(bodies / 2);
		expect(seen.rejected).toBeGreaterThan(bodies / 200);
	});
});
