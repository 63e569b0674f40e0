import { describe, expect, it } from 'vitest';
import { changedSettings, webhookFilter } from '../../../seams.ts';

const webhook = {
	id: 'w',
	name: 'Events',
	url: 'https://example.com/events',
	filter: { event_type: ['OPT_OUT'], sender: ['Acme'], status: ['SENT'], region: ['AU'] },
	rate_limit: 7,
};
const nothing = { eventTypes: [], filters: {} };

describe('changedSettings', () => {
	it('widens nothing when nothing is changed, and keeps filters nobody here knows', () => {
		expect(changedSettings(webhook, nothing)).toEqual({
			name: 'Events',
			url: 'https://example.com/events',
			filter: webhook.filter,
			rate_limit: 7,
		});
	});

	it.each([null, undefined, {}, { event_type: [] }])(
		'sends no filter for a webhook whose filter is %j',
		(filter) => {
			expect(changedSettings({ ...webhook, filter }, nothing)).not.toHaveProperty('filter');
		},
	);

	it('keeps a webhook of the sandbox there, and sends no filter that is null', () => {
		const filter = { event_type: ['SMS_STATUS'], sender: null };
		const settings = changedSettings({ ...webhook, is_sandbox: true, filter }, nothing);

		expect(settings).toMatchObject({ is_sandbox: true, filter: { event_type: ['SMS_STATUS'] } });
		expect(settings.filter).not.toHaveProperty('sender');
	});

	it('moves the deprecated single event type into the filter', () => {
		const old = { ...webhook, filter: null, event_type: 'SMS_STATUS' };

		expect(changedSettings(old, nothing).filter).toEqual({ event_type: ['SMS_STATUS'] });
	});

	it.each([{ event_type: [] }, { event_type: null, sender: ['Acme'] }])(
		'keeps the deprecated single event type beside %j: without it all events would come',
		(filter) => {
			const old = { ...webhook, filter, event_type: 'SMS_STATUS' } as never;

			expect(changedSettings(old, nothing).filter).toMatchObject({ event_type: ['SMS_STATUS'] });
		},
	);

	it('prefers the event types of the filter to the deprecated single one', () => {
		const both = { ...webhook, event_type: 'SMS_STATUS' };

		expect(changedSettings(both, nothing).filter).toMatchObject({ event_type: ['OPT_OUT'] });
	});

	it('removes a filter that is given empty, and replaces one that is given', () => {
		const changes = { eventTypes: [], filters: { sender: [], status: ['READ'] } };

		expect(changedSettings(webhook, changes).filter).toEqual({
			event_type: ['OPT_OUT'],
			status: ['READ'],
			region: ['AU'],
		});
	});

	it('sets the rate limit back to the choice of the service with 0', () => {
		expect(changedSettings(webhook, { ...nothing, rateLimit: 0 }).rate_limit).toBe(0);
	});
});

describe('webhookFilter', () => {
	it('names each value once', () => {
		const filters = { sender: ['61491570006', 'Acme', '61491570006'] };

		expect(webhookFilter(['LINK_HIT'], filters).sender).toEqual(['61491570006', 'Acme']);
	});

	it('uses the names of the service and leaves out what is empty', () => {
		const filters = { messageRef: ['a'], campaignId: ['b'], sender: [], status: undefined };

		expect(webhookFilter(['LINK_HIT'], filters)).toEqual({
			event_type: ['LINK_HIT'],
			message_ref: ['a'],
			campaign_id: ['b'],
		});
	});
});
