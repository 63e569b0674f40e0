import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { CancelledError, InputError, isTransient, NoAnswerError } from '../api/errors';
import { lruMap } from '../lib/async';
import type { Json } from '../lib/json';
import { dayMs, hourMs, minuteMs } from '../lib/time';
import { createUnstoppableClock } from '../n8n/clock';
import { toNodeError } from '../n8n/nodeErrors';
import { type Cursor, joined, notBefore, readCursor, startingAt } from './cursor';
import { type PolledEvent, polledEvents } from './fields';
import { createReader, type Reader } from './reader';
import { readReceived } from './received';
import { type Found, newestOutput } from './records';
import { readStatuses, type Unfinished } from './statuses';

/*
 * Why messages are not lost, and in which rare cases they are
 *
 * An activation begins when the workflow is published or n8n starts, and lasts until the next one begins. It works on
 * its own copy of the workflow's static data. n8n stores that copy once the activation has begun, and whenever a poll
 * returns items. A poll writes its cursors into the copy right before it returns, so n8n either stores the cursors and
 * accepts the items, or does neither. These are the special cases:
 *
 * - n8n can't write to its database, for example because the disk is full: it drops the items, and the next poll
 *   continues after them. A node can't see this, so these items are lost.
 * - n8n is killed after a poll, before it stores the copy: according to the stored cursors, the items haven't been
 *   delivered, so the first poll of the next activation finds them again. (n8n stores the copy first, then starts the
 *   workflow. If it is killed in between, the items are lost, which no node can prevent.)
 * - Another activation begins during a poll: n8n 2 drops the poll's items and cursors, so the new activation finds the
 *   items again. n8n 1 accepts the items of both activations, so a poll returns nothing if the other activation has
 *   already polled.
 * - Another activation begins right after a poll, before n8n has stored the copy: the new activation finds the items
 *   again.
 * - A poll has no items: n8n stores nothing, so the stored cursors get older. Reading from an old cursor takes longer,
 *   but it doesn't deliver anything twice, because nothing has been delivered since.
 * - The node is renamed: nothing changes, because the cursors are stored under the node's ID.
 * - Another node in the workflow overwrites the stored cursors with older ones, because n8n stores static data as it
 *   was when that node's execution began. The current activation continues with its own copy. For the next activation,
 *   this process remembers the cursors whose items n8n is known to have accepted (`confirmed`). It can't know this
 *   about the items of the very last poll, so they are delivered again. After a restart of n8n, `confirmed` is empty,
 *   so everything that is missing from the stored cursors is delivered again.
 */

/**
 * How often statuses are read. This is slightly less than five minutes, because if the trigger polls every minute, the
 * fifth poll may come a little early.
 */
const statusesEveryMs = 5 * minuteMs - 5_000;

/** How many consecutive failures are hidden if they may be temporary. From the third one on, n8n shows them. */
const maxQuietFailures = 2;

/** How far back a trigger reads when a user publishes the workflow again, perhaps after a month. */
const maxBacklogMs = dayMs;

type Cursors = Partial<Record<PolledEvent, Cursor>>;

type Activation = {
	/** Identifies the activation, because n8n passes the same context to all of an activation's polls. */
	context: IPollFunctions;
	isPolling: boolean;
	/**
	 * Whether a poll has written its cursors since this activation began. From then on, each event has a start
	 * position.
	 */
	isStarted: boolean;
	/** Number of consecutive polls with a failure that may be temporary. */
	failures: number;
	/** The time until which Kudosity asked us to send no requests. */
	quietUntilMs: number;
	/** When n8n last showed that Kudosity rejects the requests, e.g. because of an invalid key. */
	refusedMs: number;
	/** When the trigger last started reading statuses. */
	statusesReadMs: number;
	/**
	 * Where the next poll continues if this one ran out of time while reading statuses. The next poll doesn't need to
	 * find this one's items again, because n8n has accepted them by then.
	 */
	unfinished?: Unfinished;
};

type Trigger = {
	activation?: Activation;
	/** The latest cursors whose items n8n is known to have accepted. They only exist in this process's memory. */
	confirmed: Cursors;
};

type Poll = { trigger: Trigger; activation: Activation; isFirst: boolean };

/** Size of the cache: far more triggers than one n8n process runs. */
const maxTriggers = 1_000;

const triggers = lruMap<Trigger>(maxTriggers);

const { now } = createUnstoppableClock();

function triggerOf(context: IPollFunctions): Trigger {
	const place = `${context.getWorkflow().id}:${context.getNode().id}`;
	const trigger = triggers.get(place) ?? { confirmed: {} };
	triggers.set(place, trigger);
	return trigger;
}

function beginActivation(context: IPollFunctions): Activation {
	const never = { quietUntilMs: -Infinity, refusedMs: -Infinity, statusesReadMs: -Infinity };
	return { context, isPolling: false, isStarted: false, failures: 0, ...never };
}

/**
 * Returns where the cursors are stored: in the static data of the whole workflow, keyed by the node's ID. n8n would key
 * the node's own static data by the node's name, which can change and can be reused for another node.
 */
function placeOfCursors(context: IPollFunctions) {
	return { data: context.getWorkflowStaticData('global'), key: `kudosity:${context.getNode().id}` };
}

function readCursors(context: IPollFunctions): Cursors {
	const { data, key } = placeOfCursors(context);
	const stored = Object(data[key]) as Json;
	return Object.fromEntries(polledEvents.map((event) => [event, readCursor(stored[event])]));
}

function writeCursors(context: IPollFunctions, cursors: Cursors): void {
	const { data, key } = placeOfCursors(context);
	// n8n only notices that a property is assigned, not that something changes within its value.
	data[key] = cursors as IDataObject;
}

/**
 * Merges the cursors in this process's memory with those of the activation. An event that was only just selected in the
 * panel has no cursor yet.
 */
function confirm({ trigger, activation }: Poll, events: PolledEvent[]): Cursors {
	const inActivation = readCursors(activation.context);
	const cursors = events.map((event) => {
		return [event, joined(trigger.confirmed[event], inActivation[event])] as const;
	});
	// These cursors cover the items of the activation's last poll. Since this activation polls again, n8n has accepted
	// them, unless it couldn't write to its database.
	trigger.confirmed = Object.fromEntries(cursors);
	return trigger.confirmed;
}

/**
 * Adds a start position to events without one. If a user has just published the workflow, this also limits how far back
 * the trigger reads.
 */
async function withStart({ activation }: Poll, reader: Reader, cursors: Cursors): Promise<Cursors> {
	const isPublished = activation.context.getActivationMode() === 'activate';
	const isLimited = isPublished && !activation.isStarted;
	if (!isLimited && reader.events.every((event) => cursors[event])) return { ...cursors };
	const nowMs = await reader.askTime();
	const started = reader.events.map((event) => {
		const cursor = cursors[event] ?? startingAt(nowMs);
		return [event, isLimited ? notBefore(cursor, nowMs - maxBacklogMs) : cursor] as const;
	});
	return Object.fromEntries(started);
}

async function read(
	{ activation }: Poll,
	reader: Reader,
	{ event, cursor }: { event: PolledEvent; cursor: Cursor },
): Promise<Found> {
	if (event === 'SMS_INBOUND') return await readReceived(reader, cursor);
	const beganMs = now();
	const isDue = beganMs - activation.statusesReadMs >= statusesEveryMs;
	if (!isDue && !activation.unfinished) return { cursor, items: [] };
	const { unfinished, ...found } = await readStatuses(reader, cursor, activation.unfinished);
	if (isDue) activation.statusesReadMs = beganMs;
	activation.unfinished = unfinished;
	return found;
}

/** Whether another activation has begun since this poll began. */
function isReplaced({ trigger, activation }: Poll): boolean {
	return trigger.activation !== activation;
}

/** Reads everything that is new for each event, then writes all cursors to static data at once. */
async function deliver(poll: Poll, reader: Reader): Promise<Json[]> {
	const { trigger, activation } = poll;
	const known = confirm(poll, reader.events);
	const cursors = await withStart(poll, reader, known);
	const items: Json[] = [];
	const failures: unknown[] = [];
	for (const event of reader.events) {
		// An event without a known cursor starts now, so nothing can be new.
		if (!known[event]) continue;
		try {
			const found = await read(poll, reader, { event, cursor: cursors[event]! });
			cursors[event] = found.cursor;
			items.push(...found.items);
		} catch (error) {
			failures.push(error);
		}
	}
	if (isReplaced(poll)) return [];
	writeCursors(activation.context, cursors);
	activation.isStarted = true;
	// Without items, n8n can't drop any, so the cursors are confirmed right away.
	if (items.length === 0) trigger.confirmed = cursors;
	if (failures.length === 0) Object.assign(activation, { failures: 0, refusedMs: -Infinity });
	else if (items.length === 0) throw failures[0];
	// An error would lose the items, so the failure is only counted. If it persists, a later poll shows it.
	else activation.failures += 1;
	return items;
}

/** Records a failure, and returns whether n8n should show it. The next poll tries again either way. */
function noteFailure({ trigger, activation, isFirst }: Poll, error: unknown): boolean {
	const mode = activation.context.getActivationMode();
	// If the first poll threw an error during n8n's startup, the workflow would be left without its trigger.
	if (isFirst && ['init', 'leadershipChange'].includes(mode)) return false;
	if (isTransient(error) || error instanceof CancelledError) {
		activation.failures += 1;
		if (!isFirst) return activation.failures > maxQuietFailures;
		// An event without a start position would miss all messages until a later poll sets one, so publishing has to
		// fail.
		return Object.values(trigger.confirmed).some((cursor) => cursor === undefined);
	}
	if (isFirst) return true;
	if (now() - activation.refusedMs < hourMs) return false;
	activation.refusedMs = now();
	return true;
}

/**
 * Converts an error for n8n. A poll is only cancelled by its own deadline, so a CancelledError is reported as a
 * timeout.
 */
function toPollError(context: IPollFunctions, error: unknown) {
	const cause = error instanceof CancelledError ? new NoAnswerError('ETIMEDOUT', true) : error;
	return toNodeError(context.getNode(), cause);
}

async function runPoll(poll: Poll): Promise<Json[]> {
	const { activation } = poll;
	if (now() < activation.quietUntilMs) return [];
	let reader: Reader | undefined;
	try {
		reader = await createReader(activation.context);
		return await deliver(poll, reader);
	} catch (error) {
		if (isReplaced(poll) || !noteFailure(poll, error)) return [];
		throw toPollError(activation.context, error);
	} finally {
		activation.quietUntilMs = now() + (reader?.quietMs() ?? 0);
	}
}

/** Returns each event's newest message as sample data for building the workflow. It doesn't count as delivered. */
async function runTest(context: IPollFunctions): Promise<Json[]> {
	try {
		const reader = await createReader(context);
		const newest: Json[] = [];
		for (const event of reader.events) newest.push(...(await newestOutput(reader, event)));
		if (newest.length > 0) return newest;
		const isReceived = reader.events.includes('SMS_INBOUND');
		const where = isReceived ? 'to one of your Kudosity numbers' : 'with Kudosity';
		const remedy = `Send an SMS ${where}, wait a moment, then execute the step again`;
		throw new InputError('No message to test with yet', remedy);
	} catch (error) {
		throw toPollError(context, error);
	}
}

function toN8nItems(items: Json[]): INodeExecutionData[] {
	return items.map((json) => ({ json: json as IDataObject }));
}

/** Runs one poll for n8n. Returns null if there is nothing to start the workflow with. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') return [toN8nItems(await runTest(context))];
	const trigger = triggerOf(context);
	const isFirst = trigger.activation?.context !== context;
	// If a poll of the previous activation is still running, it notices the new activation and returns nothing.
	if (isFirst) trigger.activation = beginActivation(context);
	const activation = trigger.activation!;
	if (activation.isPolling) return null;
	activation.isPolling = true;
	try {
		const items = await runPoll({ trigger, activation, isFirst });
		return items.length > 0 ? [toN8nItems(items)] : null;
	} finally {
		activation.isPolling = false;
	}
}
