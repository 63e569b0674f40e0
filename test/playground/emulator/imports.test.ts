import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callV1, useEmulator } from './emulatorUnderTest.ts';

const files: Record<string, string> = {
	'/contacts.csv':
		'Firstname,Lastname,Mobile,Suburb\r\nAna,"Lee, ""A""",61491578888,Carlton\r\n,,0491 573 087,\r\nBen,,61491578888,\r\nCy,,nobody,\r\n',
	'/names.csv': 'Firstname\nAna\n',
};

interface Progress {
	list_id: number;
	status: string;
}

describe('an import of contacts', () => {
	const emulator = useEmulator({ importMs: 0 });
	const server = createServer(({ url = '' }, response) => {
		const file = files[url];
		response.statusCode = file ? 200 : 404;
		response.end(file);
	});
	beforeAll(async () => {
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
	});
	afterAll(() => server.close());

	const start = (path: string, fields: Record<string, string | number>) => {
		const { port } = server.address() as AddressInfo;
		const file_url = `http://127.0.0.1:${port}${path}`;
		return callV1<{ list_id: number }>(emulator, 'add-contacts-bulk', { file_url, ...fields });
	};
	const progress = async (list_id: number) =>
		(await callV1<Progress>(emulator, 'add-contacts-bulk-progress', { list_id })).body;
	const finished = (list_id: number) =>
		expect.poll(async () => (await progress(list_id)).status).not.toBe('in progress');

	it('goes into a new list and says what became of each row', async () => {
		const { body } = await start('/contacts.csv', { name: 'Guests', field_2: 'Suburb' });
		await finished(body.list_id);
		expect(await progress(body.list_id)).toMatchObject({
			list_id: body.list_id,
			status: 'completed',
			importlength: 4,
			completed: 4,
			duplicates: 1,
			skipped: 1,
			optout: 0,
			imported: 2,
		});
		const member = { list_id: body.list_id, msisdn: 61491578888 };
		const contact = await callV1(emulator, 'get-contact', member);
		expect(contact.body).toMatchObject({
			first_name: 'Ana',
			last_name: 'Lee, "A"',
			fields: { Suburb: 'Carlton' },
		});
	});

	it('is in progress for a while', async () => {
		await emulator.control().settings({ importMs: 60_000 });
		const { body } = await start('/contacts.csv', { list_id: 4100002 });
		expect(await progress(body.list_id)).toMatchObject({ status: 'in progress', imported: 0 });
	});

	it('updates who is there and leaves out who opted out', async () => {
		const list_id = 4100002;
		await callV1(emulator, 'add-to-list', { list_id, msisdn: 61491578888, last_name: 'Reed' });
		await callV1(emulator, 'optout-list-member', { list_id, msisdn: 61491573087 });
		await start('/contacts.csv', { list_id });
		await finished(list_id);
		expect(await progress(list_id)).toMatchObject({ optout: 1, imported: 1 });
		const { body } = await callV1(emulator, 'get-contact', { list_id, msisdn: 61491578888 });
		expect(body).toMatchObject({ first_name: 'Ana', fields: { Suburb: 'Carlton' } });
	});

	it.each(['/names.csv', '/missing.csv'])('fails with %s', async (path) => {
		const { status, body } = await start(path, { list_id: 4100002 });
		expect(status).toBe(200);
		await finished(body.list_id);
		expect(await progress(body.list_id)).toMatchObject({ status: 'failed', imported: 0 });
	});

	it.each([
		[{ file_url: 'https://example.com/contacts.csv', list_id: 4100002 }, 'FIELD_INVALID'],
		[{ file_url: '', list_id: 4100002 }, 'FIELD_EMPTY'],
		[{}, 'FIELD_EMPTY'],
		[{ list_id: 17 }, 'NOT_FOUND'],
		[{ name: 'Customers' }, 'KEY_EXISTS'],
	])('is refused with %j', async (fields, code) => {
		const { body } = await start('/contacts.csv', fields as Record<string, string>);
		expect(body.error.code).toBe(code);
	});
});
