import type { Clock } from './clock';
import { getImport, type Import } from './endpoints/list';
import {
	ApiError,
	CancelledError,
	InputError,
	NoAnswerError,
	UnexpectedResponseError,
} from './errors';
import { pollUntil } from './polling';
import type { Service } from './service';

const intervalMs = 5_000;

/**
 * For so many looks, an end that was there before the import counts as that of an earlier one, unless another look
 * came between.
 */
const doubtfulLooks = 3;

const statusOf = (progress: Import | undefined): string =>
	String(progress?.status ?? '').toLowerCase();

/** The progress of the latest import, unless it cannot be had now. */
export const lookAtImport = async (
	{ call }: Service,
	listId: string,
): Promise<Import | undefined> =>
	await call(getImport, { list_id: listId }).catch((error: unknown) => {
		const isAnswer = error instanceof ApiError || error instanceof UnexpectedResponseError;
		if (isAnswer || error instanceof NoAnswerError) return undefined;
		throw error;
	});

type Started = {
	listId: string;
	/** What was said of an earlier import: a look right after the start of the next could still find it. */
	before: Import | undefined;
	timeoutMs: number;
};

const watch = async (
	services: Service & { clock: Clock },
	{ listId, before, timeoutMs }: Started,
) => {
	let looks = 0;
	let hasChanged = false;
	return await pollUntil({
		check: async () => {
			looks++;
			const progress = await lookAtImport(services, listId);
			hasChanged ||= progress !== undefined && JSON.stringify(progress) !== JSON.stringify(before);
			return progress;
		},
		isDone: (progress) =>
			['completed', 'failed'].includes(statusOf(progress)) && (hasChanged || looks > doubtfulLooks),
		intervalMs,
		timeoutMs,
		clock: services.clock,
	});
};

/**
 * The progress of an import that was accepted, once it has ended or the time is up. Nothing else that
 * happens meanwhile counts as a failure of the import: it would be done a second time.
 *
 * @throws InputError the service could not import the file
 */
export const waitForImport = async (services: Service & { clock: Clock }, started: Started) => {
	const { answer, timedOut } = await watch(services, started).catch((error: unknown) => {
		if (error instanceof CancelledError) return { answer: undefined, timedOut: true };
		throw error;
	});
	if (!timedOut && statusOf(answer) === 'failed') {
		throw new InputError(
			'Kudosity could not import the file',
			`Check that the address leads to the file without a login or a redirect, and that the file is a CSV with the columns Firstname, Lastname and Mobile. The contacts would go to the list ${started.listId}`,
		);
	}
	return { list_id: started.listId, ...answer, timedOut };
};
