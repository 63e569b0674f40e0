import { describe, expect, it } from 'vitest';
import { useEmulator } from './emulator.ts';

/** What fields make of the values that expressions deliver, for all operations that have such fields. */
const service = useEmulator();

const sms = { message: 'Hi', sender: 'Acme', recipient: '61491570006' };
const hook = { name: 'Events', url: 'https://example.com/', eventTypes: ['SMS_STATUS'] };
const bulk = { message: 'Hi', sender: 'Acme', recipients: '61491570006' };

/** As an expression delivers it, past what n8n makes of fields. */
const delivered = (value: unknown) => `={{ (${JSON.stringify(value)}) }}`;

/** The last request of a run that had no reason to fail, as the service got it. */
const sent = async (name: string, fields: object) => {
	const { error } = await service.run(name, fields);
	expect(error?.message).toBeUndefined();
	return (await service.control.requests()).at(-1)!;
};

const refusal = async (name: string, fields: object) => {
	const { error } = await service.run(name, fields);
	expect(await service.control.requests()).toEqual([]);
	expect(error?.description).toMatch(/\w/);
	return error!.message;
};

describe('an ID', () => {
	it.each(['.', '..', 'a/b', 'a\\b', 'a?b', 'a#b', '%2e%2e', 'a b', 'x'.repeat(101)])(
		'is not %j, which would lead elsewhere',
		async (messageId) => {
			expect(await refusal('sms/get', { messageId })).toContain("'Message ID' ");
		},
	);

	it.each([
		[' abc_1 ', 'abc_1'],
		[4100001, '4100001'],
	])('is taken from %j', async (messageId, id) => {
		await service.run('sms/get', { messageId });
		expect((await service.control.requests()).at(-1)?.path).toBe(`/v2/sms/${id}`);
	});
});

describe('texts', () => {
	const filterOf = async (messageRef: unknown) =>
		(await sent('webhook/create', { ...hook, filters: { messageRef } })).body;

	it.each([{}, [{}], [['a', {}]], true])('are no list of them when they are %j', async (value) => {
		const fields = { ...hook, filters: { messageRef: value } };
		expect(await refusal('webhook/create', fields)).toContain(
			'must be text, or a list of text values',
		);
	});

	it.each([
		['order, 1', ['order, 1']],
		[61491570006, ['61491570006']],
		[
			['a', ['b', [3, ' ', null]]],
			['a', 'b', '3'],
		],
	])('are a list from %j', async (value, message_ref) => {
		expect(await filterOf(value)).toMatchObject({ filter: { message_ref } });
	});

	it('keep the white space around a message', async () => {
		const { body } = await sent('sms/send', { ...sms, message: ' Hello\n' });
		expect(body).toMatchObject({ message: ' Hello\n' });
	});

	it.each([0, ' a '])('of an optional field are as they come: %j', async (messageRef) => {
		const { query } = await sent('sms/getAll', { filters: { messageRef } });
		expect(query).toMatchObject({ message_ref: String(messageRef) });
	});

	it.each([NaN, Infinity, [1]])(
		'are not %s, which all items would have in common',
		async (messageRef) => {
			const message = await refusal('sms/getAll', { filters: { messageRef } });
			expect(message).toBe("'Filters > Message Reference' is not text");
		},
	);
});

describe('choices', () => {
	it('are named by their place when they do not exist, not by what stands there', async () => {
		const { error } = await service.run('webhook/create', {
			...hook,
			eventTypes: 'sms_status, 61491570006',
		});
		expect(error?.message).toBe("'Event Types' has an unknown value at position 2");
		expect(error?.description).toContain('SMS_STATUS, ');
		expect(JSON.stringify(error)).not.toContain('61491570006');
	});

	it('count once, in any case', async () => {
		const eventTypes = ['opt_out', 'OPT_OUT', 'Sms_Status'];
		const { body } = await sent('webhook/create', { ...hook, eventTypes });
		expect(body).toMatchObject({ filter: { event_type: ['OPT_OUT', 'SMS_STATUS'] } });
	});
});

describe('a whole number', () => {
	it.each([-1, 10_001, 1.5, 'many', {}, true, Infinity])('is not %j', async (rateLimit) => {
		const message = await refusal('webhook/create', { ...hook, options: { rateLimit } });
		expect(message).toBe("'Options > Rate Limit' must be a whole number from 0 to 10000");
	});

	it.each([
		[0, 0],
		['10', 10],
		['', undefined],
		[' ', undefined],
		[null, undefined],
	])('is read from %j', async (rateLimit, expected) => {
		const { body } = await sent('webhook/create', { ...hook, options: { rateLimit } });
		expect((body as { rate_limit?: number }).rate_limit).toBe(expected);
	});

	it('has no end where none is given', async () => {
		await sent('list/getAll', { limit: '100000' });
		const { error } = await service.run('list/getAll', { limit: 0 });
		expect(error?.message).toBe("'Limit' must be a whole number of at least 1");
	});
});

describe('true or false', () => {
	it.each<unknown>([1, 0, 'yes', 'truth', {}, { toString: 'true' }, [[true]]])(
		'is not %j',
		async (value) => {
			const message = await refusal('sms/send', { ...sms, options: { trackLinks: value } });
			expect(message).toBe("'Options > Track Links' must be true or false");
		},
	);

	it.each([
		[true, true],
		[' TRUE ', true],
		['False', false],
		['', undefined],
		[null, undefined],
	])('is read from %j', async (trackLinks, expected) => {
		const { body } = await sent('sms/send', { ...sms, options: { trackLinks } });
		expect((body as { track_links?: boolean }).track_links).toBe(expected);
	});
});

describe('Max Requests per Second', () => {
	it.each([14, '14', 0.1, 1000, '', null])('may be %j', async (requestsPerSecond) => {
		await sent('sms/send', { ...sms, options: { requestsPerSecond } });
	});

	it.each([0, -1, 0.01, 'fast', NaN, Infinity, true, []])('is not %j', async (value) => {
		const message = await refusal('sms/send', { ...sms, options: { requestsPerSecond: value } });
		expect(message).toContain(
			"'Options > Max Requests per Second' must be a number of at least 0.1",
		);
	});
});

describe('recipients', () => {
	it.each([
		['one number', 61491570006, ['61491570006']],
		['a text with commas', '61491570006, 61491570156,', ['61491570006', '61491570156']],
		['lines', '61491570006\n61491570156', ['61491570006', '61491570156']],
		['a list', ['61491570006', 61491570156], ['61491570006', '61491570156']],
		['a number twice: once', '61491570006,+61491570006', ['61491570006']],
	])('are %s', async (_, recipients, numbers) => {
		const { body } = await sent('bulkSms/send', { ...bulk, recipients });
		expect(String((body as { to: string }).to).split(',')).toEqual(numbers);
	});

	it.each([
		['', 'is empty'],
		[[], 'is empty'],
		[{ to: '61491570006' }, 'is not a list of phone numbers'],
	])('are not %j', async (recipients, problem) => {
		const message = await refusal('bulkSms/send', { ...bulk, recipients: delivered(recipients) });
		expect(message).toBe(`'Recipients' ${problem}`);
	});
});

describe('an email address', () => {
	const refused = async (email: string) =>
		(await service.run('emailSender/create', { email })).error;

	it.each(['sam@example.com', 'sam.o+n8n@mail.example.co.uk', 'zoë@exämple.de'])(
		'may be %s',
		async (email) => {
			expect((await refused(email))?.message ?? '').not.toContain('email address');
		},
	);

	it.each([
		'sam@localhost',
		'@example.com',
		'sam@.com',
		'sam@example.',
		'sam@example.com, kim@example.com',
		'Sam <sam@example.com>',
		`a@${'.'.repeat(200_000)}@`,
		`a@${'a.'.repeat(200_000)}@`,
	])('is not %s', async (email) => {
		expect((await refused(email))?.message).toBe("'Email' is not an email address");
	});
});

describe('a date', () => {
	const datesOf = async (filters: object) =>
		(await sent('rcs/getAll', { filters })).query as Record<string, string>;

	// The workflows of these tests have the time zone of n8n's default.
	const zone = 'America/New_York';

	it.each([
		['2026-01-31T09:00', '2026-01-31T14:00:00.000Z'],
		['2026-01-31T09:00Z', '2026-01-31T09:00:00.000Z'],
		["={{ new Date('2026-01-31T09:00Z') }}", '2026-01-31T09:00:00.000Z'],
		[{ toISO: () => '2026-01-31T09:00:00.000+11:00' }, '2026-01-30T22:00:00.000Z'],
	])(`without a zone is that of the workflow, ${zone}: %j`, async (startDate, expected) => {
		const query = await datesOf({ startDate, endDate: '2026-02-28' });
		expect(query).toMatchObject({ date_range: 'custom_date', start_date: expected });
	});

	it.each([
		// The clocks of New York go forward on 8 March.
		['2026-02-28', '2026-03-01T04:59:59.999Z'],
		['2026-03-07 ', '2026-03-08T04:59:59.999Z'],
		['2026-03-08', '2026-03-09T03:59:59.999Z'],
		['2026-02-28T00:00', '2026-02-28T05:00:00.000Z'],
		["={{ new Date('2026-02-28') }}", '2026-02-28T00:00:00.000Z'],
	])('as an end, %j without a time is the end of that day', async (endDate, expected) => {
		const query = await datesOf({ startDate: '2026-02-01', endDate });
		expect(query).toMatchObject({ start_date: '2026-02-01T05:00:00.000Z', end_date: expected });
	});

	it('and the next one may be one day', async () => {
		const query = await datesOf({ startDate: '2026-02-28', endDate: '2026-02-28' });
		expect(query).toMatchObject({ start_date: '2026-02-28T05:00:00.000Z' });
	});

	it.each(['tomorrow', '2026-02-30', {}, 'x'.repeat(1000), { toISO: () => null }])(
		'is not %j',
		async (startDate) => {
			const filters = { startDate, endDate: '2026-02-28' };
			expect(await refusal('rcs/getAll', { filters })).toContain("'Filters > Start Date' ");
		},
	);

	it('may be 90 days before another one, or as late as two expressions are evaluated', async () => {
		const startDate = '2026-01-01T00:00:00.000Z';
		const exact = await datesOf({ startDate, endDate: '2026-04-01T00:00:00Z' });
		expect(exact).toMatchObject({ start_date: startDate, end_date: '2026-04-01T00:00:00.000Z' });
		const later = await datesOf({ startDate, endDate: '2026-04-01T00:00:00.004Z' });
		expect(later).toMatchObject({ start_date: '2026-01-01T00:00:00.004Z' });
	});

	it('may be 90 days before by the calendar, where the clocks went back meanwhile', async () => {
		const startDate = '2026-08-30T09:00';
		const query = await datesOf({ startDate, endDate: '2026-11-28T09:00' });
		expect(query).toMatchObject({
			start_date: '2026-08-30T14:00:00.000Z',
			end_date: '2026-11-28T14:00:00.000Z',
		});
		const filters = { startDate, endDate: '2026-11-28T09:01' };
		const { error } = await service.run('rcs/getAll', { filters });
		expect(error?.message).toContain('more than 90 days');
	});
});
