import { createHash } from 'crypto';
import { ApiError, CancelledError, outcomeOf, OutcomeUnknownError } from '../api/errors';
import type { Json } from '../lib/json';
import { settle } from '../lib/async';
import { withoutGeneralOptions } from '../fields/sendOptions';
import { isOutsideWorkflow, isTool } from './agentTool';
import type { Attempt, Run, Stage } from './attempt';
import { keepDuring, type ExecutionState, type LedgerEntry } from './executionState';
import { idOf } from './idempotencyKeys';

/** In n8n's Agents, where no execution ends. */
const maxKeptMs = 60 * 60 * 1000;

const hashInput = ({ input }: Attempt): string =>
	createHash('sha256')
		.update(JSON.stringify(withoutGeneralOptions(input)))
		.digest('base64');

/** Whether the service has used something up with a no, as one of five attempts. A 429 has not. */
const isSpent = (reason: unknown): boolean =>
	reason instanceof ApiError && reason.fields.status !== 429;

/**
 * What the sends of an execution came to. n8n's Retry On Fail runs a node again with all its items, in the same
 * process: what was accepted is answered from here, whatever the request reads by then. See ADR 6.
 */
export const createLedger = ({ context, operation }: Run, state: ExecutionState) => {
	const { ledger } = state;
	// By content, for what an agent asks again because it was told that the outcome is unknown.
	const fingerprint = (attempt: Attempt) => (isTool(context) ? hashInput(attempt) : undefined);
	if (isOutsideWorkflow(context)) {
		const now = Date.now();
		for (const [name, { atMs }] of ledger) if (now - atMs >= maxKeptMs) ledger.delete(name);
	}
	const recall = (name: string | undefined) => (name === undefined ? undefined : ledger.get(name));
	const write = (name: string, entry: LedgerEntry) => ledger.set(name, { entry, atMs: Date.now() });
	const forget = (name: string | undefined) => name !== undefined && ledger.delete(name);

	/** What was accepted is not found by content: an agent may well send the same text twice. */
	const record = (attempt: Attempt, entry: LedgerEntry): void => {
		const { itemKey: place } = attempt;
		if (place !== undefined) write(place, entry);
		else if (entry.outcome === 'accepted') write(`answer:${String(idOf(entry.answer))}`, entry);
		const doubt = fingerprint(attempt);
		if (doubt !== undefined && entry.outcome === 'unknown') write(doubt, entry);
	};

	const stage: Stage = async (attempt, next) => {
		const { entry: earlier } = recall(attempt.itemKey) ?? recall(fingerprint(attempt)) ?? {};
		if (earlier?.outcome === 'accepted') return earlier.answer;
		if (earlier?.outcome === 'spent') throw earlier.reason;
		const doubted = earlier?.outcome === 'unknown' ? earlier : undefined;
		if (doubted && !attempt.options.repeatUnknown) throw new OutcomeUnknownError(doubted.reason);

		attempt.heldKey = earlier?.key;
		attempt.isInDoubt = doubted !== undefined;
		const result = await keepDuring(state, async () => await settle(next()));
		if (result.status === 'fulfilled') {
			record(attempt, { outcome: 'accepted', answer: result.value });
			return result.value;
		}
		const reason: unknown = result.reason;
		const { heldKey: key } = attempt;
		if (outcomeOf(reason) === 'unknown') {
			record(attempt, { outcome: 'unknown', reason, key });
			throw new OutcomeUnknownError(reason);
		}
		if (doubted && !(reason instanceof CancelledError)) {
			throw new OutcomeUnknownError(doubted.reason, reason);
		}
		if (doubted) throw reason;
		if (operation.once === 'countsRefusals' && isSpent(reason)) {
			record(attempt, { outcome: 'spent', reason });
		} else if (key !== undefined) record(attempt, { outcome: 'refused', key });
		else forget(attempt.itemKey);
		throw reason;
	};
	return {
		stage,
		/** The answer to a send of unknown outcome, found later: it counts as if it had come at once. */
		settle: (attempt: Attempt, answer: Json): void => {
			record(attempt, { outcome: 'accepted', answer });
			forget(fingerprint(attempt));
		},
		/** The IDs of the messages that this node was answered with in this execution. */
		answeredIds: (): Set<unknown> =>
			new Set(
				[...ledger.values()].flatMap(({ entry }) =>
					entry.outcome === 'accepted' ? [idOf(entry.answer)] : [],
				),
			),
	};
};

export type Ledger = ReturnType<typeof createLedger>;
