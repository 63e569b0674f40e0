import { describe, expect, it } from 'vitest';
import { RCS_AGENT } from '../../playground/emulator/catalogue.ts';
import { useEmulator } from './emulator.ts';

const service = useEmulator();
const number = '61491570006';
const recipient = '61491570156';

/** Ways in which a workflow can hold its sender, the first as it was saved before there was a list. */
const forms: Array<[string, (value: string) => unknown]> = [
	['a plain text', (value) => value],
	['a plain expression', () => '={{ $json.from }}'],
	['one that was typed', (value) => ({ __rl: true, mode: 'number', value })],
	['one of the list', (value) => ({ __rl: true, mode: 'list', value, cachedResultName: value })],
	['an expression', () => ({ __rl: true, mode: 'number', value: '={{ $json.from }}' })],
	['an expression for all', () => ({ __rl: true, mode: 'list', value: "={{ $json['from'] }}" })],
];

const mms = { contentUrl: 'https://example.com/a.png', subject: 'Hi' };
const operations: Array<[string, string, object]> = [
	['sms/send', number, { message: 'Hi', recipient }],
	['mms/send', number, { message: 'Hi', recipient, ...mms }],
	['rcs/send', RCS_AGENT, { message: 'Hi', recipient }],
	['bulkSms/send', number, { message: 'Hi', sendTo: 'recipients', recipients: recipient }],
];

describe.each(forms)('a sender that is %s', (_form, make) => {
	it.each(operations)('is taken by %s', async (name, from, fields) => {
		const parameters = { ...fields, sender: make(from) };
		const { error } = await service.run(name, parameters, { items: [{ from }] });

		expect(error).toBeUndefined();
		expect(await service.control.messages()).toMatchObject([{ sender: from }]);
	});
});

describe('a chosen sender', () => {
	const typed = (value: unknown) => ({ __rl: true, mode: 'number', value });

	it('is read like one that is plain', async () => {
		const fields = { message: 'Hi', recipient, sender: typed(`+61 491 570 006`) };
		const { json } = await service.run('sms/send', fields);

		expect(json).toMatchObject([{ sender: number }]);
	});

	it.each([
		['={{ $json.missing }}', 'is empty'],
		['A much too long name', 'is longer than 11'],
	])('is refused before any request when it is %j', async (value, problem) => {
		const fields = { message: 'Hi', recipient, sender: typed(value) };
		const { error } = await service.run('sms/send', fields);

		expect(error?.message).toContain(`'Sender' ${problem}`);
		expect(await service.control.requests()).toEqual([]);
	});

	it('differs from item to item', async () => {
		const items = [{ from: 'Acme' }, { from: number }];
		const fields = { message: 'Hi', recipient, sender: typed('={{ $json.from }}') };
		const { json } = await service.run('sms/send', fields, { items });

		expect(json.map(({ sender }) => sender)).toEqual(['Acme', number]);
	});

	it('is shown by a dry run', async () => {
		const fields = {
			message: 'Hi',
			recipient,
			sender: typed('Acme'),
			options: { dryRun: 'always' },
		};
		const { json } = await service.run('sms/send', fields);

		expect(json).toMatchObject([{ sender: 'Acme' }]);
	});
});
