import { createHash } from 'crypto';
import { ApiError, isRefusedOnTheWay, OutcomeUnknownError } from '../api/errors';
import { failureCodeOf } from '../api/failureCodeOf';
import { permanentCodes } from '../api/failureCodes';
import { withoutGeneralOptions } from '../fields/sendOptions';
import type { Json } from '../lib/json';
import { hostOf } from '../n8n/host';
import type { Attempt, SendRun } from './attempt';
import type { Claim, Guard } from './claim';
import { type ExecutionState, type LedgerEntry, holdState } from './executionState';

const hashInput = ({ input }: Attempt): string =>
	createHash('sha256')
		.update(JSON.stringify(withoutGeneralOptions(input)))
		.digest('base64');

/**
 * Creates the ledger, which records the result of each send in an execution. n8n's Retry On Fail runs the node again
 * with all of its items. Items that were already accepted get their recorded answer, even if their expressions now
 * return other values. See ADR 6.
 */
export function createLedger({ context, operation }: SendRun, state: ExecutionState) {
	const { ledger } = state;
	const { isTool } = hostOf(context);
	// If an agent's model reads "not confirmed", it may try again in a new call, and a workflow can route failed items
	// back to the node. The item then has a new key, so unconfirmed messages are also found by their content. Accepted
	// messages are not, because the same text may be sent twice on purpose.
	const namesOf = (attempt: Attempt): string[] => {
		const { itemKey } = attempt;
		return [...(itemKey === undefined ? [] : [itemKey]), hashInput(attempt)];
	};

	const accept = (attempt: Attempt, answer: Json): void => {
		if (attempt.itemKey !== undefined) ledger.set(attempt.itemKey, { outcome: 'accepted', answer });
		ledger.delete(hashInput(attempt));
	};
	const claimFor = (attempt: Attempt): Claim => {
		const leave = holdState(state);
		return {
			keep: (outcome) => {
				leave();
				if (outcome.kind === 'accepted') return accept(attempt, outcome.answer);
				const { heldKey: key } = attempt;
				const entry: LedgerEntry = { outcome: 'unknown', reason: outcome.reason, key };
				for (const name of namesOf(attempt)) ledger.set(name, entry);
			},
			undo: (error) => {
				leave();
				const { itemKey, heldKey: key } = attempt;
				if (itemKey === undefined) return;
				const isPermanent = permanentCodes.includes(failureCodeOf(error));
				// A rejected request can use something up, e.g. one of five tries at a verification code. A 429 uses
				// nothing up, and a request that a proxy or firewall refused never reached Kudosity.
				const isSpent =
					error instanceof ApiError && error.fields.status !== 429 && !isRefusedOnTheWay(error);
				if (operation.once === 'countsRefusals' && isSpent) {
					ledger.set(itemKey, { outcome: 'spent', reason: error });
				} else if (isPermanent) {
					ledger.set(itemKey, { outcome: 'final', reason: error, values: hashInput(attempt), key });
				}
				// The key could not be released, so only this item may use it again.
				else if (key !== undefined) ledger.set(itemKey, { outcome: 'refused', key });
				else ledger.delete(itemKey);
			},
			drop: leave,
		};
	};

	const guard: Guard = async (attempt) => {
		const entries = namesOf(attempt).flatMap((name) => ledger.get(name) ?? []);
		const isOf = (wanted: LedgerEntry['outcome']) =>
			entries.find(({ outcome }) => outcome === wanted);
		const earlier = isOf('accepted') ?? isOf('unknown') ?? entries[0];
		if (earlier?.outcome === 'accepted') return { answer: earlier.answer };
		if (earlier?.outcome === 'spent') throw earlier.reason;
		// In a retry, expressions may return other values, which Kudosity might accept. Only the same values would be
		// rejected again.
		if (earlier?.outcome === 'final' && earlier.values === hashInput(attempt)) throw earlier.reason;
		if (earlier?.outcome === 'unknown') {
			const mayRepeat =
				operation.once === 'untilConfirmed' || attempt.options.onOutcomeUnknown === 'repeat';
			if (!mayRepeat) throw new OutcomeUnknownError(earlier.reason);
			attempt.unconfirmedReason = earlier.reason;
		}
		// The item takes over the key that its earlier attempt still holds. An entry that was found by its content may
		// belong to another item with the same values, so that entry's key is not taken over. If the node is a tool,
		// the key is taken over anyway, because an agent repeats its own call.
		const own = isTool ? earlier : ledger.get(attempt.itemKey ?? '');
		attempt.heldKey = own?.key;
		return claimFor(attempt);
	};
	return { guard, accept };
}
