import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { outcomeOf } from '../api/errors';
import type { Json, SendOnce } from './operation';
import { sendMemory } from './sendMemory';
import { createKeyStore, type KeyStore } from './sendOnceKeys';

/** A send of which nobody knows whether the service accepted it. */
export class OutcomeUnknownError extends Error {
	override name = 'OutcomeUnknownError';

	constructor(readonly reason: unknown) {
		super('Outcome unknown');
	}
}

type Settled = { answer: Json } | { reason: unknown };

const settle = async (send: () => Promise<Json>): Promise<Settled> =>
	await send().then(
		(answer) => ({ answer }),
		(reason: unknown) => ({ reason }),
	);

const fingerprintOf = (request: unknown): string =>
	createHash('sha256').update(JSON.stringify(request)).digest('base64');

const skipped: Json = {
	skipped: true,
	reason: 'A message with this Send Once Key was sent before, or may have been sent',
};

type Claim = { keys: KeyStore; key: string; isOurs: boolean };

/** Claims the key unless an earlier try of this item did, and gives it back only after a definite no. */
const sendWithKey = async (
	{ keys, key, isOurs }: Claim,
	send: () => Promise<Json>,
): Promise<Settled> =>
	await keys.exclusively(key, async () => {
		if (!isOurs && !(await keys.claim(key))) return { answer: skipped };
		const settled = await settle(send);
		if ('reason' in settled && outcomeOf(settled.reason) === 'refused') await keys.release(key);
		return settled;
	});

const runKey = (context: IExecuteFunctions): string =>
	[
		context.getExecutionId(),
		context.getNode().id,
		context.evaluateExpression('{{ $runIndex }}', 0),
	].join(':');

/**
 * Sends each item at most once in this execution, and each Send Once Key at most once in this workflow.
 * A re-run of the node (Retry On Fail) gets the remembered answers of what was accepted.
 */
export const createSendOnce = (context: IExecuteFunctions) => {
	const open = () => {
		const memory = sendMemory(runKey(context));
		context.onExecutionFinish?.(memory.forget);
		return { memory, keys: createKeyStore(context) };
	};
	let opened: ReturnType<typeof open> | undefined;

	return (itemIndex: number): SendOnce =>
		async ({ options, request }, send) => {
			const { memory, keys } = (opened ??= open());
			const fingerprint = fingerprintOf(request);
			const recalled = memory.recall(itemIndex);
			const earlier = recalled?.fingerprint === fingerprint ? recalled : undefined;
			if (earlier?.outcome === 'accepted') return earlier.answer;
			if (earlier && !options.repeatUnknown) throw new OutcomeUnknownError(earlier.reason);

			const key = options.sendOnceKey;
			const settled =
				key === undefined
					? await settle(send)
					: await sendWithKey({ keys, key, isOurs: earlier !== undefined }, send);
			if ('answer' in settled) {
				memory.remember(itemIndex, { fingerprint, outcome: 'accepted', answer: settled.answer });
				return settled.answer;
			}
			if (outcomeOf(settled.reason) === 'refused') throw settled.reason;
			memory.remember(itemIndex, { fingerprint, outcome: 'unknown', reason: settled.reason });
			throw new OutcomeUnknownError(settled.reason);
		};
};
