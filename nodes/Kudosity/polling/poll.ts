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
 * Why nothing is lost
 *
 * An activation begins when the workflow is published, or when n8n starts, and lasts until the next one. It works on its
 * own copy of the workflow's static data. n8n stores that copy when the activation has begun, and whenever a poll returns
 * items. A poll writes its cursors into the copy as the last thing before it returns, so n8n either stores the cursors and
 * takes the items, or does neither.
 *
 * - n8n is killed after a poll and before it stores: the next activation reads what is stored. There the items do not
 *   count as delivered, so its first poll finds them again. (n8n stores, and then starts the workflow. If it is killed
 *   between the two, these items are lost, which no node can prevent.)
 * - Another activation begins during a poll: n8n 2 drops the items and the cursors, so the other activation finds them
 *   again. n8n 1 takes the items of both, so a poll returns nothing if the other activation has already polled.
 * - A poll has no items: n8n stores nothing, so what is stored grows old. Reading from an old cursor takes longer, but it
 *   finds nothing that was already delivered, because nothing was.
 * - Somebody renames the node: the cursors are stored by the node's ID, so nothing changes.
 * - Another node of the workflow overwrites what is stored with an older version, because n8n stores static data as it was
 *   when that node's execution began. The activation continues with its copy. For the next activation, this process
 *   remembers the cursors whose items n8n is known to have taken (`confirmed`). It cannot know whether n8n took the items
 *   of the very last poll, so these are delivered again. After a restart of n8n, nobody remembers anything, so whatever is
 *   missing from the stored cursor is delivered again.
 */

/** Statuses are read every five minutes. Of polls that run each minute, the fifth may come a little early. */
const statusesEveryMs = 5 * minuteMs - 5_000;

/** A failure that may pass is shown only if it is the third in a row, or a later one. */
const maxQuietFailures = 2;

/** Limit of how far a trigger goes back when a person publishes it again, perhaps after a month. */
const maxBacklogMs = dayMs;

type Cursors = Partial<Record<PolledEvent, Cursor>>;

type Activation = {
	/** n8n gives all polls of an activation the same context. */
	context: IPollFunctions;
	isPolling: boolean;
	/** Whether a poll of this activation has succeeded, so that each event has its start. */
	isStarted: boolean;
	/** Number of polls in a row that failed for a reason that may pass. */
	failures: number;
	/** Time until which Kudosity asked us to wait. */
	quietUntilMs: number;
	/** Time at which n8n last showed that Kudosity rejects the requests, e.g. because of a wrong key. */
	refusedMs: number;
	/** Time at which the trigger last began to read statuses. */
	statusesReadMs: number;
	/** A reading of statuses that the next poll continues. If there is a next poll, n8n took what was found so far. */
	unfinished?: Unfinished;
};

type Trigger = {
	activation?: Activation;
	/** The latest cursors whose items n8n is known to have taken. No other process has them, and no restart keeps them. */
	confirmed: Cursors;
};

type Poll = { trigger: Trigger; activation: Activation; isFirst: boolean };

/** Far more triggers than one n8n process runs. */
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
 * Names the place of the cursors in the static data of the whole workflow. n8n would store static data of the node by the
 * node's name, which changes, and which another node can get.
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
	// n8n notices only a value that is assigned, and not a change within it.
	data[key] = cursors as IDataObject;
}

/** Joins the cursors of this process with those of the activation. An event that somebody has just chosen has none. */
function confirm({ trigger, activation }: Poll, events: PolledEvent[]): Cursors {
	const inActivation = readCursors(activation.context);
	const cursors = events.map((event) => {
		return [event, joined(trigger.confirmed[event], inActivation[event])] as const;
	});
	// These cursors have the items of the activation's last poll. n8n took them, or this activation would not poll again.
	trigger.confirmed = Object.fromEntries(cursors);
	return trigger.confirmed;
}

/** Adds a start to events without one, and keeps a trigger that a person publishes again from going back too far. */
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

/** Reads everything new for each event, and then writes all cursors into static data at once. */
async function deliver(poll: Poll, reader: Reader): Promise<Json[]> {
	const { trigger, activation } = poll;
	const known = confirm(poll, reader.events);
	const cursors = await withStart(poll, reader, known);
	const items: Json[] = [];
	const failures: unknown[] = [];
	for (const event of reader.events) {
		// Nothing can be new for an event that starts now.
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
	// Without items, there is nothing that n8n could drop.
	if (items.length === 0) trigger.confirmed = cursors;
	if (failures.length === 0) Object.assign(activation, { failures: 0, refusedMs: -Infinity });
	else if (items.length === 0) throw failures[0];
	// An error would lose the items, so a later poll shows the failure.
	else activation.failures += 1;
	return items;
}

/** Notes a failure, and returns whether n8n should show it. The next poll tries again either way. */
function noteFailure({ trigger, activation, isFirst }: Poll, error: unknown): boolean {
	const mode = activation.context.getActivationMode();
	// An error at the start of n8n would leave the workflow without its trigger.
	if (isFirst && ['init', 'leadershipChange'].includes(mode)) return false;
	if (isTransient(error) || error instanceof CancelledError) {
		activation.failures += 1;
		if (!isFirst) return activation.failures > maxQuietFailures;
		// An event without a start would miss what arrives before a later poll gives it one, so publishing fails.
		return Object.values(trigger.confirmed).some((cursor) => cursor === undefined);
	}
	if (isFirst) return true;
	if (now() - activation.refusedMs < hourMs) return false;
	activation.refusedMs = now();
	return true;
}

/** A poll is only cancelled by its own time limit, so that is what the user should read. */
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

/** Returns the newest message of each event, to build the workflow with. It does not count as delivered. */
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

/** Runs one poll of n8n. Returns null when there is nothing to start the workflow with. */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (context.getMode() === 'manual') return [toN8nItems(await runTest(context))];
	const trigger = triggerOf(context);
	const isFirst = trigger.activation?.context !== context;
	// A poll of the earlier activation that is still under way notices this, and returns nothing.
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
