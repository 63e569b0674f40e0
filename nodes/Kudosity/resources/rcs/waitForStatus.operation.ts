import { getRcsMessage, rcsProgress, rcsStatuses, type RcsMessage } from '../../api/endpoints/rcs';
import { pollUntil } from '../../api/polling';
import { options } from '../../fields/collection';
import { field } from '../../fields/field';
import { messageId } from '../../fields/messageId';
import { someOf } from '../../fields/readers/choice';
import { wholeNumber } from '../../fields/readers/number';
import { timeLimit } from '../../fields/timeLimit';
import { defineOperation } from '../../runtime/operation';

/** Polling knows fewer statuses than events; said where a polled status is waited for. */
const failedRemark =
	'A FAILED message may have been REJECTED or UNDELIVERABLE: only the events of a webhook tell them apart.';

const defaultIntervalSeconds = 5;
const defaultTimeoutSeconds = 60;

const progressOf = (status: string): number => rcsProgress.findIndex((step) => step === status);

/**
 * A message only moves forward, and between two looks it can pass a status: READ also means DELIVERED.
 * FAILED is the end of any wait, since nothing follows it.
 */
const hasReached = (status: string, until: readonly string[]): boolean =>
	status === 'FAILED' ||
	until.some((wanted) => wanted !== 'FAILED' && progressOf(status) >= progressOf(wanted));

const statusOf = ({ status }: RcsMessage): string => status.toUpperCase();

const until = field(
	{
		displayName: 'Until',
		name: 'until',
		type: 'multiOptions',
		required: true,
		options: [
			{ name: 'Delivered', value: 'DELIVERED' },
			{ name: 'Failed', value: 'FAILED', description: failedRemark },
			{ name: 'Queued', value: 'QUEUED' },
			{ name: 'Read', value: 'READ' },
			{ name: 'Sent', value: 'SENT' },
		],
		default: ['DELIVERED', 'READ', 'FAILED'],
		description: `The statuses that end the wait. A later status counts as well: a message that was read was delivered. FAILED always ends it. ${failedRemark} The output then has <code>failedDetail: "unknown"</code>.`,
	},
	someOf(rcsStatuses),
);

const intervalSeconds = field(
	{
		displayName: 'Interval (Seconds)',
		name: 'intervalSeconds',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: defaultIntervalSeconds,
		description: 'How many seconds to wait between status checks',
	},
	wholeNumber({ min: 1, max: 3600 }),
);

const timeoutSeconds = timeLimit(
	defaultTimeoutSeconds,
	'How many seconds to wait in total. After that, the output is the message as it is, with <code>timedOut: true</code>.',
);

/** GET /v2/rcs/messages/{id} until the message has come far enough, or the time is up. */
export const waitForStatus = defineOperation({
	value: 'waitForStatus',
	name: 'Wait for Status',
	action: 'Wait for status of RCS message',
	description: 'Wait until an RCS message reaches a status, or until a time limit is over',
	fields: [messageId, until, options(intervalSeconds, timeoutSeconds)],
	run: async ({ call, clock }, { messageId, until, options }) => {
		const { intervalSeconds = defaultIntervalSeconds } = options;
		const { timeoutSeconds = defaultTimeoutSeconds } = options;
		const { answer, timedOut } = await pollUntil({
			check: async () => await call(getRcsMessage, { id: messageId }),
			isDone: (message) => hasReached(statusOf(message), until),
			intervalMs: intervalSeconds * 1000,
			timeoutMs: timeoutSeconds * 1000,
			clock,
		});
		const isFailed = statusOf(answer) === 'FAILED';
		return { ...answer, ...(isFailed && { failedDetail: 'unknown' }), timedOut };
	},
});
