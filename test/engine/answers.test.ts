import { describe, expect, it } from 'vitest';
import { isCurrent } from '../helpers/n8nVersion.ts';
import { useEmulator } from './emulator.ts';
import { axios } from './engineModules.ts';

const service = useEmulator();

type Answer = { status?: number; body: unknown };
type Told = { id?: unknown; error?: string; details?: { code: string } };

const continues = { onError: 'continueRegularOutput' } as const;
const numbered = (index: number) => `61491570${100 + index}`;

const sends = {
	v1: ['bulkSms/send', { recipients: '={{ $json.to }}', message: 'Hello' }],
	v2: ['sms/send', { recipient: '={{ $json.to }}', message: 'Hello' }],
} as const;

/** A message for each answer: what the node says when the service answers so. */
const sendFor = async (api: keyof typeof sends, answers: Answer[]): Promise<Told[]> => {
	await service.control.addFault(
		...answers.map(({ status = 400, body }, index) => ({
			fault: 'custom' as const,
			...{ status, body },
			match: { bodyIncludes: numbered(index), count: 'forever' as const },
		})),
	);
	const [name, fields] = sends[api];
	const options = { requestsPerSecond: 500, ...(api === 'v2' && { onOutcomeUnknown: 'fail' }) };
	const items = answers.map((_, index) => ({ to: numbered(index) }));
	const run = async (some: typeof items) => {
		const message = { sender: 'Acme', ...fields, options };
		return (await service.run(name, message, { items: some, settings: continues })).json;
	};
	if (api === 'v2') return await run(items);
	// All items of a bulk message would share one request.
	const told: Told[] = [];
	for (const item of items) told.push(...(await run([item])));
	return told;
};

const codesOf = (told: Told[]) => told.map(({ details }) => details?.code);

/** Each case with what it came to, so that one comparison shows all that differ. */
const withCodes = <Case>(cases: Array<[Case, ...unknown[]]>, codes: unknown[]) =>
	cases.map(([each], index) => [each, codes[index]]);

/** The newer API's answer to values that it does not take. */
const problem = (...issues: object[]) => ({
	error: { title: 'Invalid Request', detail: 'Request validation failed', status: 400, issues },
});
const about = (name: string, message: string) => problem({ name, message });

describe('a refused send', () => {
	it('says what was wrong, by the field and the words of the newer API', async () => {
		const cases: Array<[object, string]> = [
			[about('recipient', 'recipient has opted out'), 'opted_out'],
			[about('recipient', 'The recipient provided was previously opted out'), 'opted_out'],
			[about('recipient', 'Recipient is opted-out'), 'opted_out'],
			[about('recipient', 'opt-out on file'), 'opted_out'],
			[about('recipient', 'number has unsubscribed'), 'opted_out'],
			[about('to', 'Contact is blocked'), 'opted_out'],
			[about('recipients[0]', 'optout'), 'opted_out'],
			[problem({ field: 'recipient', code: 2200, message: 'opted out' }), 'opted_out'],
			[about('sender', 'Sender not found'), 'invalid_sender'],
			[about('account_id', 'no WhatsApp sender found for this account'), 'invalid_sender'],
			[about('sender', 'sender is not registered'), 'invalid_sender'],
			[about('sender', 'unknown sender'), 'invalid_sender'],
			[about('from', 'number is inactive'), 'invalid_sender'],
			[about('recipient', 'recipient is invalid'), 'invalid_number'],
			[about('recipient', 'not a valid phone number'), 'invalid_number'],
			[about('recipient', 'Number is not valid'), 'invalid_number'],
			// About something else.
			[about('message', 'message must contain an [opt-out-link]'), 'invalid_value'],
			[about('message', 'The opt-out link is blocked'), 'invalid_value'],
			[about('sender', 'sender is required'), 'invalid_value'],
			[about('recipient', 'recipient is required'), 'invalid_value'],
			[about('recipient', 'recipient must be a string'), 'invalid_value'],
			[about('message_ref', 'message_ref is invalid'), 'invalid_value'],
			[about('', 'message is too long'), 'invalid_value'],
			// Opted out counts before anything else, and an issue of an odd shape does not matter.
			[
				problem(
					{ name: 'sender', message: 'Sender not found' },
					{ name: 'recipient', message: 'recipient has opted out' },
				),
				'opted_out',
			],
			[problem({ name: 7 }, { name: 'recipient', message: 'has opted out' }), 'opted_out'],
			[{ error: 'The recipient has opted out' }, 'opted_out'],
			[{ error: 'Sender not found' }, 'invalid_sender'],
			[{ error: 'insufficient funds' }, 'no_balance'],
			[{ error: { code: 'constructor', description: 'no' } }, 'invalid_value'],
		];
		const told = await sendFor('v2', [
			...cases.map(([body]) => ({ body })),
			{ status: 422, body: about('recipient', 'recipient has opted out') },
		]);

		expect(withCodes(cases, codesOf(told))).toEqual(cases);
		expect(told.at(-1)?.details?.code).toBe('opted_out');
	});

	it('says what was wrong by its status, where words cannot be about the message', async () => {
		const words = { error: 'sender blocked: recipient opted out' };
		const cases: Array<[number, string, unknown?]> = [
			[301, 'redirect'],
			[401, 'credential'],
			[402, 'refused'],
			[403, 'not_allowed'],
			[404, 'base_url'],
			[409, 'already_exists'],
			[405, 'base_url'],
			[429, 'rate_limited'],
			[429, 'rate_limited', words],
			[500, 'outcome_unknown', words],
			[403, 'opted_out', { error: 'recipient unsubscribed' }],
		];
		const answers = cases.map(([status, , body = '']) => ({ status, body }));
		const codes = codesOf(await sendFor('v2', answers));

		expect(codes).toEqual(cases.map(([, code]) => code));
	});

	it('has words of its own for every code of the older API, and none that blame', async () => {
		const codes = {
			ACCOUNT_EXPIRED: 'account_expired',
			ALREADY_SENT: 'already_sent',
			AUTH_FAILED: 'credential',
			BAD_CALLER_ID: 'invalid_sender',
			BAD_MOBILE: 'invalid_number',
			BAD_MOBILE_COUNTRY: 'country_not_enabled',
			DUPLICATE_DELETED: 'contact_deleted',
			FIELD_EMPTY: 'missing_value',
			FIELD_INVALID: 'invalid_value',
			KEY_EXISTS: 'already_exists',
			LEDGER_ERROR: 'no_balance',
			LIST_EMPTY: 'empty_list',
			MISSING_PARAM: 'missing_value',
			NOT_FOUND: 'not_found',
			NOT_IMPLEMENTED: 'base_url',
			NO_ACCESS: 'not_allowed',
			OPTOUT: 'opted_out',
			OVER_LIMIT: 'rate_limited',
			RECIPIENTS_ERROR: 'no_recipients',
			// Not beside the other one: two refusals of the account in a row end the requests.
			AUTH_FAILED_NO_DATA: 'credential',
		};
		const bodies = Object.keys(codes).map((code) => ({ body: { error: { code } } }));
		const told = await sendFor('v1', bodies);

		expect(codesOf(told)).toEqual(Object.values(codes));
		Object.keys(codes).forEach((code, index) => {
			const { error = '' } = told[index]!;
			expect(error, code).toMatch(/^[A-Z][^.]+[a-zA-Z]\. [A-Z].{20,}/);
			expect(error, code).not.toMatch(/\(status|\b(error|failure|mistake|problem)\b/i);
			expect(error, code).not.toContain(code);
		});
	});

	it('says what is wrong with the only recipient, or with up to five of several', async () => {
		const refusing = (failed: unknown[], optedOut: unknown[]) => ({
			body: {
				error: { code: 'RECIPIENTS_ERROR', description: { fails: failed, optouts: optedOut } },
			},
		});
		const others = Array.from({ length: 6 }, (_, index) => `6149157000${index}`);
		const told = await sendFor('v1', [
			refusing([numbered(0)], []),
			refusing([], [Number(numbered(1))]),
			{ body: { error: { code: 'RECIPIENTS_ERROR', description: 'No valid recipients left.' } } },
		]);
		expect(codesOf(told)).toEqual(['invalid_number', 'opted_out', 'no_recipients']);

		const to = { sender: 'Acme', message: 'Hi', recipients: others };
		await service.control.addFault({
			fault: 'custom',
			status: 400,
			...refusing(others.slice(0, 1), others.slice(1, 3)),
		});
		const few = (await service.run('bulkSms/send', { ...to, recipients: others.slice(0, 3) }))
			.error;
		expect(few?.description).toContain('Not valid: …0000');
		expect(few?.description).toContain('Opted out: …0001, …0002');
		await service.control.addFault({ fault: 'custom', status: 400, ...refusing(others, []) });
		const many = (await service.run('bulkSms/send', to)).error;
		expect(many?.description).toContain('Not valid: 6 numbers');
	});

	it('passes on what the service says, with one full stop', async () => {
		const told = await sendFor('v2', [
			{ status: 401, body: { error: { title: 'No', detail: 'The key is invalid.' } } },
			{ body: about('sender', 'Sender not found') },
			{ status: 402, body: { title: 'Bare', detail: 'Without a wrapper' } },
			{ status: 402, body: '<html>Not today</html>' },
		]);
		expect(told[0]?.error).toContain('Kudosity says: The key is invalid. Compare');
		expect(told[1]?.error).toContain('sender: Sender not found');
		expect(told[2]?.error).toContain('Kudosity says: Without a wrapper. ');
		expect(told[3]?.error).not.toContain('Kudosity says');
	});
});

describe('a 404', () => {
	const code = async (name: string, body: unknown) => {
		await service.control.addFault({ fault: 'custom', status: 404, body, match: { path: '/v2' } });
		return (await service.run(name, { messageId: 'abc' })).error?.code;
	};

	it.each([
		['rcs/get', '{}', 'not_found'],
		['rcs/get', { error: 'SMS not found' }, 'not_found'],
		['rcs/getAll', { error: 'sender registration not found' }, 'not_found'],
		['rcs/getAll', '{}', 'base_url'],
		['rcs/getAll', { error: 'Not Found' }, 'base_url'],
		['rcs/getAll', { error: '404 Page Not Found' }, 'base_url'],
		['rcs/getAll', { title: 'Not Found' }, 'base_url'],
	])(
		'of %s is about the record where one was asked for, or is named: %j',
		async (name, body, expected) => {
			expect(await code(name, body)).toBe(expected);
		},
	);
});

describe('a success', () => {
	it.each([
		['an empty body', '', 'an empty body'],
		['HTML', '<!doctype html><p>Hi', 'an HTML page instead of JSON'],
		['truncated JSON', '{"id": 1', 'a body that is not valid JSON'],
		['an unexpected format', '{"data": "one"}', 'JSON in an unexpected format (at data)'],
		['a list', '[]', 'JSON in an unexpected format (at the top level)'],
	])('is not seen in %s', async (_, body, reason) => {
		await service.control.addFault({ fault: 'custom', status: 200, body });
		const { error } = await service.run('rcs/get', { messageId: 'abc' });

		expect(error).toMatchObject({
			code: 'unreadable_answer',
			description: expect.stringContaining(
				`The response was ${reason} (status 200). Check 'Base URL'`,
			),
		});
	});

	it('is not seen in pages that repeat, which may be a list that changed', async () => {
		const page = { page: { count: 3, number: 1 }, numbers: [{ number: 1 }, { number: 2 }] };
		const rest = [2, 3].map((number) => ({ ...page, page: { count: 3, number } }));
		await service.control.addFault(
			...[page, ...rest].map((body) => ({ fault: 'custom' as const, status: 200, body })),
		);
		const { error } = await service.run('number/getAll', { returnAll: true });

		expect(error?.description).toMatch(
			/^The response was the same page again .*The list may have changed .*try again later.*'Base URL'/,
		);
	});

	it('stays one, whatever else is odd about an accepted message', async () => {
		const accepted = { message_id: 7, error: { code: 'SUCCESS', description: 'OK' } };
		const bodies = [
			{ ...accepted, list: [] },
			{ ...accepted, list: null },
			{ ...accepted, fails: null },
			{ ...accepted, sms: 'one' },
			{ message_id: 7, error: '' },
			{ message_id: 7, error: null },
		];
		const v1 = await sendFor(
			'v1',
			bodies.map((body) => ({ status: 200, body })),
		);
		expect(v1).toEqual(bodies.map(() => expect.objectContaining({ message_id: '7' })));
		await service.control.clearFaults();
		const body = { id: 'a', sms_count: 'many' };
		expect(await sendFor('v2', [{ status: 200, body }])).toMatchObject([body]);
	});

	it('with an error code is a no only where nothing was created', async () => {
		const told = await sendFor('v1', [
			{ status: 200, body: { error: { code: 'LEDGER_ERROR', description: 'Low.' } } },
			{ status: 200, body: { message_id: 7, error: { code: 'FAILED' } } },
			{ status: 200, body: { error: { code: 'SUCCESS', description: 'OK' } } },
		]);
		expect(codesOf(told)).toEqual(['no_balance', 'outcome_unknown', 'outcome_unknown']);

		// A server in between can answer so, too: the newer API refuses by the status, the older one by its codes.
		const error = { title: 'Gateway Timeout', status: 504 };
		const foreign = [{ error: 'Internal Server Error' }, { error }, { data: null, error }];
		const answers = foreign.map((body) => ({ status: 200, body }));
		const slow = { status: 408, body: 'stream timeout' };
		for (const api of ['v1', 'v2'] as const) {
			await service.control.clearFaults();
			const codes = codesOf(await sendFor(api, [...answers, slow]));
			expect(codes).toEqual(Array(4).fill('outcome_unknown'));
		}
		await service.control.clearFaults();

		// Of an answer that says nothing anyway, too.
		const create = async (beside: object) => {
			const body = { ...beside, error: { code: 'NO_ACCESS' } };
			await service.control.addFault({ fault: 'custom', status: 200, body });
			const { error } = await service.run('emailSender/create', { email: 'sam@example.com' });
			return error?.code;
		};
		expect([await create({}), await create({ id: 1 })]).toEqual(['not_allowed', 'outcome_unknown']);
	});
});

// n8n 1 keeps only the message and the code.
it.runIf(isCurrent)(
	'knows by how a connection failed whether a message may have left',
	async () => {
		const cases: Array<[{ message?: string; [field: string]: unknown }, string]> = [
			[{ code: 'ECONNREFUSED', syscall: 'connect' }, 'unreachable'],
			[{ code: 'ECONNREFUSED' }, 'unreachable'],
			[{ code: 'ENETUNREACH', syscall: 'connect' }, 'unreachable'],
			[{ code: 'ENOTFOUND', syscall: 'getaddrinfo' }, 'unreachable'],
			[{ code: 'EAI_FAIL', syscall: 'getaddrinfo' }, 'unreachable'],
			[{ code: 'ETIMEDOUT', syscall: 'connect' }, 'unreachable'],
			// Where a host has several addresses.
			[{ code: 'ETIMEDOUT', errors: [{ code: 'ETIMEDOUT', syscall: 'connect' }] }, 'unreachable'],
			[{ code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' }, 'unreachable'],
			[{ code: 'CERT_NOT_YET_VALID' }, 'unreachable'],
			[{ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, 'unreachable'],
			[{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'unreachable'],
			[{ code: 'SELF_SIGNED_CERT_IN_CHAIN' }, 'unreachable'],
			[{ code: 'CERT_HAS_EXPIRED' }, 'unreachable'],
			[{ code: 'INVALID_CA' }, 'unreachable'],
			[{ code: 'INVALID_PURPOSE' }, 'unreachable'],
			[{ code: 'HOSTNAME_MISMATCH' }, 'unreachable'],
			[{ code: 'PATH_LENGTH_EXCEEDED' }, 'unreachable'],
			[{ code: 'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY' }, 'unreachable'],
			[{ code: 'UNABLE_TO_GET_CRL' }, 'unreachable'],
			// n8n 1 keeps no more.
			[{ httpCode: 'ECONNREFUSED', message: 'connect ECONNREFUSED ::1:9' }, 'unreachable'],
			[{ httpCode: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND host' }, 'unreachable'],
			[{ httpCode: 'EHOSTUNREACH', message: 'read EHOSTUNREACH' }, 'outcome_unknown'],
			[{ httpCode: 'ECONNABORTED', message: 'timeout of 30000ms exceeded' }, 'outcome_unknown'],
			[{ name: 'SsrfBlockedIpError' }, 'unreachable'],
			[{ name: 'SsrfBlockedHostnameError' }, 'unreachable'],
			[{ code: 'ENETUNREACH', syscall: 'write' }, 'outcome_unknown'],
			[{ code: 'EHOSTUNREACH', syscall: 'read' }, 'outcome_unknown'],
			[{ code: 'ECONNRESET', syscall: 'read' }, 'outcome_unknown'],
			[{ code: 'ECONNABORTED' }, 'outcome_unknown'],
			[{ code: 'ETIMEDOUT' }, 'outcome_unknown'],
			[{ code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' }, 'outcome_unknown'],
			[{ name: 'CanceledError', code: 'ERR_CANCELED' }, 'outcome_unknown'],
			[{}, 'outcome_unknown'],
		];
		const codes: unknown[] = [];
		for (const [cause] of cases) {
			const { message = 'failed' } = cause;
			const error = new Error(message, { cause: Object.assign(new Error(), cause) });
			const adapter = async () => await Promise.reject(error);
			const fail = (config: object) => Object.assign(config, { adapter });
			const id = axios.interceptors.request.use(fail);
			codes.push(...codesOf(await sendFor('v2', [{ body: '' }])));
			axios.interceptors.request.eject(id);
		}
		expect(withCodes(cases, codes)).toEqual(cases);
	},
);
