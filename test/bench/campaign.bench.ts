/**
 * A campaign for 10,000 people in n8n's own engine against a service of 15 requests a second: a dry run, the same
 * text to all, and the reports. Wants a build. Takes about a minute; `--personalised` also sends 10,000 texts,
 * which takes 12 minutes.
 */
import { parseArgs } from 'node:util';
import { timeFields } from '../engine/harness.ts';
import { defineBench, type Figure } from './figure.ts';
import { liveBytes } from './memoryUse.ts';
import { phones, runInEngine, withEmulator, type Service } from './setup.ts';

const { values: flags } = parseArgs({
	options: { personalised: { type: 'boolean' } },
	strict: false,
});

const people = 10_000;
const perSecond = 14;

const contacts = phones(people).map(({ phone }, index) => ({ phone, name: `Sam ${index}` }));

const run = async (service: Service, name: string, fields: object, items?: object[]) => {
	const { control } = service;
	const [resource, operation] = name.split('/');
	const before = (await control.requests()).length;
	const [begunMs, begunCpu] = [performance.now(), process.cpuUsage()];
	const { json, error } = await runInEngine(
		service,
		{ resource, operation, ...fields },
		{ items: items as never },
	);
	const seconds = (performance.now() - begunMs) / 1000;
	const { user, system } = process.cpuUsage(begunCpu);
	const busy = (user + system) / 1_000_000;
	if (error) throw new Error(error.message);
	const requests = (await control.requests()).slice(before);
	return { json, seconds, busy, requests };
};

const reset = async ({ control }: Service, more = {}) =>
	await control.reset({ requestsPerSecond: 15, balance: 1_000_000, autoStatus: false, ...more });

type Ran = { seconds: number; busy: number; requests: unknown[] };

const figure = (
	what: string,
	{ seconds, busy, requests }: Ran,
	bound: Figure['bound'],
): Figure => ({
	what,
	by: 'Kudosity node',
	results: {
		seconds: seconds.toFixed(1),
		'of processor': busy.toFixed(1),
		requests: String(requests.length),
	},
	bound,
});

/** The bound of the dry run reads `dryRun`, which only raw output has. */
const output = 'raw';

const personalFields = {
	output,
	message: '=Hi {{ $json.name }}, 20% off until Sunday.',
	sender: 'Acme',
	recipient: '={{ $json.phone }}',
};

const personalised = (options: object) => ({ ...personalFields, options });

/** Tells n8n's evaluation of the fields from the rest of the time. */
const runTimed = async (...args: Parameters<typeof run>) => {
	const { result, fields } = await timeFields(async () => await run(...args));
	return { ...result, reads: fields.reads, fieldSeconds: fields.ms / 1000 };
};

type Timed = Awaited<ReturnType<typeof runTimed>>;

const withFields = (shown: Figure, { reads, fieldSeconds }: Timed): Figure => ({
	...shown,
	results: {
		...shown.results,
		'n8n’s fields': `${fieldSeconds.toFixed(1)} for ${reads}`,
	},
});

/** Besides the expressions, which each item has of its own. */
const maxOtherReads = 100;

/** Most of a dry run is n8n's reading of the fields, whatever the node does, so the bounds leave it out. */
const besidesFields = ({ seconds, fieldSeconds }: Timed): number => seconds - fieldSeconds;

const dryRun = async (service: Service): Promise<Figure> => {
	await reset(service);
	const ran = await runTimed(service, 'sms/send', personalised({ dryRun: 'always' }), contacts);
	const isWhole = ran.json.length === people && ran.json.every(({ dryRun }) => dryRun);
	const isReadOnce = ran.reads <= 2 * people + maxOtherReads;
	const shown = figure('Dry run of 10,000 texts of their own', ran, {
		text: 'no request, each expression read once, at most 2 s besides n8n’s fields',
		isKept: isWhole && ran.requests.length === 0 && isReadOnce && besidesFields(ran) <= 2,
	});
	return withFields(shown, ran);
};

const sameText = async (service: Service): Promise<Figure> => {
	await reset(service);
	const fields = {
		output,
		message: '20% off until Sunday.',
		sender: 'Acme',
		recipients: '={{ $json.phone }}',
	};
	const ran = await runTimed(service, 'bulkSms/send', fields, contacts);
	const accepted = (await service.control.accepted()).length;
	const shown = figure('The same text to 10,000', ran, {
		text: 'each gets it, 20 requests, at most 4 s besides n8n’s fields',
		isKept: accepted === people && ran.requests.length === 20 && besidesFields(ran) <= 4,
	});
	return withFields(shown, ran);
};

type Read = { seconds: number; busy: number; requests: unknown[]; json: object[] };

const readOne = async (service: Service, direction: 'IN' | 'OUT'): Promise<Read> =>
	await run(service, 'sms/getAll', { returnAll: true, filters: { direction } });

const together = (...reads: Read[]): Ran => ({
	seconds: reads.reduce((sum, { seconds }) => sum + seconds, 0),
	busy: reads.reduce((sum, { busy }) => sum + busy, 0),
	requests: reads.flatMap(({ requests }) => requests),
});

const reportBound = (known: number, { requests, seconds }: Ran): Figure['bound'] => ({
	text: 'all of them, at most 110 requests and 15 s',
	isKept: known === people && requests.length <= 110 && seconds <= 15,
});

/** Of a bulk message the service gives 100 recipients a request, which is the most. */
const report = async (service: Service): Promise<Figure> => {
	const { control } = service;
	const messages = await control.messages();
	const items = messages.map(({ number }) => ({ id: String(number) }));
	const recipients = await run(
		service,
		'bulkSms/getRecipients',
		{ messageId: '={{ $json.id }}', returnAll: true, filters: {} },
		items,
	);
	const replies = await readOne(service, 'IN');
	const known = new Set(recipients.json.map(({ msisdn }) => msisdn)).size;
	const ran = together(recipients, replies);
	return figure('Report for each of 10,000', ran, reportBound(known, ran));
};

const replying = 1_000;

/** Sent beforehand, past the node and as fast as the emulator takes them; every tenth person has answered. */
const reportOneByOne = async (service: Service): Promise<Figure> => {
	const { control, url } = service;
	await reset(service, { requestsPerSecond: 0 });
	const headers = { 'content-type': 'application/json', 'x-api-key': 'playground-key' };
	const text = { message: '20% off until Sunday.', sender: '61491570156' };
	for (let sent = 0; sent < people; sent += 100) {
		const some = contacts.slice(sent, sent + 100).map(async ({ phone: recipient }) => {
			const body = JSON.stringify({ ...text, recipient });
			await (await fetch(`${url}/v2/sms`, { method: 'POST', headers, body })).text();
		});
		await Promise.all(some);
	}
	for (const { phone: from } of contacts.slice(0, replying)) {
		await control.inbound({ from, to: text.sender, text: 'Yes' });
	}
	await control.settings({ requestsPerSecond: 15 });
	const [out, replies] = [await readOne(service, 'OUT'), await readOne(service, 'IN')];
	const known = new Set(out.json.map((record) => (record as { contact?: string }).contact)).size;
	const ran = together(out, replies);
	const shown = figure('Report for each of 10,000, sent one by one', ran, reportBound(known, ran));
	return { ...shown, results: { ...shown.results, replies: String(replies.json.length) } };
};

const sendAll = async (service: Service): Promise<Ran> => {
	const { seconds, busy, requests } = await run(service, 'sms/send', personalised({}), contacts);
	return { seconds, busy, requests: requests.map(() => undefined) };
};

const textsOfTheirOwn = async (service: Service): Promise<Figure> => {
	await reset(service);
	const before = liveBytes();
	const ran = await sendAll(service);
	const grown = (liveBytes() - before) / 1_000_000;
	const sent = (await service.control.messages()).map(({ recipient }) => recipient);
	const most = (1.02 * people) / perSecond;
	const isKept =
		sent.length === people && new Set(sent).size === people && ran.seconds <= most && grown <= 20;
	const text = `none lost, none twice, at most ${most.toFixed(0)} s and 20 MB more afterwards`;
	const shown = figure('10,000 texts of their own', ran, { text, isKept });
	return { ...shown, results: { ...shown.results, 'MB more': grown.toFixed(1) } };
};

export default await defineBench(
	import.meta.filename,
	async () =>
		await withEmulator(async (service) => {
			// The first run loads the engine.
			await reset(service);
			const some = contacts.slice(0, 500);
			await run(service, 'sms/send', personalised({ dryRun: 'always' }), some);
			const figures = [await dryRun(service), await sameText(service), await report(service)];
			figures.push(await reportOneByOne(service));
			if (flags.personalised) figures.push(await textsOfTheirOwn(service));
			return figures;
		}),
);
