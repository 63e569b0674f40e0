import { expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';

const service = useEmulator();
const path = '/v2/webhook/w';

const kept = {
	name: 'Events',
	url: 'https://example.com/events',
	filter: { event_type: ['OPT_OUT'], sender: ['Acme'], status: ['SENT'], region: ['AU'] },
	rate_limit: 7,
};
const webhook = { id: 'w', ...kept };

/** What is written when a webhook that the service has so is changed. */
const change = async (stored: object, changes: object = { name: 'Events' }) => {
	await service.control.addFault(
		{ fault: 'custom', status: 200, body: stored, match: { path, method: 'GET' } },
		{ fault: 'custom', status: 200, body: webhook, match: { path, method: 'PUT' } },
	);
	const { error } = await service.run('webhook/update', { webhookId: 'w', ...changes });
	expect(error).toBeUndefined();
	const [request] = await service.control.requests({ method: 'PUT' });
	return request?.body;
};

const single = { event_type: 'SMS_STATUS' };

it.each<[string, object, object]>([
	['a filter nobody here knows', {}, {}],
	['a webhook of the sandbox there', { is_sandbox: true }, { is_sandbox: true }],
	[
		'a filter without the part that is null',
		{ filter: { event_type: ['OPT_OUT'], sender: null } },
		{ filter: { event_type: ['OPT_OUT'] } },
	],
	// Without its single, deprecated event type, an old webhook would get all events.
	['an old event type', { ...single, filter: null }, { filter: { event_type: ['SMS_STATUS'] } }],
	[
		'an old event type beside an empty list',
		{ ...single, filter: { event_type: [] } },
		{ filter: { event_type: ['SMS_STATUS'] } },
	],
	[
		'an old event type beside other filters',
		{ ...single, filter: { event_type: null, sender: ['Acme'] } },
		{ filter: { event_type: ['SMS_STATUS'], sender: ['Acme'] } },
	],
	['the event types of the filter, not the old one', single, {}],
])('an update keeps %s', async (_, stored, expected) => {
	expect(await change({ ...webhook, ...stored })).toEqual({ ...kept, ...expected });
});

it.each([null, undefined, {}, { event_type: [] }])(
	'an update gives no filter to a webhook whose filter is %j',
	async (filter) => {
		expect(await change({ ...webhook, filter })).not.toHaveProperty('filter');
	},
);

it('a filter has each value once', async () => {
	const filters = { sender: ['61491570006', 'Acme', '61491570006'] };
	expect(await change(webhook, { filters })).toMatchObject({
		filter: { sender: ['61491570006', 'Acme'], region: ['AU'] },
	});
});
