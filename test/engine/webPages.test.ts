/** A proxy or a firewall between n8n and Kudosity that answers with a web page of its own. */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { continues, phones, retries, useEmulator } from './emulator.ts';
import { require } from './engineModules.ts';
import { createContexts } from './harness.ts';
import { createTrigger } from './triggerNode.ts';

const { CredentialTestContext }: typeof import('n8n-core') = require('n8n-core');

const service = useEmulator();

const page = '<html>\r\n<head><title>403 Forbidden</title></head>\r\n<body>nginx</body></html>';
const html = { 'content-type': 'text/html' };
const plain = { 'content-type': 'text/plain' };
const json = { 'content-type': 'application/json' };
const xml = { 'content-type': 'application/xml' };

type Case = [expected: string, status: number, body: unknown, headers: Record<string, string>];

/** The code of an SMS that is answered so. */
async function codeOf([, status, body, headers]: Case): Promise<unknown> {
	await service.control.clearFaults();
	await service.control.addFault({
		...{ fault: 'custom', status, body, headers },
		match: { path: '/v2/sms', count: 'forever' },
	});
	const { json } = await service.sms(
		[{ phone: '61491570006' }],
		{ requestsPerSecond: 500, onOutcomeUnknown: 'fail' },
		{ settings: continues },
	);
	return Object(json[0]?.details).code;
}

async function withCodes(cases: Case[]): Promise<Case[]> {
	const found: Case[] = [];
	for (const each of cases) {
		const [, ...answer] = each;
		found.push([(await codeOf(each)) as string, ...answer]);
	}
	return found;
}

describe('a web page', () => {
	it('is told as the answer of something in between, whatever its type says', async () => {
		const cases: Case[] = [
			['intercepted', 401, page, html],
			['intercepted', 403, page, html],
			['intercepted', 406, page, html],
			['intercepted', 407, page, html],
			['intercepted', 451, page, html],
			['intercepted', 400, page, html],
			['intercepted', 402, page, html],
			['intercepted', 413, page, { 'content-type': 'text/html; charset=iso-8859-1' }],
			['intercepted', 418, page, { 'content-type': 'TEXT/HTML' }],
			['intercepted', 422, page, html],
			['intercepted', 403, page, plain],
			['intercepted', 403, page, json],
			['intercepted', 401, '<!DOCTYPE html><title>Sign in</title>', plain],
			[
				'intercepted',
				403,
				'\ufeff\n  <!doctype HTML PUBLIC "-//W3C//DTD HTML 4.01//EN"><p>No',
				xml,
			],
			['intercepted', 403, `<!-- a padding friendly page -->\n${page}`, plain],
			[
				'intercepted',
				403,
				'<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html xmlns="http://www.w3.org/1999/xhtml"></html>',
				{ 'content-type': 'application/xhtml+xml' },
			],
			['intercepted', 403, '<?xml version="1.0"?>\n<html xmlns="x"></html>', xml],
			['intercepted', 407, '<HEAD><TITLE>Proxy Authentication Required</TITLE></HEAD>', plain],
			['intercepted', 403, '<h1>Blocked by policy</h1>', plain],
			['intercepted', 403, 'Access denied by your administrator', html],
			// Rather another address than a firewall.
			['base_url', 404, page, html],
			['base_url', 405, page, html],
		];
		expect(await withCodes(cases)).toEqual(cases);
	});

	it('is none in answers of the service, and keeps its meaning where the status has another', async () => {
		const cases: Case[] = [
			['credential', 401, '', html],
			['credential', 401, ' \n', html],
			['credential', 401, '', plain],
			['not_allowed', 403, '', html],
			['not_allowed', 403, '{"error":{"code":"NO_ACCESS"}}', html],
			['not_allowed', 403, '{"message":"Forbidden"}', json],
			['not_allowed', 403, '{"message":"See <html> in the docs"}', html],
			['not_allowed', 403, { error: { code: 'NO_ACCESS', description: '<html>No</html>' } }, json],
			['not_allowed', 403, '"<html></html>"', json],
			['not_allowed', 403, 'Forbidden', plain],
			['not_allowed', 403, 'Use <html> here', plain],
			['not_allowed', 403, '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', xml],
			['not_allowed', 403, '<Error><Code>html</Code></Error>', xml],
			['not_allowed', 403, '<htmlish>No</htmlish>', plain],
			['opted_out', 400, '{"error":"The recipient has opted out"}', html],
			['refused', 451, '{}', html],
			['redirect', 302, page, html],
			['rate_limited', 429, page, { ...html, 'retry-after': '0' }],
			['outcome_unknown', 408, page, html],
			['outcome_unknown', 502, page, html],
			['outcome_unknown', 503, page, html],
			['outcome_unknown', 200, page, html],
		];
		expect(await withCodes(cases)).toEqual(cases);
	});

	it('comes with the status and with what to do, and nothing of the page', async () => {
		await service.fault('html', { path: '/v2/sms' }, { status: 403 });
		const { error } = await service.sms([{ phone: '61491570006' }]);

		expect(error?.message).toBe(
			'A proxy or firewall between n8n and Kudosity responded instead of Kudosity (status 403)',
		);
		expect(error?.description).toMatch(/let n8n reach.*'Base URL'/i);
		expect(JSON.stringify(error)).not.toMatch(/gateway|Kudosity says|account/);
		expect(error?.failure).toBeUndefined();
	});
});

describe.each([401, 404])('with pages of status %i', (status) => {
	const isCalled = status === 404 ? 'base_url' : 'intercepted';

	it('twenty items make a few requests, and all can be sent later', async () => {
		const items = phones(20).map((phone) => ({ phone }));
		await service.fault('html', { path: '/v2/sms', count: 'forever' }, { status });
		const run = { settings: continues };
		const { json, hints } = await service.sms(items, { requestsPerSecond: 20 }, run);

		expect((await service.control.requests({ path: '/v2/sms' })).length).toBeLessThan(10);
		expect(json).toHaveLength(20);
		const tried = json.filter(({ details }) => Object(details).tried !== false);
		expect(tried.length).toBeGreaterThanOrEqual(2);
		expect(tried.length).toBeLessThan(10);
		expect(json.every(({ details }) => Object(details).code === isCalled)).toBe(true);
		expect(json.at(-1)).toMatchObject({ error: expect.stringMatching(/^Not tried/) });
		expect(hints).toEqual([expect.stringContaining(`; ${20 - tried.length} not tried)`)]);

		await service.control.clearFaults();
		const later = await service.sms(items, { requestsPerSecond: 500 }, run);
		expect(later.hints).toEqual(['20 accepted']);
	});
});

it('goes on after a single page, and stops at one where it does not continue', async () => {
	const items = phones(5).map((phone) => ({ phone }));
	await service.fault('html', { path: '/v2/sms', nth: 2 }, { status: 403 });
	const { hints } = await service.sms(items, { requestsPerSecond: 5 }, { settings: continues });
	expect(hints).toEqual(['4 accepted, 1 refused (1 stopped by a proxy or firewall)']);
	await service.control.clearFaults();

	await service.fault('html', { path: '/v2/sms' }, { status: 403 });
	const { error } = await service.sms(items, { requestsPerSecond: 5 });
	expect(error?.code).toBe('intercepted');
});

it('lets Retry On Fail send what a firewall turned away', async () => {
	await service.fault('html', { path: '/v2/sms' }, { status: 403 });
	const { json } = await service.sms([{ phone: '61491570006' }], {}, { settings: retries });
	expect(json).toMatchObject([{ recipient: '61491570006' }]);
	expect(await service.control.messages()).toHaveLength(1);
});

describe('a page', () => {
	const inBetween = /^A proxy or firewall between n8n and Kudosity responded/;

	it.each([
		['number/getAll', '/get-numbers.json'],
		['sms/getAll', '/v2/sms'],
		['list/getAll', '/get-lists.json'],
		['webhook/getAll', '/v2/webhook'],
	])('is told by %s', async (name, path) => {
		await service.fault('html', { path, count: 'forever' }, { status: 403 });
		const { error } = await service.run(name, { returnAll: true });
		expect(error).toMatchObject({ message: expect.stringMatching(inBetween), code: 'intercepted' });
	});

	it('is told by Bulk SMS, and by a question that could not make its webhook', async () => {
		const fault = { status: 403 };
		await service.fault('html', { path: '/send-sms.json', count: 'forever' }, fault);
		const bulk = await service.bulk([{ to: '61491570006' }]);
		expect(bulk.error?.message).toMatch(inBetween);

		await service.fault('html', { path: '/v2/webhook', method: 'POST', count: 'forever' }, fault);
		const question = await service.run('sms/sendAndWait', {
			...{ sender: '61491570159', recipient: '61491570006', message: 'Hi' },
			...{ responseType: 'freeText', waitAmount: 1, waitUnit: 'hours', options: {} },
		});
		expect(question.error).toMatchObject({
			message: expect.stringMatching(/^The question was not sent.*A proxy or firewall between/),
			code: 'intercepted',
		});
		expect(await service.control.messages()).toEqual([]);
	});

	it.each([
		['account', '/get-balance.json', 'secret'],
		['webhook', '/v2/sms', 'key'],
	])('leaves open in Check Setup of %s whether the key is right', async (resource, path, check) => {
		await service.fault('html', { path, count: 'forever' }, { status: 401 });
		const { json } = await service.run(`${resource}/checkSetup`);
		expect(json[0]).toMatchObject({
			...{ check, ok: null },
			message: expect.stringMatching(inBetween),
			whatToDo: expect.stringMatching(/Base URL/),
		});
	});

	it('is told when a trigger is published, and in the log when its webhook stays', async () => {
		const trigger = await createTrigger({ credentials: service.credentials });
		await service.fault('html', { path: '/v2/webhook', count: 'forever' }, { status: 403 });
		await expect(trigger.activate()).rejects.toThrow(inBetween);
		await service.control.clearFaults();

		await trigger.activate();
		await service.fault('html', { method: 'DELETE', count: 'forever' }, { status: 403 });
		await trigger.deactivate();
		expect(trigger.warnings.map(([text]) => text)).toEqual([
			expect.stringMatching(/A proxy or firewall between n8n and Kudosity responded.*status 403/),
		]);
	});

	it('that goes away is outlasted when a trigger is unpublished', async () => {
		const trigger = await createTrigger({ credentials: service.credentials });
		await trigger.activate();
		await service.fault('html', { method: 'DELETE', count: 1 }, { status: 403 });
		await trigger.deactivate();
		expect(trigger.warnings).toEqual([]);
		expect(await service.control.webhooks()).toEqual([]);
	});

	it.each([
		['kudosityBasicApi', '/get-balance.json', 401],
		['kudosityKeyApi', '/v2/sms', 401],
		['kudosityKeyApi', '/v2/sms', 403],
		['kudosityKeyApi', '/v2/sms', 407],
	])('is told by the test of %s (%s, %i)', async (type, path, status) => {
		const { credentials } = service;
		const { nodeType } = await createContexts('kudosity', { parameters: {}, credentials });
		const used = nodeType.description.credentials?.find(({ name }) => name === type);
		const test = async () =>
			await nodeType.methods!.credentialTest![String(used?.testedBy)]!.call(
				new CredentialTestContext() as never,
				{ id: '1', name: 'Mine', type, data: credentials[type] as ICredentialDataDecryptedObject },
			);
		await service.fault('html', { path }, { status });
		expect(await test()).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(inBetween),
		});
		// The type alone tells, too.
		await service.control.addFault({ fault: 'custom', status, headers: html, body: 'Denied' });
		expect((await test()).message).toMatch(inBetween);
		await service.control.addFault({ fault: 'custom', status: 401, headers: html, body: '' });
		expect((await test()).message).toMatch(/did not accept this key/);
	});
});
