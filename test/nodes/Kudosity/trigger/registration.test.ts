import { describe, expect, it } from 'vitest';
import { planRegistration } from '../../../../nodes/Kudosity/trigger/registration.ts';

const base = 'https://n8n.example.com/webhook/6f0c6a52/webhook';
const url = `${base}?token=good`;
const filter = { event_type: ['SMS_INBOUND', 'OPT_OUT'], sender: ['61491570006'] };
const wanted = { name: 'n8n: Desk - Trigger', url, filter };
const own = { id: 'own', ...wanted };

const plan = (existing: object[], knownId?: string) => {
	const { target, surplus } = planRegistration(existing as never, wanted, knownId);
	return {
		action: target.action,
		id: 'webhook' in target ? target.webhook.id : undefined,
		surplus: surplus.map(({ id }) => id),
	};
};

describe('planRegistration', () => {
	it('creates when the account has none of ours', () => {
		expect(plan([])).toEqual({ action: 'create', id: undefined, surplus: [] });
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
		['the same with a speed limit', { ...own, rate_limit: 20 }],
	])('keeps %s', (_, existing) => {
		expect(plan([existing])).toEqual({ action: 'keep', id: 'own', surplus: [] });
	});

	it.each([
		['other events', { ...own, filter: { ...filter, event_type: ['SMS_INBOUND'] } }],
		['one filter more', { ...own, filter: { ...filter, status: ['SENT'] } }],
		['one filter less', { ...own, filter: { event_type: filter.event_type } }],
		['no filter', { ...own, filter: null }],
		['another name', { ...own, name: 'n8n: Old - Trigger' }],
		['the token of an earlier key', { ...own, url: `${base}?token=old` }],
		['no token', { ...own, url: base }],
	])('updates %s in place', (_, existing) => {
		expect(plan([existing])).toEqual({ action: 'update', id: 'own', surplus: [] });
	});

	it.each([
		['another host', 'https://other.example.com/webhook/6f0c6a52/webhook?token=good'],
		['another node', 'https://n8n.example.com/webhook/77777777/webhook?token=good'],
		['test listening', 'https://n8n.example.com/webhook-test/6f0c6a52/webhook?token=good'],
		['a longer path', `${base}/more?token=good`],
		['another port', 'https://n8n.example.com:8443/webhook/6f0c6a52/webhook?token=good'],
		['http', url.replace('https', 'http')],
		['no URL', undefined],
		['text', 'anything'],
	])('does not touch the webhook of %s', (_, other) => {
		expect(plan([{ ...own, id: 'foreign', url: other }])).toEqual({
			action: 'create',
			id: undefined,
			surplus: [],
		});
	});

	it('keeps one of several of our own: the known one, else one that fits, else the first', () => {
		const old = { ...own, id: 'old', filter: null };
		const second = { ...own, id: 'second' };
		expect(plan([old, own, second])).toEqual({
			action: 'keep',
			id: 'own',
			surplus: ['old', 'second'],
		});
		expect(plan([old, own], 'old')).toEqual({ action: 'update', id: 'old', surplus: ['own'] });
		expect(plan([old, { ...old, id: 'older' }])).toEqual({
			action: 'update',
			id: 'old',
			surplus: ['older'],
		});
	});

	it('does not take a webhook by its id alone', () => {
		const foreign = { ...own, id: 'known', url: 'https://other.example.com/hook' };
		expect(plan([foreign], 'known').action).toBe('create');
	});
});
