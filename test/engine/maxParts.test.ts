import { describe, expect, it } from 'vitest';
import { continues, useEmulator } from './emulator.ts';

const service = useEmulator();

const send = { sender: 'Acme', recipient: '61491570006' };
const sendBulk = { sender: 'Acme', recipients: '61491570006' };

describe.each([
	['sms/send', send],
	['bulkSms/send', sendBulk],
])('the parts of a message: %s', (name, fields) => {
	const run = async (texts: string | string[], options: object = {}, settings = {}) => {
		const items = [texts].flat().map((message) => ({ message }));
		const parameters = { ...fields, message: '={{ $json.message }}', options };
		return await service.run(name, parameters, { items, settings });
	};

	it('shows parts and encoding beside the answer of the service', async () => {
		const plain = await run('See you at 5 pm');
		expect(plain.json).toMatchObject([{ parts: 1, encoding: 'GSM-7' }]);

		const emoji = await run(`${'Happy birthday! '.repeat(5)}\u{1F382}`);
		expect(emoji.json).toMatchObject([{ parts: 2, encoding: 'Unicode' }]);
		const messages = await service.control.messages();
		expect(messages.map(({ parts }) => parts)).toEqual(
			expect.arrayContaining([plain.json[0]?.parts, emoji.json[0]?.parts]),
		);
	});

	it('refuses a message with more parts than Max Parts before anything is sent', async () => {
		const { error } = await run(['Short', 'a'.repeat(161)], { maxParts: 1 });

		expect(error).toMatchObject({
			message: expect.stringContaining("'Message' takes 2 parts (GSM-7), and 'Max Parts' allows 1"),
			description: expect.stringContaining('Shorten the message'),
			itemIndex: 1,
		});
		expect(error?.message).not.toContain('aaa');
		expect(await service.control.requests()).toEqual([]);
	});

	it('sends a message of exactly Max Parts parts', async () => {
		const { json, error } = await run('a'.repeat(306), { maxParts: 2 });
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ parts: 2 }]);
	});

	it('with Continue On Fail sends the messages that are short enough', async () => {
		const { json } = await run(['a'.repeat(161), 'Short'], { maxParts: 1 }, continues);
		expect(json).toMatchObject([{ details: { code: 'guard' } }, { parts: 1 }]);
		expect(await service.control.messages()).toHaveLength(1);
	});

	it.each([0, 1.5, 'two', true, '={{ [2] }}'])('refuses %s as Max Parts', async (maxParts) => {
		const { error } = await run('Hi', { maxParts });
		expect(error?.message).toContain("'Options > Max Parts' is not a whole number of at least 1");
	});
});
