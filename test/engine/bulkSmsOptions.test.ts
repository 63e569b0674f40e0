import { afterEach, describe, expect, it, vi } from 'vitest';
import { continues, useDeduplicationStore, useEmulator } from './emulator.ts';
import { itRefuses } from './refuses.ts';

const service = useEmulator();
useDeduplicationStore();
afterEach(() => void vi.useRealTimers());

const message = { message: 'Closed today', sender: 'Acme', recipients: '61491570006' };

const send = async (fields: object, run: object = {}) =>
	await service.run('bulkSms/send', { ...message, ...fields }, run);

const bodies = async () => {
	const requests = await service.control.requests({ path: '/send-sms.json' });
	return requests.map(({ body }) => body as Record<string, string>);
};

describe('bulkSms.send, Send At', () => {
	it.each([
		['2099-01-31T09:00+11:00', '2099-01-30 22:00:00'],
		['2099-01-31T09:00:30.500Z', '2099-01-31 09:00:30'],
	])('sends %s as %s', async (sendAt, expected) => {
		const { json } = await send({ options: { sendAt } });

		expect(await bodies()).toMatchObject([{ send_at: expected }]);
		expect(json).toMatchObject([{ request: { send_at: expected } }]);
	});

	it('is one time for all items, also where n8n evaluates it for each of them anew', async () => {
		const items = Array.from({ length: 300 }, (_, index) => ({ to: String(61491570000 + index) }));
		const [first] = items;
		const { json } = await send(
			{ recipients: '={{ $json.to }}', options: { sendAt: '={{ $now.plus({ hours: 1 }) }}' } },
			{ items: [...items, first] },
		);

		expect(await bodies()).toHaveLength(1);
		expect(json.at(-1)).toMatchObject({ recipients: 1 });
	});

	it('sends to a contact list once, also where n8n evaluates it for each item anew', async () => {
		const to = { sendTo: 'list', listId: '4100001' };
		const options = { sendAt: '={{ $now.plus({ hours: 1 }) }}' };
		await send({ ...to, options }, { items: Array.from({ length: 50 }, () => ({})) });

		expect(await bodies()).toHaveLength(1);
	});

	itRefuses(service, 'bulkSms/send', message, [
		[{ options: { sendAt: '2020-01-31T09:00' } }, "'Options > Send At' is in the past"],
		[{ options: { sendAt: '={{ $now }}' } }, "'Options > Send At' is in the past"],
		// It would be sent at once.
		[{ options: { sendAt: '={{ $json.when }}' } }, "'Options > Send At' is empty"],
		[{ options: { sendAt: '' } }, "'Options > Send At' is empty"],
		[
			{ options: { sendAt: '2099-01-31' } },
			"'Options > Send At' has no time of day",
			'2026-01-31T09:00',
		],
		[
			{ options: { sendAt: '={{ { toString: 1, valueOf: 1 } }}' } },
			"'Options > Send At' is not text",
		],
	]);

	it('skips what was sent before its time, rather than refusing it', async () => {
		const at = new Date(Date.now() + 3_600_000).toISOString();
		const options = { sendAt: '={{ $json.at }}', deduplicationKey: '={{ $json.to }}' };
		const fields = { recipients: '={{ $json.to }}', options };
		const items = [{ at, to: '61491570006' }];
		await send(fields, { items });
		vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3_600_000 });
		const { json, error } = await send(fields, { items });

		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ code: 'already_messaged' }]);
	});
});

describe('bulkSms.send, its options', () => {
	it('go to the service under its names', async () => {
		const options = {
			validity: 60,
			repliesToEmail: ' sam@example.com ',
			replyCallback: 'https://example.com/reply',
			deliveryCallback: 'https://example.com/delivery',
			linkClickCallback: 'https://example.com/hits',
			trackedLinkUrl: 'https://example.com/offer',
		};
		await send({ message: 'See [tracked-link]. [opt-out-link]', options });

		expect(await bodies()).toEqual([
			{
				message: 'See [tracked-link]. [unsub-reply-link]',
				to: '61491570006',
				from: 'Acme',
				validity: '60',
				replies_to_email: 'sam@example.com',
				reply_callback: 'https://example.com/reply',
				dlr_callback: 'https://example.com/delivery',
				link_hits_callback: 'https://example.com/hits',
				tracked_link_url: 'https://example.com/offer',
			},
		]);
	});

	itRefuses(service, 'bulkSms/send', message, [
		[
			{ options: { validity: 0 } },
			/^'Options > Validity \(Minutes\)' must be a whole number of at least 1/,
		],
		[
			{ options: { repliesToEmail: 'Sam' } },
			"'Options > Forward Replies to Email' is not an email address",
		],
		[{ options: { repliesToEmail: 'a@b.com,c@d.com' } }, /is not an email address/],
		[
			{ options: { trackedLinkUrl: 'offer' } },
			"'Options > Tracked Link URL' is not a valid URL",
			'Use one https:// URL, without spaces or hidden characters',
		],
		[
			{ options: { trackedLinkUrl: 'https://example.com/a, https://example.com/b' } },
			"'Options > Tracked Link URL' is not a valid URL",
			'Use one https:// URL, without spaces or hidden characters',
		],
		[
			{ options: { trackedLinkUrl: 'https://example.com/a\u200b' } },
			"'Options > Tracked Link URL' is not a valid URL",
			'Use one https:// URL, without spaces or hidden characters',
		],
		[
			{ options: { replyCallback: 'http://example.com' } },
			/^'Options > Reply Callback' is not a public https/,
		],
		[
			{ options: { linkClickCallback: 'https://10.0.0.1/x' } },
			/^'Options > Link Click Callback' is not a public/,
		],
		[
			{ options: { deliveryCallback: 'https://n8n/x' } },
			/^'Options > Delivery Callback' is not a public https/,
		],
		[
			{ options: { trackedLinkUrl: 'https://example.com' } },
			/Tracked Link URL' is set, but 'Message' has no \[/,
			'Add [tracked-link] where the link should be',
		],
		[
			{ message: 'See [tracked-link]' },
			"'Message' has [tracked-link], but 'Options > Tracked Link URL' is empty",
			'Enter the URL, or remove the placeholder',
		],
	]);

	it('sends the others where one item is refused', async () => {
		const items = [{ to: '61491570006' }, { to: 'Sam' }];
		const fields = { recipients: '={{ $json.to }}' };
		const { json } = await send(fields, { items, settings: continues });

		expect(json).toMatchObject([{ recipients: 1 }, { error: expect.any(String) }]);
	});
});

describe('bulkSms.send, a text that is too long', () => {
	it('is refused before any other item is sent', async () => {
		const items = ['Closed today', `${'a'.repeat(599)}[opt-out-link]`].map((text) => ({ text }));
		const { error } = await send({ message: '={{ $json.text }}' }, { items });

		expect(error?.message).toContain("'Message' is longer than 612 characters");
		expect(await bodies()).toEqual([]);
	});

	it('may have 612 characters', async () => {
		await send({ message: 'a'.repeat(612) });

		expect(await bodies()).toHaveLength(1);
	});
});
