import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axios } from '../engine/engineModules.ts';
import type { RunResult } from '../engine/harness.ts';
import { createTrigger } from '../engine/triggerNode.ts';
import { useWaitingN8n, type Waiting } from '../engine/waitingN8n.ts';
import { campaign, createRandom, formatTable } from './campaign.ts';
import { speedUp } from './fastTime.ts';
import { nodeName, planBatch, textOf, type Batch, type Person, type Plan } from './questionPlan.ts';

const n8n = useWaitingN8n();
const { service } = n8n;
let time: ReturnType<typeof speedUp>;
beforeAll(() => void (time = speedUp()));
afterAll(() => time.restore());

/** What the service leaves unanswered, by its text: nothing else ends early, however busy the machine is. */
const unanswered = new Set<string>();
const unansweredMs = 2_000;
axios.interceptors.request.use((config) => {
	const { data } = config as { data?: unknown };
	const body = JSON.stringify(data) ?? '';
	const text = [...unanswered].find((each) => body.includes(each));
	return text !== undefined && unanswered.delete(text)
		? Object.assign(config, { timeout: unansweredMs })
		: config;
});

const resumptionTimeoutMs = 30_000;

const { sender } = n8n.fields;
const stranger = '61491571266';
const explanation = 'Sorry, what do you mean?';
const hourMs = 3_600_000;
/** n8n takes no longer to be there again. */
const deliveryTimeoutMs = 120_000;
const retryDelaysMs = [20, 50, 100, 200, 400, 800, 1600, 3200];
const fitting = { freeText: 'Fine', approval: 'yes', choice: '2' };

type End = 'answered' | 'timed out' | 'opted out' | 'cancelled' | 'failed' | 'no end';
type Entry = Plan & {
	case: string;
	expected: End;
	result: RunResult;
	waiting?: Waiting;
	/** An attempt that was refused left its webhook, because Kudosity refused to delete it, too. */
	leavesWebhook: boolean;
	/** The IDs of what was written to answer this question. */
	replies: Set<string>;
	end: End;
};

const ask = async (plan: Plan): Promise<Entry> => {
	const { fault, match } = plan.rule ?? {};
	if (fault?.startsWith('timeout')) unanswered.add(match?.bodyIncludes ?? '');
	if (plan.rule) await service.control.addFault(plan.rule);
	const { number, contact: recipient, responseType, matchBy, retries, asking, process } = plan;
	const settings = {
		name: nodeName(number),
		retryOnFail: retries,
		maxTries: 3,
		waitBetweenTries: 1,
	};
	// So that no two were asked in the same millisecond.
	n8n.passTime(1);
	const parameters = {
		message: textOf(number),
		recipient,
		responseType,
		choices: ['Morning', 'Afternoon'],
		options: { unexpectedReplyMessage: explanation, matchBy },
	};
	const result = await n8n.run(parameters, { settings, process });
	const expected = asking === 'asked' ? 'timed out' : 'failed';
	return {
		...plan,
		case: plan.fault,
		expected,
		result,
		leavesWebhook: false,
		replies: new Set(),
		end: 'no end',
	};
};

const isAsked = ({ asking, result }: Entry): boolean => asking === 'asked' && !result.error;

const park = (entry: Entry): void => {
	const { result, receivers } = entry;
	if (!result.error) entry.waiting = n8n.park(result, [...receivers]);
};

const webhookOf = ({ result }: Entry): string => String(result.json[0]?.webhookId);

/** A message that anybody wrote. */
type Written = {
	id: string;
	text: string;
	/** A question and the trigger may react to it: no note says in time that it was taken. */
	mayBeTwice: boolean;
};
const allWritten: Written[] = [];

/** How often the trigger started a workflow with a message, by its ID. */
const passedOn = new Map<string, number>();
let triggerWebhookId = '';

let losesMarks = false;

const write = async (text: string, from: string, mayBeTwice = losesMarks): Promise<string> => {
	const { id } = await service.control.inbound({ from, to: sender, text });
	allWritten.push({ id, text, mayBeTwice });
	return id;
};

/** A trigger that leaves out answers, in both processes of its n8n. */
const publishTrigger = async () => {
	const options = {
		credentials: service.credentials,
		publicUrl: n8n.url(),
		parameters: { events: ['SMS_INBOUND'], options: { skipQuestionAnswers: true } },
	};
	const first = await createTrigger(options);
	await first.activate();
	const staticData = first.staticData();
	const second = await createTrigger({ ...options, staticData, process: 'second' });
	const [webhook] = await service.control.webhooks();
	triggerWebhookId = webhook?.id ?? '';
	const turns = [first, second];
	n8n.listen(new URL(webhook?.url ?? '').pathname, async (delivery) => {
		const [trigger = first] = turns;
		turns.push(...turns.splice(0, 1));
		const answer = await trigger.receive(delivery);
		const { mo } = delivery.body as { mo: { id: string } };
		if (answer.started) passedOn.set(mo.id, (passedOn.get(mo.id) ?? 0) + 1);
		return answer;
	});
};

const waitFor = async (wanted: object, count = 1): Promise<void> =>
	// What is missing then shows in how the question ends.
	void (await service.control
		.waitForDeliveries(wanted, { count, timeoutMs: 30_000 })
		.catch(() => undefined));

/** n8n has taken the delivery of this text to this question. */
const hears = async (entry: Entry, bodyIncludes: string): Promise<void> =>
	await waitFor({ webhookId: webhookOf(entry), bodyIncludes, ok: true });

/** All processes can see that it was answered. */
const isNoted = async (entry: Entry): Promise<void> =>
	void (await service.control
		.waitForRequests({
			method: 'PUT',
			path: `/v2/webhook/${webhookOf(entry)}`,
			status: 200,
			bodyIncludes: '(question answered ',
		})
		.catch(() => undefined));

const answer = async (entry: Entry, mayBeTwice?: boolean): Promise<string> => {
	entry.expected = 'answered';
	const id = await write(fitting[entry.responseType], entry.contact, mayBeTwice);
	entry.replies.add(id);
	return id;
};

const lives: Record<NonNullable<Person['life']>, (entry: Entry) => Promise<void>> = {
	answer: async (entry) => void (await answer(entry)),
	'answer early': async () => undefined,
	'two answers at once': async (entry) => void (await Promise.all([answer(entry), answer(entry)])),
	'no match': async (entry) => await hears(entry, await write('Why?', entry.contact)),
	'no match, then answer': async (entry) => {
		await write('Why?', entry.contact);
		await write('Who are you?', entry.contact);
		await answer(entry);
	},
	stranger: async (entry) => await hears(entry, await write('yes', stranger)),
	'stranger, then answer': async (entry) => {
		await write('yes', stranger);
		await answer(entry);
	},
	STOP: async (entry) => {
		entry.expected = 'opted out';
		await write('STOP', entry.contact);
	},
	'opt-out link': async (entry) => {
		entry.expected = 'opted out';
		await service.control.optOut(String(entry.result.json[0]?.questionId));
	},
	silence: async () => undefined,
	cancelled: async (entry) => {
		entry.expected = 'cancelled';
		n8n.cancel(entry.result);
		await write('yes', entry.contact);
	},
	'killed before it waits': async (entry) => {
		entry.expected = 'cancelled';
		await write('yes', entry.contact);
	},
};

/** Asks, and lets n8n park what it can: an early answer, or its end, comes before. */
const askPerson = async ({ plans, life }: Person): Promise<Entry[]> => {
	const entries: Entry[] = [];
	for (const plan of plans) {
		const entry = await ask(plan);
		entries.push(entry);
		if (!isAsked(entry)) continue;
		entry.case = life ?? 'several to one person';
		if (life === 'answer early') {
			await answer(entry, true);
			await waitFor({ webhookId: webhookOf(entry) });
		}
		if (life !== 'killed before it waits') park(entry);
	}
	return entries;
};

const isOpen = (entry: Entry): boolean =>
	entry.asking === 'unknown' || (entry.waiting !== undefined && entry.expected === 'timed out');

/**
 * Who gets a reply: the newest that is open, or the one whose message is the latest that the person has.
 * A webhook that a refused question left counts as open until its time limit, and hides the older ones.
 */
const intended = (entries: Entry[]): Entry | undefined => {
	const latest = entries.findLast(({ accepted }) => accepted === 1);
	if (latest?.waiting && isOpen(latest)) return latest;
	const newest = entries.findLast((entry) => isOpen(entry) || entry.leavesWebhook);
	return newest?.waiting && isOpen(newest) ? newest : undefined;
};

const noteLeftWebhooks = async (entries: Entry[]): Promise<void> => {
	const webhooks = await service.control.webhooks();
	for (const entry of entries) {
		const ofEntry = webhooks.filter(({ name }) => name.includes(`${nodeName(entry.number)} (`));
		entry.leavesWebhook = ofEntry.some(({ id }) => id !== webhookOf(entry));
	}
};

const reply = async (entries: Entry[], { contact, life, replies, stops }: Person) => {
	const [only] = entries;
	if (life && only) return isAsked(only) ? await lives[life](only) : undefined;
	const waiting = () => entries.filter((entry) => entry.waiting && isOpen(entry));
	for (let written = 0; written < replies; written++) {
		const open = waiting();
		const one = intended(entries);
		const id = one ? await answer(one) : await write('Fine', contact);
		await Promise.all(open.map(async (entry) => await hears(entry, id)));
		if (one) await isNoted(one);
	}
	if (!stops) return;
	for (const entry of waiting()) entry.expected = 'opted out';
	await write('STOP', contact);
};

/** Undefined when nothing came, so that a question without its answer has no end. */
const resumption = async ({ resumed }: Waiting) =>
	await Promise.race([resumed, sleep(resumptionTimeoutMs, undefined, { ref: false })]);

/** What became of it, once nothing more is expected. Those that still wait run out of time. */
const finish = async (entry: Entry): Promise<void> => {
	const { result, waiting, expected } = entry;
	if (result.error) return void (entry.end = 'failed');
	if (expected === 'cancelled' || !waiting) {
		return void (entry.end = waiting?.output() ? 'no end' : 'cancelled');
	}
	const goesOn = expected === 'answered' || expected === 'opted out';
	const output = goesOn
		? await resumption(waiting)
		: (waiting.output() ?? (await waiting.goOn())[0]);
	n8n.cancel(result);
	const { replied, optedOut, timedOut } = output?.json ?? {};
	entry.end = replied ? 'answered' : optedOut ? 'opted out' : timedOut ? 'timed out' : 'no end';
};

const outage = async (): Promise<void> => {
	const { length } = await service.control.deliveries({ status: 503 });
	n8n.goDown();
	// A batch in which nobody writes has none.
	await service.control
		.waitForDeliveries({ status: 503 }, { count: length + 2, timeoutMs: 1_000 })
		.catch(() => undefined);
	n8n.restart();
};

/** Longer than what tells a trigger that a question took a message, shorter than what a question that ended is kept. */
const triggerMs = 10_000;

const runBatch = async (batch: Batch): Promise<Entry[]> => {
	const { persons, duplicates, rules } = batch;
	const before = allWritten.length;
	({ losesMarks } = batch);
	await service.control.clearFaults();
	await service.control.settings({ duplicateEvents: duplicates, retryDelaysMs, deliveryTimeoutMs });
	if (rules.length > 0) await service.control.addFault(...rules);
	const asked = await Promise.all(persons.map(askPerson));
	await noteLeftWebhooks(asked.flat());
	// Nobody answers within the five seconds in which a process need not know what another one has asked.
	time.passTime(triggerMs);
	time.hold();
	if (batch.restart) n8n.restart();
	const down = batch.outage ? outage() : undefined;
	await Promise.all(asked.map(async (entries, index) => await reply(entries, persons[index]!)));
	await down;
	const entries = asked.flat();
	await Promise.all(entries.map(finish));
	await Promise.all(entries.filter(({ end }) => end === 'answered').map(isNoted));
	time.passTime(triggerMs);
	const started = allWritten.slice(before).map(async ({ id }) => {
		const wanted = { webhookId: triggerWebhookId, bodyIncludes: id, ok: true };
		await waitFor(wanted, duplicates ? 2 : 1);
	});
	await time.letEnd(triggerMs, Promise.all(started));
	time.release();
	// What is left of them is for the next question to sweep.
	n8n.passTime(26 * hourMs);
	return entries;
};

const reasons: Record<string, RegExp> = {
	unknown: /^Kudosity did not confirm the request /,
	failed: /./,
};

/** Undefined: the question went as it should. */
const mistakeOf = (entry: Entry, sent: Map<string, number>): string | undefined => {
	const { number, contact, asking, accepted, expected, end, waiting, result, replies } = entry;
	const { receivers } = entry;
	if (end !== expected) return `expected ${expected}`;
	const times = sent.get(`${contact} ${textOf(number)}`) ?? 0;
	if (times !== accepted) return `sent ${times} times`;
	// Two processes that get replies at once do not know of each other.
	if ((sent.get(`${contact} ${explanation}`) ?? 0) > receivers.length) return 'explained twice';
	if ((waiting?.resumptions() ?? 0) > 1) return 'went on twice';
	const { replyId } = waiting?.output()?.json ?? {};
	if (end === 'answered' && !replies.has(String(replyId))) return 'got the reply to another';
	if (end === 'failed' && !reasons[asking]?.test(result.error?.message ?? '')) return 'no reason';
	return undefined;
};

/** Of what people wrote: each is taken by one question, or starts a workflow. */
const accountOf = (book: Entry[]) => {
	const replyIds = book.map(({ waiting }) => waiting?.output()?.json.replyId);
	const lines = allWritten.map((written) => {
		const taken = replyIds.filter((replyId) => replyId === written.id).length;
		return { ...written, taken, passed: passedOn.get(written.id) ?? 0 };
	});
	// It ends questions, but answers none.
	const replies = lines.filter(({ text }) => text !== 'STOP');
	const lost = lines.filter(({ text, taken, passed }) => !passed && (!taken || text === 'STOP'));
	const twice = replies.filter(({ taken, passed }) => taken > 1 || (taken === 1 && passed > 0));
	return {
		lost,
		twice: twice.filter(({ taken, mayBeTwice }) => taken > 1 || !mayBeTwice),
		row: {
			questions: book.length,
			messages: lines.length,
			taken: replies.filter(({ taken }) => taken > 0).length,
			'passed on': lines.filter(({ passed }) => passed > 0).length,
			lost: lost.length,
			twice: twice.length,
		},
	};
};

const foreign = {
	name: 'n8n: Desk - Ask (question until 2020-01-01 00:00 UTC)',
	url: 'https://example.com/hook?ask=a.b.c.d.e',
	eventTypes: ['LINK_HIT'],
};

/** The webhooks that are left when later questions have swept, each asked two hours after the one before. */
const sweepAll = async (most: number) => {
	await service.control.clearFaults();
	n8n.passTime(26 * hourMs);
	for (let left = most; left > 0; left -= 50) {
		n8n.passTime(2 * hourMs);
		await n8n.ask({ waitAmount: 1, waitUnit: 'hours' });
	}
	return await service.control.webhooks();
};

const ends: End[] = ['answered', 'timed out', 'opted out', 'cancelled', 'failed', 'no end'];

const { timeoutMs: timeout } = campaign;

it(
	'answers each question with its own reply, and passes on what answers none',
	{ timeout },
	async () => {
		const { seed, questions } = campaign;
		const random = createRandom(seed);
		await publishTrigger();
		await service.run('webhook/create', foreign);
		const book: Entry[] = [];
		while (book.length < questions) {
			book.push(...(await runBatch(planBatch(random, questions - book.length))));
		}
		const sent = new Map<string, number>();
		for (const { recipient, text } of await service.control.messages()) {
			const name = `${recipient} ${text}`;
			sent.set(name, (sent.get(name) ?? 0) + 1);
		}

		const rows = [...new Set(book.map((entry) => entry.case)), 'all'].map((name) => {
			const entries = book.filter((entry) => name === 'all' || entry.case === name);
			const counts = ends.map((end) => [end, entries.filter((entry) => entry.end === end).length]);
			return { question: name, asked: entries.length, ...Object.fromEntries(counts) };
		});
		console.log(formatTable(`Questions under faults, seed ${seed}`, rows));
		const mistakes = book.flatMap((entry) => {
			const mistake = mistakeOf(entry, sent);
			const { number, end, replies } = entry;
			const { error } = entry.result;
			return mistake ? [{ mistake, number, case: entry.case, end, replies, error }] : [];
		});
		const { row, lost, twice } = accountOf(book);
		console.log(formatTable('What became of the messages', [row]));
		expect({ mistakes, lost, twice }, `KUDOSITY_SEED=${seed}`).toEqual({
			mistakes: [],
			lost: [],
			twice: [],
		});

		const left = await service.control.webhooks();
		const swept = await sweepAll(left.length);
		console.log(`Webhooks left by ${questions} questions at the end: ${left.length - 2}`);
		expect(swept.map(({ name }) => name)).toEqual([
			'n8n: Engine test - Kudosity',
			foreign.name,
			expect.stringContaining('Engine test - Kudosity (question'),
		]);
		expect(book).toHaveLength(questions);
	},
);
