import { z } from 'zod/v4';
import { pollUntil } from '../../api/polling';
import { rcsProgress, rcsStatuses, type RcsMessage } from '../../api/schemas/rcs.schema';
import { recordId, someOf, wholeNumber } from '../../api/schemas/recordInput.schema';
import { defineOperation } from '../../runtime/operation';
import { failedRemark, messageIdField } from './messageIdField';

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

/** GET /v2/rcs/messages/{id} until the message has come far enough, or the time is up. */
export const waitForStatus = defineOperation({
	value: 'waitForStatus',
	name: 'Wait for Status',
	action: 'Wait for status of RCS message',
	description: 'Wait until an RCS message reaches a status, or until a time limit is over',
	properties: [
		messageIdField,
		{
			displayName: 'Until',
			name: 'until',
			type: 'multiOptions',
			required: true,
			options: [
				{ name: 'Delivered', value: 'DELIVERED' },
				{
					name: 'Failed',
					value: 'FAILED',
					description: failedRemark,
				},
				{ name: 'Queued', value: 'QUEUED' },
				{ name: 'Read', value: 'READ' },
				{ name: 'Sent', value: 'SENT' },
			],
			default: ['DELIVERED', 'READ', 'FAILED'],
			description: `The statuses that end the wait. A later status counts as well: a message that was read was delivered. FAILED always ends it. ${failedRemark} The output then has <code>failedDetail: "unknown"</code>.`,
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [
				{
					displayName: 'Interval',
					name: 'intervalSeconds',
					type: 'number',
					typeOptions: { minValue: 1 },
					default: defaultIntervalSeconds,
					description: 'How many seconds to wait between two looks at the status',
				},
				{
					displayName: 'Time Limit',
					name: 'timeoutSeconds',
					type: 'number',
					typeOptions: { minValue: 1 },
					default: defaultTimeoutSeconds,
					description:
						'How many seconds to wait in all. When they are over, the output is the message as it is, with <code>timedOut: true</code>.',
				},
			],
		},
	],
	input: z.object({
		messageId: recordId,
		until: someOf(rcsStatuses),
		options: z.object({
			intervalSeconds: wholeNumber({ min: 1, max: 3600 }),
			timeoutSeconds: wholeNumber({ min: 1, max: 86_400 }),
		}),
	}),
	run: async ({ client, clock }, { messageId, until, options }) => {
		const { intervalSeconds = defaultIntervalSeconds } = options;
		const { timeoutSeconds = defaultTimeoutSeconds } = options;
		const { answer, timedOut } = await pollUntil({
			check: async () => await client.rcs.get(messageId),
			isDone: (message) => hasReached(statusOf(message), until),
			intervalMs: intervalSeconds * 1000,
			timeoutMs: timeoutSeconds * 1000,
			clock,
		});
		const isFailed = statusOf(answer) === 'FAILED';
		return { ...answer, ...(isFailed && { failedDetail: 'unknown' }), timedOut };
	},
});
