import { describe, expect, it } from 'vitest';
import { exampleFields, operationsByName } from '../helpers/exampleFields.ts';
import type { Operation } from '../seams.ts';
import { continues, useDeduplicationStore, useEmulator } from './emulator.ts';

const service = useEmulator();
useDeduplicationStore();

const [ana, ben] = ['61491570006', '61491570156'];

type Place = { send: string; path: string; isMarked: boolean };
type Field = Operation['fields'][number];

const isTextual = ({ property: { type } }: Field): boolean => type === 'string' || type === 'json';

/** Every field of every send into which a text can be typed. */
const places: Place[] = Object.entries(operationsByName)
	.filter(([, { sends }]) => sends)
	.flatMap(([send, { fields }]) => {
		const placesIn = (among: readonly Field[], folder: string): Place[] =>
			among.flatMap((field) => {
				const path = `${folder}${field.property.name}`;
				if (field.fields) return placesIn(field.fields, `${path}.`);
				return isTextual(field) ? [{ send, path, isMarked: field.isMessageText === true }] : [];
			});
		return placesIn(fields, '');
	});

/** Fields of sends that no recipient reads. A new field is a message text, or it stands here. */
const readByNobody = [
	...['recipient', 'recipients', 'contentUrl', 'templateName', 'templateLocale'],
	...[
		'messageRef',
		'outputField',
		'campaignName',
		'blockedRecipients',
		'deduplicationKey',
		'smsFallbackSender',
		'sender',
		'approveWords',
		'declineWords',
	],
	...['deliveryCallback', 'linkClickCallback', 'replyCallback', 'repliesToEmail', 'trackedLinkUrl'],
	...['defaultCountry', 'allowedRecipients'],
];

/** The values of other fields that a text needs to leave. */
const shownBy: Record<string, object> = {
	templateName: { contentType: 'template' },
	templateParameters: { contentType: 'template' },
	content: { contentType: 'custom' },
	choices: { responseType: 'choice' },
};

const samples: Record<string, (text: string) => unknown> = {
	templateParameters: (text) => ['Sam', text],
	choices: (text) => ['Morning', text],
	content: (text) => ({
		type: 'template',
		template: { name: 'hi', components: [{ parameters: [{ type: 'text', text }] }] },
	}),
};

const runWith = async ({ send, path }: Place, text: string) => {
	const name = path.split('.').at(-1)!;
	const fields = { ...exampleFields(operationsByName[send]!), ...shownBy[name] };
	const value = { [name]: '={{ $json.value }}' };
	const items = [{ value: samples[name]?.(text) ?? text }];
	const placed = path.startsWith('options.') ? { options: value } : value;
	return await service.run(send, { ...fields, ...placed }, { items });
};

const texts = places.filter(({ isMarked }) => isMarked);

it('all texts of all sends are read by people, or known to be read by nobody', () => {
	const forgotten = places.filter(
		({ path, isMarked }) => isMarked === readByNobody.includes(path.split('.').at(-1)!),
	);
	expect(forgotten).toEqual([]);
	expect(new Set(texts.map(({ send }) => send))).toEqual(new Set(places.map(({ send }) => send)));
	expect(texts.length).toBeGreaterThanOrEqual(20);
});

describe.each(texts)('$path of $send', (place) => {
	it.each([
		['undefined', 'undefined'],
		['Hi null!', 'null'],
		['Hi [object Object]', '[object Object]'],
		['#N/A', '#N/A'],
	])('refuses “%s”, with what it found and nothing around it', async (text, found) => {
		const { error } = await runWith(place, text);

		expect(error?.message).toContain(` has “${found}”, which is probably a mistake`);
		expect(error?.message).not.toContain('Hi');
		expect(error?.description).toMatch(/\{\{ \$json\.name.* \}\}/);
		expect(await service.control.requests()).toEqual([]);
	});
});

describe('what a person did not write', () => {
	const sms = { message: 'Hi', sender: 'Acme', recipient: ana };
	const messagesOf = async () => (await service.control.messages()).map(({ text }) => text);

	it('is an expression in Fixed mode, which n8n does not evaluate', async () => {
		const { error } = await service.run('sms/send', { ...sms, message: 'Hi {{ $json.name }}' });

		expect(error?.message).toBe("'Message' has “{{ $json.name }}”, which is probably a mistake");
		expect(error?.description).toContain('from Fixed to Expression');
		expect(await service.control.requests()).toEqual([]);
	});

	it.each([
		['={{ "Hi " + $json.name + ", your order" }}', 'undefined'],
		['=See you on {{ DateTime.fromISO($json.date ?? "x") }}', 'Invalid DateTime'],
		['=See you on {{ new Date($json.date ?? "x") }}', 'Invalid Date'],
		['=Hi {{ $json.customer }}', '[object Object]'],
		['={{ "Hi " + $json.customer.name.trim }}', '[native code]'],
		['=Your total: {{ "$" + $json.price * 2 }}', 'NaN'],
	])('comes from the expression %s', async (message, found) => {
		const items = [{ customer: { name: 'Sam' } }];
		const { error } = await service.run('sms/send', { ...sms, message }, { items });

		expect(error?.message).toContain(`has “${found}”`);
		expect(await service.control.requests()).toEqual([]);
	});

	it.each(['={{ $json.text }}', "={{ $json['text'].trim() }}"])(
		'is not a text from elsewhere that is sent as it is: %s',
		async (message) => {
			const texts = ['Hi , can you call me?', 'Thanks , see you then', 'None', '0', '-'];
			const items = texts.map((text) => ({ phone: ana, text }));
			await service.run('sms/send', { ...sms, message }, { items });
			expect((await messagesOf()).sort()).toEqual([...texts].sort());
		},
	);

	it.each([
		'=Hi {{ $json.name }}, sale on today',
		'={{ "Hi " + $json.name + ", sale on today" }}',
		'={{ `Hi ${$json.name}, sale on today` }}',
		'={{ $json.template.replace("NAME", $json.name) }}',
		'={{ $json.name }}, sale on today',
	])('is a greeting without the name that %s puts there', async (message) => {
		const items = [{ name: '', template: 'Hi NAME, sale on today' }];
		const { error } = await service.run('sms/send', { ...sms, message }, { items });
		expect(error?.message).toMatch(/has “(?:Hi )?,”, which is probably a mistake/);
	});

	it.each(['n/a', 'null', 'undefined', 'NaN', '(blank)'])('is only “%s”', async (text) => {
		const message = '={{ $json.text }}';
		const { error } = await service.run('sms/send', { ...sms, message }, { items: [{ text }] });
		expect(error?.message).toMatch(/is only|probably a mistake/);
	});

	it('stops none of the other items, where the node continues', async () => {
		const items = [
			{ phone: ana, text: 'Hi Sam' },
			{ phone: ben, text: 'Hi undefined' },
			{ phone: '61491570157', text: 'Hi Mr Null' },
		];
		const { json, hints } = await service.sms(items, {}, { settings: continues });

		expect(json[1]).toMatchObject({ details: { code: 'invalid_input' } });
		expect(await messagesOf()).toEqual(['Hi Sam', 'Hi Mr Null']);
		expect(hints).toEqual(['2 accepted, 1 refused (1 with a missing value)']);
	});

	it('shows in a dry run', async () => {
		const items = [
			{ phone: ana, text: 'Hi Sam' },
			{ phone: ben, text: '#REF!' },
		];
		const { json, hints } = await service.sms(items, { dryRun: 'always' });

		expect(json).toMatchObject([
			{ recipient: ana },
			{ outcome: 'notSent', reason: expect.stringContaining('has “#REF!”') },
		]);
		expect(hints[0]).toContain('1 refused (1 with a missing value)');
	});

	it('does not hold back an alert about the error of another program', async () => {
		const alerts = [
			"Workflow “Orders” failed: Cannot read properties of undefined (reading 'id')",
			'The "path" argument must be of type string. Received undefined',
			'TypeError: null is not an object',
			'sheet shows #N/A in B7',
			'value is null',
			'"[object Object]" is not valid JSON',
		];
		await service.sms(alerts.map((text) => ({ phone: ana, text })));

		expect((await messagesOf()).sort()).toEqual(alerts.sort());
	});

	it('is a placeholder in square brackets, unless Kudosity fills it in from a contact list', async () => {
		const bulk = { message: 'Hi [Firstname], closed today', sender: 'Acme' };
		const toNumbers = { ...bulk, sendTo: 'recipients', recipients: ana };
		for (const [send, fields] of [
			['bulkSms/send', toNumbers],
			['sms/send', { ...sms, message: bulk.message }],
		] as const) {
			const { error } = await service.run(send, fields);
			expect(error?.message).toBe("'Message' has “[Firstname]”, which is probably a mistake");
			expect(error?.description).toContain("won't be filled in");
		}
		expect(await service.control.requests()).toEqual([]);

		const created = await service.run('list/create', { name: 'Autumn Campaign' });
		const listId = String(created.json[0]?.id);
		await service.run('contact/upsert', { contact: ana, listId });
		await service.run('bulkSms/send', { ...bulk, sendTo: 'list', listId });
		const [request] = await service.control.requests({ path: '/send-sms.json' });
		expect(request?.body).toMatchObject({ message: bulk.message, list_id: listId });
	});

	it('is refused in the automatic replies of a number and a keyword', async () => {
		for (const name of ['membersMessage', 'welcomeMessage']) {
			const fields = {
				number: '61491570110',
				keyword: 'JOIN',
				options: { [name]: 'Hi undefined' },
			};
			for (const operation of ['number/update', 'keyword/create', 'keyword/update']) {
				const { error } = await service.run(operation, fields);
				expect(error?.message).toContain('has “undefined”, which is probably a mistake');
			}
		}
		expect(await service.control.requests()).toEqual([]);
	});
});
