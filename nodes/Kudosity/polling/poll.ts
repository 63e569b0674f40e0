import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { getSmses } from '../api/endpoints/sms';
import { CancelledError, InputError, isTransient, NoAnswerError } from '../api/errors';
import { readRetryAfter, type RetryPolicy } from '../api/retry';
import { createService } from '../api/service';
import type { Transport } from '../api/transport';
import { readFields } from '../fields/field';
import { loadPhones } from '../fields/phone/phones';
import { lruMap, settle } from '../lib/async';
import type { Json } from '../lib/json';
import { hourMs, minuteMs } from '../lib/time';
import { createNodeClock, createUnstoppableClock } from '../n8n/clock';
import { defaultCountryOf } from '../n8n/credentials';
import { toNodeError } from '../n8n/nodeErrors';
import { createTransports, withSignal } from '../n8n/transport';
import { fields, type PolledEvent, polledEvents, twoPausesMs } from './fields';
import { type Found, readNewest, readReceived, readStatuses, type Reader } from './messages';
import { isDelivered, mergePositions, type Position, readPosition, startingAt } from './position';

/** What is left is read by the next poll. */
const readingMs = 15_000;
/** With the last request under way, a poll ends within 30 s; n8n's durable cursors give it 45. */
const maxPollMs = 25_000;
/** The next poll is the better second try. */
const policy: RetryPolicy = {
	maxRepeats: 1,
	firstPauseMs: 500,
	maxPauseMs: 2_000,
	maxTotalMs: 10_000,
	maxRetryAfterMs: 2_000,
};

/** No message is read more often for its status. A poll every five minutes may come early. */
const sweepEveryMs = 5 * minuteMs - 5_000;
/** n8n's durable cursors can start polls from a state that is a few seconds old. */
const maxStaleMs = 10_000;
const maxQuietFailures = 2;
const maxRetryAfterMs = hourMs;

/** One poll of n8n. Its context is the same for all polls of an activation, except with n8n's durable cursors. */
type Run = {
	context: IPollFunctions;
	/** Aborted when another activation begins, since n8n throws away the output of this one then. */
	stop: AbortController;
	ended: Promise<unknown>;
};

type Positions = Partial<Record<PolledEvent, Position>>;

/**
 * What this process knows of one trigger, beside what n8n stores: n8n does not store what a poll without output has
 * changed, and other nodes can set back what it stores. Times by a monotonic clock, in milliseconds.
 */
type Memory = {
	positions: Positions;
	/** The latest output, until it is known whether n8n has taken it. */
	emitted?: { event: PolledEvent; key: string; before: Positions; atMs: number };
	run?: Run;
	/** The last poll that reached the service. */
	polledMs?: number;
	/** The last poll of the published workflow, also one that failed. */
	activeMs?: number;
	/** The first try to learn the service's time. */
	askedMs?: number;
	sweptMs?: number;
	failures: number;
	/** The service asked for a pause until then. */
	quietUntilMs: number;
	/** The last error that said that the service refuses. */
	refusedMs?: number;
	/** Of the latest activation, and how many before it had one poll only. */
	context?: object;
	polls: number;
	singles: number;
};

/** Of as many triggers as an n8n process has at a time. */
const memories = lruMap<Memory>(1_000);

/** A node keeps its ID when it is renamed; what n8n stores does not follow the name. */
function memoryOf(workflowId: string | undefined, nodeId: string): Memory {
	const place = `${workflowId}:${nodeId}`;
	const fresh = { positions: {}, failures: 0, quietUntilMs: 0, polls: 0, singles: 0 };
	const memory: Memory = memories.get(place) ?? fresh;
	memories.set(place, memory);
	return memory;
}

/** n8n calls `__emit` with what a poll returned, unless the workflow was unpublished meanwhile. */
function noteTaken(context: IPollFunctions, memory: Memory): void {
	const emit = context.__emit;
	context.__emit = (...output) => {
		memory.emitted = undefined;
		emit.apply(context, output);
	};
}

/**
 * Whether this is the first poll of an activation. With durable cursors, each poll has a context of its own, and the
 * state is a copy; without, n8n notes changes of the state in `__dataChanged`.
 */
function countPoll(memory: Memory, context: IPollFunctions) {
	const isNew = memory.context !== context;
	if (isNew) {
		memory.singles = memory.polls === 1 ? memory.singles + 1 : 0;
		memory.context = context;
		memory.polls = 0;
	}
	memory.polls += 1;
	const isCopy = !('__dataChanged' in Object(context.getWorkflowStaticData('node')));
	if (isNew && !isCopy) noteTaken(context, memory);
	const isPublishing = isNew && context.getActivationMode() === 'activate';
	const isDurable = isNew && isCopy && (isPublishing || memory.singles > 1);
	return { isFirst: isPublishing || (isNew && !isDurable), isPublishing, isDurable, isCopy };
}

/** What a poll works with. The context is a new one for each poll, since credentials are read once for each. */
async function createTools(outer: IPollFunctions, stop?: AbortSignal) {
	const deadline = AbortSignal.timeout(maxPollMs);
	const signal = stop ? AbortSignal.any([stop, deadline]) : deadline;
	const context = withSignal(outer, signal) as IPollFunctions;
	const clock = createNodeClock(signal);
	const beganMs = clock.now();
	const answered = { serviceNowMs: NaN, retryAfterMs: 0 };
	const paced = createTransports(context, clock, { policy })();
	const transport: Transport = async (request) => {
		const result = await paced(request);
		if (result.kind === 'noAnswer') return result;
		const { beganMs, endedMs, serviceMs = clock.calendarNow() } = result.timing!;
		// What is created while the answer is on its way is not in it.
		answered.serviceNowMs = serviceMs - (endedMs - beganMs);
		if (result.status === 429) {
			const asked = readRetryAfter(result.headers['retry-after'], clock.calendarNow());
			answered.retryAfterMs = Math.min(asked ?? 0, maxRetryAfterMs);
		}
		return result;
	};
	const values = fields.map(({ property: { name } }) => [name, outer.getNodeParameter(name)]);
	const { events, simplify, filters, options } = readFields(fields, Object.fromEntries(values), {
		timeZone: outer.getTimezone(),
		phones: await loadPhones(),
		defaultCountry: await defaultCountryOf(context, 'key'),
	});
	const reader: Reader = {
		service: createService(transport),
		isOver: () => clock.now() - beganMs > readingMs,
		serviceNowMs: () => answered.serviceNowMs,
		senders: filters.sender ?? [],
		simplify: simplify ?? true,
	};
	const longMs = twoPausesMs(outer.getNodeParameter('pollTimes'));
	return { reader, clock, answered, events, statusDays: options.statusDays ?? 2, longMs };
}

type Tools = Awaited<ReturnType<typeof createTools>>;

/** What was cancelled took too long. */
const toPollError = (context: IPollFunctions, error: unknown) =>
	toNodeError(
		context.getNode(),
		error instanceof CancelledError ? new NoAnswerError('ETIMEDOUT', true) : error,
	);

const itemsOf = (items: Json[]): INodeExecutionData[] =>
	items.map((json) => ({ json: json as IDataObject }));

/** The newest message of each kind, to build the workflow with. Nothing counts as delivered. */
async function runTest(context: IPollFunctions): Promise<Json[]> {
	try {
		const { reader, events } = await createTools(context);
		const newest: Json[] = [];
		for (const event of events) newest.push(...[(await readNewest(reader, event)) ?? []].flat());
		if (newest.length > 0) return newest;
		const where = events.includes('SMS_INBOUND')
			? 'to one of your Kudosity numbers'
			: 'with Kudosity';
		const remedy = `Send an SMS ${where}, wait a moment, then execute the step again`;
		throw new InputError('No message to test with yet', remedy);
	} catch (error) {
		throw toPollError(context, error);
	}
}

/** The service's time when the first poll tried to learn it. */
async function startNow({ reader, clock }: Tools, memory: Memory): Promise<Position> {
	memory.askedMs ??= clock.now();
	await reader.service.call(getSmses, { limit: 1 });
	return startingAt(reader.serviceNowMs() - (clock.now() - memory.askedMs));
}

async function read(
	tools: Tools,
	memory: Memory,
	{ event, position }: { event: PolledEvent; position?: Position },
): Promise<Found> {
	if (!position) return { position: await startNow(tools, memory), items: [] };
	const nowMs = tools.clock.now();
	if (event === 'SMS_INBOUND') {
		return await readReceived(tools.reader, position, nowMs - (memory.polledMs ?? nowMs));
	}
	const sinceMs = nowMs - (memory.sweptMs ?? -Infinity);
	if (!position.sweep && sinceMs < sweepEveryMs) return { position, items: [] };
	const found = await readStatuses(tools.reader, position, tools.statusDays);
	if (!position.sweep) memory.sweptMs = nowMs;
	return found;
}

/** What n8n has not stored it has not delivered: it drops the output of a workflow that was unpublished meanwhile. */
function forgetIfLost(poll: Poll, nowMs: number): void {
	const { memory, context, isDurable, isPublishing, isCopy } = poll;
	const { emitted } = memory;
	if (!emitted || (isDurable && !isPublishing && nowMs - emitted.atMs < maxStaleMs)) return;
	const stored = readPosition(context.getWorkflowStaticData('node')[emitted.event]);
	const isStored = stored && isDelivered(stored, emitted.key);
	if (!isStored && (isDurable || !isCopy)) memory.positions = emitted.before;
	memory.emitted = undefined;
}

/** Nobody wants what came while a workflow was unpublished for long. */
const isAbandoned = ({ storedMs }: Position, memory: Memory, { clock, longMs }: Tools): boolean =>
	clock.now() - (memory.activeMs ?? -Infinity) > longMs && clock.calendarNow() - storedMs > longMs;

type Poll = ReturnType<typeof countPoll> & { context: IPollFunctions; memory: Memory; run: Run };

/** Reads, and then stores in one go where it is: n8n stores it with the output. */
async function deliver(poll: Poll, tools: Tools): Promise<Json[]> {
	const { context, memory, run, isPublishing } = poll;
	if (isPublishing) memory.askedMs = undefined;
	const positionOf = (event: PolledEvent): Position | undefined => {
		const stored = readPosition(context.getWorkflowStaticData('node')[event]);
		const position = mergePositions(memory.positions[event], stored);
		return position && isPublishing && isAbandoned(position, memory, tools) ? undefined : position;
	};
	const found = [];
	const failures: unknown[] = [];
	for (const event of tools.events) {
		const result = await settle(read(tools, memory, { event, position: positionOf(event) }));
		if (result.status === 'fulfilled') found.push({ event, ...result.value });
		else failures.push(result.reason);
	}
	if (run.stop.signal.aborted) return [];
	const items = found.flatMap((each) => each.items);
	if (failures.length > 0 && items.length === 0) throw failures[0];

	if (failures.length === 0) memory.askedMs = undefined;
	const state = context.getWorkflowStaticData('node');
	// An event that is chosen again starts over.
	for (const event of polledEvents.filter((each) => !tools.events.includes(each))) {
		delete memory.positions[event];
		delete state[event];
	}
	const emission = { before: { ...memory.positions }, atMs: tools.clock.now() };
	for (const { event, position, key } of found) {
		memory.positions[event] = { ...position, nodeId: context.getNode().id };
		if (key !== undefined) memory.emitted = { event, key, ...emission };
		// n8n notices what is assigned, but no change within it.
		state[event] = { ...memory.positions[event], storedMs: tools.clock.calendarNow() };
	}
	return items;
}

/** Whether a failure is shown; otherwise the next poll tries again. */
function isShown({ context, memory, isFirst }: Poll, error: unknown, nowMs: number): boolean {
	if (isTransient(error) || error instanceof CancelledError) {
		memory.failures += 1;
		// An error would keep the workflow from being published, or at a start turn it off.
		return !isFirst && memory.failures > maxQuietFailures;
	}
	if (isFirst) {
		const isStartOfN8n = ['init', 'leadershipChange'].includes(context.getActivationMode());
		return !isStartOfN8n || memory.polledMs !== undefined;
	}
	if (nowMs - (memory.refusedMs ?? -Infinity) < hourMs) return false;
	memory.refusedMs = nowMs;
	return true;
}

async function pollOnce(poll: Poll): Promise<Json[]> {
	const { context, memory, run, isFirst, isPublishing } = poll;
	const { now } = createUnstoppableClock();
	if (!isPublishing) memory.activeMs = now();
	if (!isFirst && now() < memory.quietUntilMs) return [];
	forgetIfLost(poll, now());
	let tools: Tools | undefined;
	try {
		tools = await createTools(context, run.stop.signal);
		const items = await deliver(poll, tools);
		Object.assign(memory, { failures: 0, refusedMs: undefined, polledMs: now(), activeMs: now() });
		return items;
	} catch (error) {
		if (run.stop.signal.aborted) return [];
		memory.quietUntilMs = now() + (tools?.answered.retryAfterMs ?? 0);
		if (!isShown(poll, error, now())) return [];
		if (isFirst) Object.assign(memory, { polls: 0, askedMs: undefined });
		throw toPollError(context, error);
	}
}

/** One poll of n8n; null when there is nothing to start the workflow on. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') return [itemsOf(await runTest(context))];
	const memory = memoryOf(context.getWorkflow().id, context.getNode().id);
	const earlier = memory.run;
	if (earlier?.context === context) return null;
	const counted = countPoll(memory, context);
	// Each poll would end the one before.
	if (earlier && counted.isDurable && !counted.isPublishing) return null;
	earlier?.stop.abort();
	const run: Run = { context, stop: new AbortController(), ended: Promise.resolve() };
	const task = async () => {
		await earlier?.ended;
		if (run.stop.signal.aborted) return [];
		return await pollOnce({ context, memory, run, ...counted });
	};
	const result = task().finally(() => {
		if (memory.run === run) memory.run = undefined;
	});
	run.ended = settle(result);
	memory.run = run;
	const items = await result;
	return items.length > 0 ? [itemsOf(items)] : null;
}
