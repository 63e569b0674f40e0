import { createHash } from 'crypto';
import {
	ApiError,
	CancelledError,
	isRefusedOnTheWay,
	outcomeOf,
	OutcomeUnknownError,
} from '../api/errors';
import { permanentCodes } from '../api/failureCodes';
import { withoutGeneralOptions } from '../fields/sendOptions';
import { settle } from '../lib/async';
import type { Json } from '../lib/json';
import { hourMs } from '../lib/time';
import { isOutsideExecution, isTool } from './agentTool';
import type { Attempt, Prepared, Results, Run, Stage } from './attempt';
import { messageIdOf } from './deduplicationKeys';
import { keepDuring, type ExecutionState, type LedgerEntry, steadyNow } from './executionState';

const hash = (text: string): string => createHash('sha256').update(text).digest('base64');

const hashInput = ({ input }: Attempt): string =>
	hash(JSON.stringify(withoutGeneralOptions(input)));

/**
 * The result of each send of an execution. n8n's Retry On Fail runs the node again with all its items: what was
 * accepted is answered from here, even if the item reads differently by then. See ADR 6.
 */
export const createLedger = ({ context, operation, failureCodeOf }: Run, state: ExecutionState) => {
	const { ledger, underWay } = state;
	// An agent that was told "outcome unknown" asks again in a new call, so that only the content matches, and of a bulk
	// message each number with it: the agent may write them in another order, or leave some out.
	const fingerprints = (attempt: Attempt): string[] => {
		if (!isTool(context) && !isOutsideExecution(context)) return [];
		const { to, input } = attempt;
		const group = operation.batch?.groupOf(input);
		if (group === undefined || !to || !('numbers' in to)) return [hashInput(attempt)];
		return to.numbers.map((number) => hash(`${number} ${group}`));
	};
	if (isOutsideExecution(context)) {
		const now = steadyNow();
		for (const [name, { atMs }] of ledger) if (now - atMs >= hourMs) ledger.delete(name);
	}
	const write = (name: string, entry: LedgerEntry) =>
		ledger.set(name, { entry, atMs: steadyNow() });

	const record = (attempt: Attempt, entry: LedgerEntry): void => {
		const { itemKey } = attempt;
		if (itemKey !== undefined) write(itemKey, entry);
		// Only for `answeredIds`.
		else if (entry.outcome === 'accepted') {
			write(`answer:${String(messageIdOf(entry.answer))}`, entry);
		}
		// Accepted messages are not matched by content: an agent may well send the same text twice.
		if (entry.outcome === 'unknown') for (const name of fingerprints(attempt)) write(name, entry);
	};

	const stage: Stage = async (attempt, next) => {
		const names = [attempt.itemKey ?? [], fingerprints(attempt)].flat();
		const earlier = names.map((name) => ledger.get(name)?.entry).find(Boolean);
		if (earlier?.outcome === 'accepted') return earlier.answer;
		if (earlier?.outcome === 'spent') throw earlier.reason;
		// An expression can read differently by now.
		if (earlier?.outcome === 'final' && earlier.values === hashInput(attempt)) throw earlier.reason;
		const doubt = earlier?.outcome === 'unknown' ? earlier : undefined;
		const mayRepeat =
			operation.once === 'untilConfirmed' || attempt.options.onOutcomeUnknown === 'repeat';
		if (doubt && !mayRepeat) throw new OutcomeUnknownError(doubt.reason);

		attempt.heldKey = earlier?.key;
		attempt.mayHaveBeenSent = doubt !== undefined;
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
		// This try was refused, which says nothing about the earlier one: its entry stays.
		if (doubt) {
			throw reason instanceof CancelledError
				? reason
				: new OutcomeUnknownError(doubt.reason, reason);
		}
		// A refusal costs something, such as one of five attempts. A 429 does not, nor does what never reached the service.
		const isSpent =
			reason instanceof ApiError && reason.fields.status !== 429 && !isRefusedOnTheWay(reason);
		if (operation.once === 'countsRefusals' && isSpent) {
			record(attempt, { outcome: 'spent', reason });
		} else if (permanentCodes.includes(failureCodeOf(reason))) {
			record(attempt, { outcome: 'final', reason, values: hashInput(attempt), key });
		} else if (key !== undefined) record(attempt, { outcome: 'refused', key });
		else if (attempt.itemKey !== undefined) ledger.delete(attempt.itemKey);
		throw reason;
	};
	return {
		stage,
		/** An MCP client that no longer waits may call again: what is under way answers it. */
		share: async (items: Prepared[], run: () => Promise<Results>): Promise<Results> => {
			const call = isOutsideExecution(context) && items.length === 1 && items[0];
			if (!call || call.isDry || 'error' in call) return await run();
			const name = [call.options.deduplicationKey, ...fingerprints(call).sort()].join();
			const results = underWay.get(name) ?? run().finally(() => underWay.delete(name));
			underWay.set(name, results);
			return await results;
		},
		/** Enters the answer of a message that was found later. */
		confirm: (attempt: Attempt, answer: Json): void => {
			record(attempt, { outcome: 'accepted', answer });
			for (const name of fingerprints(attempt)) ledger.delete(name);
		},
		/** IDs of the messages that the service accepted from this node in this execution. */
		answeredIds: (): Set<unknown> =>
			new Set(
				[...ledger.values()].flatMap(({ entry }) =>
					entry.outcome === 'accepted' ? [messageIdOf(entry.answer)] : [],
				),
			),
	};
};
