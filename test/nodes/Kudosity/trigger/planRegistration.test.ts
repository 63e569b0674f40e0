import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOf, isOthersAtOurUrl, type Identity, planRegistration } from '../../../seams.ts';

const base = 'https://n8n.example.com/webhook/6f0c6a52/webhook';
const token = 'good'.padEnd(43, 'x');
const oldToken = 'old'.padEnd(43, 'x');
const url = `${base}?token=${token}`;
const filter = { event_type: ['SMS_INBOUND', 'OPT_OUT'], sender: ['61491570006'] };
const wanted = { name: 'n8n: Desk - Trigger', url, filter };
const own = { id: 'own', ...wanted };
const identity: Identity = { url: base, token, ids: [] };

const summary = (planned: ReturnType<typeof planRegistration>) => ({
	action: planned.action,
	id: 'webhook' in planned ? planned.webhook.id : undefined,
	extra: planned.extra.map(({ id }) => id),
});

const plan = (existing: object[], known: Partial<Identity> = {}) =>
	summary(planRegistration(existing as never, wanted, { ...identity, ...known }));

const created = { action: 'create', id: undefined, extra: [] };
const one = (action: string, id: string, extra: string[] = []) => ({ action, id, extra });

describe('one webhook', () => {
	it('is created when the account has none of ours', () => {
		expect(plan([])).toEqual(created);
	});

	it.each([
		['the same', own],
		[
			'the same in another order',
			{ ...own, filter: { ...filter, event_type: ['OPT_OUT', 'SMS_INBOUND'] } },
		],
		[
			'the same with repetition',
			{ ...own, filter: { ...filter, sender: ['61491570006', '61491570006'] } },
		],
		[
			'the same with empty fields',
			{ ...own, filter: { ...filter, status: [], message_ref: null } },
		],
		['the same with a rate limit', { ...own, rate_limit: 20 }],
	])('is kept: %s', (_, existing) => {
		expect(plan([existing])).toEqual(one('keep', 'own'));
	});

	it.each([
		['other events', { ...own, filter: { ...filter, event_type: ['SMS_INBOUND'] } }],
		['one filter more', { ...own, filter: { ...filter, status: ['SENT'] } }],
		['one filter less', { ...own, filter: { event_type: filter.event_type } }],
		['no filter', { ...own, filter: null }],
		['a filter of an unexpected format', { ...own, filter: 'SMS_INBOUND' }],
		['another name', { ...own, name: 'n8n: Old - Trigger' }],
		['no name', { ...own, name: null }],
		['more in its query', { ...own, url: `${url}&part=status` }],
	])('is updated in place: %s', (_, existing) => {
		expect(plan([existing])).toEqual(one('update', 'own'));
	});

	it('is updated when its rate limit is another than the one that is wanted', () => {
		const planFor = (rateLimit: number, has?: unknown) =>
			summary(planRegistration([{ ...own, rate_limit: has }], { ...wanted, rateLimit }, identity));
		expect(planFor(20, 20)).toEqual(one('keep', 'own'));
		expect(planFor(20, 7)).toEqual(one('update', 'own'));
		expect(planFor(20)).toEqual(one('update', 'own'));
		expect(planFor(0)).toEqual(one('keep', 'own'));
		expect(planFor(0, 7)).toEqual(one('update', 'own'));
	});

	it('is recognised by its id wherever it leads, and by the token that was registered last', () => {
		const moved = { ...own, id: 'known', url: `https://old.example.com/hook?token=${oldToken}` };
		expect(plan([moved], { ids: ['known'] })).toEqual(one('update', 'known'));
		const rotated = { ...own, url: `${base}?token=${oldToken}` };
		expect(plan([rotated], { tokenDigest: digestOf(oldToken) })).toEqual(one('update', 'own'));
	});

	it.each([
		['another host', url.replace('n8n.', 'other.')],
		['another node', url.replace('6f0c6a52', '77777777')],
		['test listening', url.replace('/webhook/', '/webhook-test/')],
		['a longer path', `${base}/more?token=${token}`],
		['another port', url.replace('.com/', '.com:8443/')],
		['http', url.replace('https', 'http')],
		['another token', `${base}?token=${oldToken}`],
		['a token that is none', `${base}?token=old`],
		['no token', base],
		['no URL', undefined],
		['no URL at all', null],
		['text', 'anything'],
	])("is somebody else's with %s", (_, other) => {
		expect(plan([{ ...own, id: 'foreign', url: other }])).toEqual(created);
	});

	it('of several of our own stays: the known one, else one that fits, else the first', () => {
		const old = { ...own, id: 'old', filter: null };
		const second = { ...own, id: 'second' };
		expect(plan([old, own, second])).toEqual(one('keep', 'own', ['old', 'second']));
		expect(plan([old, own], { ids: ['old'] })).toEqual(one('update', 'old', ['own']));
		expect(plan([old, { ...old, id: 'older' }])).toEqual(one('update', 'old', ['older']));
	});
});

describe('two webhooks, one of them for statuses, as an earlier version registered them,', () => {
	const rest = { ...own, id: 'rest' };
	const statuses = {
		id: 'statuses',
		name: 'n8n: Desk - Trigger (statuses)',
		url: `${url}&part=status`,
		filter: { event_type: ['SMS_STATUS'], status: ['DELIVERED'] },
	};
	const moved = [rest, statuses].map((webhook) => ({
		...webhook,
		url: webhook.url.replace('n8n.', 'old.').replace(token, oldToken),
	}));

	it.each([
		['with their IDs', [rest, statuses], ['rest', 'statuses'], one('keep', 'rest', ['statuses'])],
		['listed the other way', [statuses, rest], [], one('keep', 'rest', ['statuses'])],
		['without their IDs', [rest, statuses], [], one('keep', 'rest', ['statuses'])],
		['one of which is gone', [statuses], ['rest', 'statuses'], one('update', 'statuses')],
		['at another address', moved, ['rest', 'statuses'], one('update', 'rest', ['statuses'])],
	])('become one: %s', (_, existing, ids, expected) => {
		expect(plan(existing, { ids })).toEqual(expected);
	});
});

describe("another trigger's webhook at the same address", () => {
	it.each([
		['has our address and another token', `${base}?token=${oldToken}`, true],
		['may be the second of two', `${base}?token=${oldToken}&part=status`, true],
		['has another address', url.replace('6f0c6a52', '77777777'), false],
		['is no trigger without a token', base, false],
		['is no trigger with some other text', `${base}?token=old`, false],
		['is not ourselves', url, false],
	])('%s', (_, address, expected) => {
		expect(isOthersAtOurUrl({ id: 'other', url: address }, identity)).toBe(expected);
	});

	it('is not what we registered before', () => {
		const before = { id: 'before', url: `${base}?token=${oldToken}` };
		expect(isOthersAtOurUrl(before, { ...identity, ids: ['before'] })).toBe(false);
		expect(isOthersAtOurUrl(before, { ...identity, tokenDigest: digestOf(oldToken) })).toBe(false);
	});
});

describe('whatever the account has', () => {
	const address = fc.constantFrom(
		base,
		`${base}/`,
		base.toUpperCase(),
		`${base}#x`,
		base.replace('n8n.', 'other.'),
		base.replace('6f0c6a52', '77777777'),
		base.replace('/webhook/', '/webhook-test/'),
	);
	const query = fc.constantFrom(
		'',
		`?token=${oldToken}`,
		`?token=${token}x`,
		`?token=${token.toUpperCase()}`,
		`?part=status&token=${oldToken}`,
		`?x=${token}`,
		`?token=&token=${token}`,
		'?token[]=1',
	);
	const somebodys = fc.record({
		id: fc.uuid(),
		name: fc.oneof(fc.constant(wanted.name), fc.anything()),
		url: fc.oneof(
			{ weight: 5, arbitrary: fc.tuple(address, query).map((parts) => parts.join('')) },
			// Our token at another address: another n8n with the same workflow.
			{
				weight: 1,
				arbitrary: fc.constant(`${base.replace('n8n.', 'other.')}?token=${token}`),
			},
			{ weight: 1, arbitrary: fc.anything() },
		),
		filter: fc.oneof(fc.constant(filter), fc.anything()),
		rate_limit: fc.anything(),
	});
	const ours = fc.record({
		id: fc.uuid(),
		url: fc.constantFrom(url, `${url}&part=status`),
		name: fc.constantFrom(wanted.name, 'x'),
	});
	const known = fc.record({ id: fc.uuid(), url: fc.anything() });

	it('nothing that is not ours is changed or removed, and all of ours is used or removed', () => {
		fc.assert(
			fc.property(
				fc.array(somebodys, { maxLength: 6 }),
				fc.array(ours, { maxLength: 3 }),
				fc.array(known, { maxLength: 2 }),
				(others, own_, stored) => {
					const ids = stored.map(({ id }) => id);
					const existing = [...stored, ...others, ...own_] as never;
					const { id, extra } = summary(planRegistration(existing, wanted, { ...identity, ids }));
					const touched = id === undefined ? extra : [id, ...extra];
					const mine = [...ids, ...own_.map((each) => each.id)];
					expect([...touched].sort()).toEqual(mine.sort());
				},
			),
			{ numRuns: 500 },
		);
	});
});
