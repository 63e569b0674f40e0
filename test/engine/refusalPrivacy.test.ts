import { expect, it } from 'vitest';
import { RCS_AGENT } from '../../playground/emulator/catalogue.ts';
import { operationsByName } from '../helpers/exampleFields.ts';
import { useEmulator } from './emulator.ts';

const service = useEmulator();
const recipient = '61491570156';
const text = 'Your test: positive';
const wait = { responseType: 'freeText', waitAmount: 1, waitUnit: 'hours', options: {} };
const sms = { sender: '61491570006', recipient };
const rcs = { sender: RCS_AGENT, recipient };
const mms = { ...sms, contentUrl: 'https://example.com/a.jpg' };
const fallback = { message: 'Hello', options: { smsFallbackMessage: text } };
const plain = { contentType: 'text', message: text };
const template = {
	contentType: 'template',
	templateName: 'result',
	templateParameters: ['A', text],
};
const custom = { contentType: 'custom', content: JSON.stringify({ image: { caption: text } }) };

const sends: Array<[string, string, object]> = [
	['sms/send', '/v2/sms', { ...sms, message: text }],
	['sms/sendAndWait', '/v2/sms', { ...wait, ...sms, message: text }],
	['mms/send', '/v2/mms', { ...mms, message: text }],
	['mms/send', '/v2/mms', { ...mms, subject: text }],
	['bulkSms/send', '/send-sms.json', { ...sms, recipients: recipient, message: text }],
	['rcs/send', '/v2/rcs/messages', { ...rcs, message: text }],
	['rcs/send', '/v2/rcs/messages', { ...rcs, ...fallback }],
	['rcs/sendAndWait', '/v2/rcs/messages', { ...wait, ...rcs, message: text }],
	['rcs/sendAndWait', '/v2/rcs/messages', { ...wait, ...rcs, ...fallback }],
	['whatsapp/send', '/v2/whatsapp/messages', { recipient, ...plain }],
	['whatsapp/send', '/v2/whatsapp/messages', { recipient, ...plain, ...fallback }],
	['whatsapp/send', '/v2/whatsapp/messages', { recipient, ...template }],
	['whatsapp/send', '/v2/whatsapp/messages', { recipient, ...custom }],
	['whatsapp/sendAndWait', '/v2/whatsapp/messages', { ...wait, ...sms, ...plain }],
	['whatsapp/sendAndWait', '/v2/whatsapp/messages', { ...wait, ...sms, ...template }],
];

it('is looked at for every operation that sends', () => {
	const sending = Object.entries(operationsByName).filter(([, { sends }]) => sends !== undefined);
	expect(new Set(sends.map(([name]) => name))).toEqual(new Set(sending.map(([name]) => name)));
});

it.each(sends)('the refusal of %s at %s does not show %j', async (name, path, fields) => {
	const words = `“${text}” is not allowed`;
	const problem = { title: 'Bad', detail: words, issues: [{ name: 'content', message: words }] };
	const coded = { code: 'FIELD_INVALID', description: words };
	await service.answer(
		{ error: path.startsWith('/v2') ? problem : coded },
		{ path, method: 'POST' },
		400,
	);
	const { error } = await service.run(name, fields);

	expect(error?.description).toContain('“…” is not allowed');
	expect(JSON.stringify({ ...error, text: error?.message })).not.toContain(text);
});

it('does not show the key that the service repeats with escapes', async () => {
	const { kudosityKeyApi: { apiKey } = {} } = service.credentials;
	await service.answer(
		String.raw`{"error":{"title":"No","detail":"Key \u0027${String(apiKey)}\u0027 is wrong"}}`,
		{ count: 'forever' },
		401,
	);
	const { error } = await service.run('sms/send', { ...sms, message: text });

	expect(error?.description).toContain("Key '***' is wrong");
	expect(JSON.stringify(error)).not.toContain(apiKey);
});
