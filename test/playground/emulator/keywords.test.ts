import { describe, expect, it } from 'vitest';
import { callV1, useEmulator } from './emulatorUnderTest.ts';

describe('keywords', () => {
	const emulator = useEmulator();
	const call = (operation: string, fields: Record<string, string | number> = {}) =>
		callV1<Record<string, unknown>>(emulator, operation, fields);
	const news = { keyword: 'News', number: 61491570006 };

	it('are added open, with the message for members under another name', async () => {
		const { body } = await call('add-keyword', {
			...news,
			reference: 'Gym news',
			members_message: 'Welcome back',
			forward_url: 'https://example.com/news',
		});
		expect(body).toMatchObject({
			keyword: 'NEWS',
			number: 61491570006,
			reference: 'Gym news',
			member_message: 'Welcome back',
			forward_url: 'https://example.com/news',
			status: 'open',
			billing_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
		});
	});

	it('can be closed, keeping what is not named', async () => {
		await call('add-keyword', { ...news, reference: 'Gym news' });
		const { body } = await call('edit-keyword', { ...news, status: 'Closed' });
		expect(body).toMatchObject({ status: 'closed', reference: 'Gym news' });
	});

	it('are listed by number', async () => {
		await call('add-keyword', news);
		await call('add-keyword', { keyword: 'GYM', number: 61491570156 });
		expect((await call('get-keywords')).body).toMatchObject({ keywords_total: 2 });
		const { body } = await call('get-keywords', { number: 61491570156 });
		expect(body).toMatchObject({
			page: { count: 1, number: 1 },
			keywords_total: 1,
			keywords: [{ keyword: 'GYM' }],
		});
	});

	it.each([
		['add-keyword', { keyword: '' }, 'FIELD_EMPTY'],
		['add-keyword', { number: 61491578888 }, 'FIELD_INVALID'],
		['add-keyword', { reference: 'r'.repeat(101) }, 'FIELD_INVALID'],
		['edit-keyword', {}, 'NOT_FOUND'],
	])('%s refuses %j', async (operation, fields, code) => {
		const { body } = await call(operation, { ...news, ...(fields as object) });
		expect(body.error.code).toBe(code);
	});

	it('are not added twice to a number', async () => {
		await call('add-keyword', news);
		expect((await call('add-keyword', news)).body.error.code).toBe('KEY_EXISTS');
	});

	it('find the replies that begin with them', async () => {
		await call('add-keyword', news);
		const control = emulator.control();
		await control.inbound({ from: '61491578888', to: '61491570006', text: 'news, please' });
		await control.inbound({ from: '61491578888', to: '61491570006', text: 'newspaper' });
		const { body } = await call('get-sms-responses', news);
		expect(body).toMatchObject({ total: 1, responses: [{ response: 'news, please' }] });
	});
});

describe('e-mail senders', () => {
	const emulator = useEmulator();
	const email = 'desk@example.com';

	it('are added once and deleted once', async () => {
		const added = await callV1(emulator, 'add-email', { email, max_sms: 2 });
		expect(added.body).toMatchObject({ success: true });
		expect((await callV1(emulator, 'add-email', { email })).body.error.code).toBe('KEY_EXISTS');
		const deleted = await callV1(emulator, 'delete-email', { email });
		expect(deleted.body).toMatchObject({ success: true });
		expect((await callV1(emulator, 'delete-email', { email })).body.error.code).toBe('NOT_FOUND');
	});

	it.each([
		[{ email: '*@example.com' }, 'SUCCESS'],
		[{ email: 'example.com' }, 'FIELD_INVALID'],
		[{ email: '' }, 'FIELD_EMPTY'],
		[{ email, max_sms: 5 }, 'FIELD_INVALID'],
	])('%j answers %s', async (fields, code) => {
		const { body } = await callV1(emulator, 'add-email', fields as Record<string, string>);
		expect(body.error.code).toBe(code);
	});
});
