import { beforeEach, describe, expect, it } from 'vitest';
import { operationsByName, workingFields } from '../helpers/exampleFields.ts';
import { firstOf } from '../helpers/runsAll.ts';
import { listenToLog } from '../security/engineLog.ts';
import { useEmulator } from './emulator.ts';

const service = useEmulator({ importMs: 0 });
const recipient = '61491570156';
const text = 'See you at noon';
const sms = { message: text, sender: 'Acme', recipient };

/** What SMS → Send shows when Kudosity refuses it in these words. */
const shownBy = async (words: string) => {
	await service.answer({ error: { title: 'Bad', detail: words } }, { path: '/v2/sms' }, 400);
	const { error } = await service.run('sms/send', sms);
	return / says: (.*?)\. [A-Z]/s.exec(`${error?.description}`)?.[1];
};

describe('what the service says of a message', () => {
	it.each([
		['61491570156 is not a mobile', '…0156 is not a mobile'],
		['Try +61491570157 instead', 'Try …0157 instead'],
		['Try +61 491 570 157 instead', 'Try …0157 instead'],
		['Try 0491-570-157 instead', 'Try …0157 instead'],
		['Try 61\u00a0491\u2011570\u2013157 instead', 'Try …0157 instead'],
		['Not 61491570156,61491570157', 'Not …0156,…0157'],
		['Numbers: 1234567, 12345678', 'Numbers: 1234567, …5678'],
		['Limit 500 of 999', 'Limit 500 of 999'],
		['Sender Acme not found', 'Sender Acme not found'],
		[`Cannot send "${text}" now`, `Cannot send "${text}" now`],
	])('%s: is shown as %s', async (words, shown) => {
		expect(await shownBy(words)).toBe(shown);
	});

	it.each([
		['No https://n.example/w?token=s3cret here', 'No https://n.example/w?token=*** here'],
		['No "/w?a=1&token=s3cret&b=2" here', 'No "/w?a=1&token=***&b=2" here'],
		['No /w?signature=0a1b2c#top here', 'No /w?signature=***#top here'],
		['No ?u=%2Fw%3Ftoken%3Ds3cret here', 'No ?u=%2Fw%3Ftoken%3D*** here'],
		['No Token=s3cret, token=other-1 here', 'No Token=*** token=*** here'],
	])('%s: is shown as %s, without the token', async (words, shown) => {
		expect(await shownBy(words)).toBe(shown);
	});

	it('is masked in titles and issues, too', async () => {
		const issues = [{ field: `to ${recipient}`, message: 'not ?token=s3cret or 0491 570 156' }];
		const body = { error: { title: 'No 61491570157', detail: 'No', issues } };
		await service.answer(body, { path: '/v2/sms' }, 400);
		const { error } = await service.run('sms/send', sms);

		expect(error?.description).toContain('to …0156: not ?token=*** or …0156');
		expect(JSON.stringify(error)).not.toMatch(/s3cret|61491570157|61491570156|0491 570 156/);
	});
});

const [apiKey, apiSecret] = ['k3y"with\\escapes/0123', 'S3cret-of-the-account'];
const pair = Buffer.from(`${apiKey}:${apiSecret}`).toString('base64');
const withSecrets = () => ({
	kudosityKeyApi: { apiKey, baseUrl: service.url },
	kudosityBasicApi: { apiKey, apiSecret, baseUrl: service.url },
});

/** The text as JSON, with each of its characters escaped. */
const escaped = (value: string): string =>
	[...value].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

const log = listenToLog();
beforeEach(() => {
	log.length = 0;
});

const personal = { text: 'Meet Wilhelmina', number: '61491571266', grouped: '491 571 266' };
const token = '0a1b2c3d4e5f';

/** Refusals of every shape that repeat all of this, in escapes where they are JSON. */
const refusalsWith = (secrets: string[]): Array<[status: number, body: string]> => {
	const said = [...Object.values(personal), `token=${token}`, ...secrets].join(' and ');
	const words = `"${escaped(said)}"`;
	return [
		[400, `{"error":{"title":${words},"detail":${words},"issues":[{"message":${words}}]}}`],
		[400, `{"error":{"code":"FIELD_INVALID","description":${words}}}`],
		[422, `{"error":${words}}`],
		[404, `<h1>${said}</h1>`],
	];
};

/** Only v1 gets the secret. */
const [refusalsOfV2, refusals] = [[apiKey], [apiKey, apiSecret, pair]].map(refusalsWith);

/** Every operation shows the shapes of both APIs. The others are told in one place, so one operation of each API shows them. */
const ofBothApis = ['sms/send', 'list/get'];
const shapesFor = (name: string) =>
	ofBothApis.includes(name) ? refusals!.keys() : firstOf(2, [...refusals!.keys()]);

it.each(Object.keys(operationsByName))(
	'%s shows and logs no key, secret, token or number that a refusal repeats, and logs no text',
	async (name) => {
		const prepare = async (...[each, fields]: [string, object]) =>
			(await service.run(each, fields)).json;
		const fields = await workingFields(name, prepare);
		const hidden = [apiKey, apiSecret, pair, token, personal.number, personal.grouped];
		log.length = 0;
		for (const index of shapesFor(name)) {
			const [status, body] = refusals![index]!;
			await service.control.clearFaults();
			const ofV2 = refusalsOfV2![index]![1];
			await service.answer(ofV2, { path: '/v2', count: 'forever' }, status);
			await service.answer(body, { count: 'forever' }, status);
			const { error } = await service.run(name, fields, { credentials: withSecrets() });
			const shown = error ? `${error.message} ${error.description} ${JSON.stringify(error)}` : '';
			expect(hidden.filter((each) => shown.includes(each))).toEqual([]);
		}
		// At its level debug, n8n itself repeats the error with which an execution has ended.
		const lines = log.filter((line) => !line.includes('Workflow execution finished with error'));
		const all = [...hidden, personal.text];
		expect(all.filter((each) => lines.some((line) => line.includes(each)))).toEqual([]);
	},
);

describe('an answer that repeats a secret', () => {
	const key = { apiKey: 's3cret-key', baseUrl: '' };

	/** What a list without Simplify shows of such an answer. */
	const shown = async (said: string, changes: object = {}) => {
		const credential = { ...key, baseUrl: service.url, ...changes };
		const body = `{"smses":[${said}]}`;
		await service.control.addFault({ fault: 'custom', status: 200, body });
		const credentials = { kudosityKeyApi: credential };
		const { json, error } = await service.run('sms/getAll', { simplify: false }, { credentials });
		expect(error).toBeUndefined();
		return json[0];
	};
	const strange = { apiKey: 'q"uo\\te+=/' };

	it.each([
		['{"key":"s3cret-key"}', {}, { key: '***' }],
		['{"said":"apikey_s3cret-key"}', {}, { said: 'apikey_***' }],
		[
			'{"url":"https://a.example/?key%3Ds3cret-key2"}',
			{},
			{ url: 'https://a.example/?key%3D***2' },
		],
		['{"key":"other"}', {}, { key: 'other' }],
		// With escapes.
		[String.raw`{"said":"wrong key:\ns3cret-key"}`, {}, { said: 'wrong key:\n***' }],
		[String.raw`{"said":"\u0073\u0033cret-key"}`, {}, { said: '***' }],
		[String.raw`{"said":"not q\"uo\\te+=\/"}`, strange, { said: 'not ***' }],
		// A number of the answer is no secret, even if the secret is that number.
		[
			'{"number":61491570006,"key":"61491570006"}',
			{ apiKey: '61491570006' },
			{ number: 61491570006, key: '***' },
		],
		// A key as short as an ordinary word hides nothing.
		['{"status":"sent"}', { apiKey: 'sent' }, { status: 'sent' }],
		// The answer can be read, although a secret is the name of one of its fields.
		['{"id":"a","direction":"direction"}', { apiKey: 'direction' }, { direction: '***' }],
	])('%s', async (said, changes, expected) => {
		expect(await shown(said, changes)).toMatchObject(expected);
	});

	it.each([
		['the kudosity is wrong', 'the *** is wrong'],
		[`Basic ${Buffer.from('s3cret-key:kudosity').toString('base64')}`, 'Basic ***'],
	])('masks the secret of key and secret, too: %s', async (name, expected) => {
		const page = { page: { count: 1, number: 1 }, lists: [{ id: 1, name }] };
		await service.control.addFault({ fault: 'custom', status: 200, body: page });
		const credentials = {
			kudosityBasicApi: { ...key, apiSecret: 'kudosity', baseUrl: service.url },
		};
		const { json } = await service.run('list/getAll', {}, { credentials });

		expect(json).toMatchObject([{ name: expected }]);
	});
});
